/**
 * Cuts the lines of Aider's history into what the user, the model and Aider itself said.
 *
 * aider 0.86, aider/utils.py `split_chat_history_markdown`: `#### ` is the user, `> ` is Aider, all
 * else is the model, and blocks of white space are dropped. Two of its rules lose what the model
 * said, and are not followed. It skips every line that begins with `# `. It takes the model's own
 * block quotes for Aider's output. Aider ends each line of its own with two spaces (io.py
 * `append_chat_history`, `linebreak`). The first lines of a text of several lines have no such
 * ending. So a quote within an answer is the model's if it has no such ending. It must also stand
 * in a code block or before an empty line.
 */
import type { LinePosition } from "../../event/envelope.ts";

/** One thing that was said. */
export interface HistoryBlock {
  type: "user" | "assistant" | "tool";
  /** With its newlines, and without the marks before its lines. */
  text: string;
  position: LinePosition;
  /** An answer that the user stopped. */
  interrupted?: boolean;
}

/** One line with its newline. */
export interface HistoryLine {
  text: string;
  position: LinePosition;
}

const USER = "#### ";
const QUOTE = "> ";
const FENCE = /^ {0,3}(?:```|~~~)/;
/** What Aider prints before the part of an answer that had come (base_coder.py). */
const INTERRUPT = "^C";

function isBlank({ text }: HistoryLine): boolean {
  return text.trim() === "";
}

/** Whether Aider's own mark for a line's end is missing. */
function isUnmarked({ text }: HistoryLine): boolean {
  return !/ {2}\r?\n?$/.test(text);
}

/** Takes lines in their order and gives blocks as they end. */
export class HistoryBlocks {
  #block: HistoryBlock | undefined;
  #in_code = false;
  #interrupted = false;
  /** Quotes of which the next line tells whose they are. */
  #quotes: HistoryLine[] = [];

  /** Takes a line; gives the blocks that ended before it. */
  take(line: HistoryLine): HistoryBlock[] {
    const isQuote = line.text.startsWith(QUOTE);
    if (isQuote && isUnmarked(line) && this.#isAnswering()) {
      if (this.#in_code) return this.#add("assistant", line);
      this.#quotes.push(line);
      return [];
    }
    const settled = this.#settle(isBlank(line) ? "assistant" : "tool");
    const type = isQuote ? "tool" : line.text.startsWith(USER) ? "user" : "assistant";
    return [...settled, ...this.#add(type, line)];
  }

  /** Gives what is left. */
  end(): HistoryBlock[] {
    return [...this.#settle("assistant"), ...this.#finish()];
  }

  #isAnswering(): boolean {
    return this.#block?.type === "assistant" && this.#block.text.trim() !== "";
  }

  #settle(type: "assistant" | "tool"): HistoryBlock[] {
    const quotes = this.#quotes;
    this.#quotes = [];
    return quotes.flatMap((line) => this.#add(type, line));
  }

  #add(type: HistoryBlock["type"], { text, position }: HistoryLine): HistoryBlock[] {
    const ended = this.#block?.type === type ? [] : this.#finish();
    const mark = type === "user" ? USER : type === "tool" ? QUOTE : "";
    this.#block ??= { type, text: "", position: { ...position, length: 0 } };
    this.#block.text += text.slice(mark.length);
    this.#block.position.length += position.length;
    if (type === "assistant" && FENCE.test(text)) this.#in_code = !this.#in_code;
    return ended;
  }

  #finish(): HistoryBlock[] {
    const block = this.#block;
    this.#block = undefined;
    this.#in_code = false;
    if (block === undefined || block.text.trim() === "") return [];
    const interrupted = this.#interrupted && block.type === "assistant";
    this.#interrupted = block.type === "tool" && lastLine(block.text).startsWith(INTERRUPT);
    return [interrupted ? { ...block, interrupted } : block];
  }
}

function lastLine(text: string): string {
  return text.trimEnd().split("\n").at(-1) ?? "";
}
