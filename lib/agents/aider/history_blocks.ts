/**
 * Splits Aider's history into texts of the user, the model and Aider itself.
 *
 * Lines with `#### ` are the user's, lines with `> ` are Aider's, and the others are the model's.
 * Blocks of white space are dropped (aider 0.86, aider/utils.py `split_chat_history_markdown`).
 * Two of the parser's rules lose text of the model, and are not followed here. The parser skips
 * every line that begins with `# `. It takes the model's own block quotes for Aider's output.
 *
 * Aider ends each line that it prints with two spaces (io.py `append_chat_history`, `linebreak`).
 * The first lines of a text of several lines lack the two spaces. So a quote within an answer is
 * the model's on two conditions. Its line lacks the two spaces. The line is in a code block or
 * before an empty line.
 */
import { linesFromEnd } from "../../core/log/backward_reader.ts";
import { readOpened } from "../../core/log/byte_source.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { blockSource, type BlockSplitter, type TextLine } from "../engine/sources/block_source.ts";
import type { RecordSource, RecordStretch } from "../engine/sources/record_source.ts";
import type { AgentSession } from "../contract/agent.ts";
import { printedModel } from "./announcement.ts";
import { type HistoryRange, rangeOf } from "./locate.ts";

/** The speaker of a block. A heading begins a session. */
type Speaker = "user" | "assistant" | "tool" | "heading";

/** Successive lines of one speaker. */
export interface HistoryBlock {
  type: Speaker;
  /** The text with its newlines, without the prefixes `#### ` and `> ` of its lines. */
  text: string;
  /** Time when the file was last written. Present only in the file's last session. */
  written_at?: string | undefined;
  /** The model announced earlier, if the block is read without the text before it. */
  model?: string | undefined;
}

export function blockOf({ value }: SourceRecord): HistoryBlock {
  return value as unknown as HistoryBlock;
}

const USER = "#### ";
const QUOTE = "> ";
const FENCE = /^ {0,3}(?:```|~~~)/;

function beginsPrompt({ text }: TextLine, before: TextLine): boolean {
  return text.startsWith(USER) && !before.text.startsWith(USER);
}

function isBlank({ text }: TextLine): boolean {
  return text.trim() === "";
}

/** True if a line lacks the two spaces with which Aider ends its own lines. */
function isUnmarked({ text }: TextLine): boolean {
  return !/ {2}\r?\n?$/.test(text);
}

interface OpenBlock {
  type: Speaker;
  text: string;
  record: Required<Pick<SourceRecord, "position" | "weight" | "behind">>;
}

/** Splits lines into blocks. The lines are passed in the order of the file. */
export class HistoryBlocks implements BlockSplitter {
  readonly #range: HistoryRange;
  #block: OpenBlock | undefined;
  /** At most one block, the last that ended. A following block without text becomes part of it. */
  #ended: SourceRecord[] = [];
  #in_code = false;
  /** Quoted lines whose speaker is unknown until the next line. */
  #quotes: TextLine[] = [];

  constructor(range: HistoryRange) {
    this.#range = range;
  }

  /** Adds a line, and returns the blocks that ended before that line. */
  take(line: TextLine): SourceRecord[] {
    const isQuote = line.text.startsWith(QUOTE);
    if (isQuote && isUnmarked(line) && this.#isAnswering()) {
      if (this.#in_code) return this.#add("assistant", line);
      this.#quotes.push(line);
      return [];
    }
    const settled = this.#settle(isBlank(line) ? "assistant" : "tool");
    const type = isQuote ? "tool" : line.text.startsWith(USER) ? "user" : "assistant";
    return [...settled, ...this.#add(this.#isHeading(line) ? "heading" : type, line)];
  }

  end(): SourceRecord[] {
    return [...this.#settle("assistant"), ...this.#finish(), ...this.#ended];
  }

  #isHeading({ position }: TextLine): boolean {
    const { from, started_at } = this.#range;
    return position.offset === from && started_at !== undefined;
  }

  #isAnswering(): boolean {
    return this.#block?.type === "assistant" && this.#block.text.trim() !== "";
  }

  #settle(type: "assistant" | "tool"): SourceRecord[] {
    const quotes = this.#quotes;
    this.#quotes = [];
    return quotes.flatMap((line) => this.#add(type, line));
  }

  #add(type: Speaker, { text, position, weight }: TextLine): SourceRecord[] {
    const ended = this.#block?.type === type ? [] : this.#finish();
    const mark = type === "user" ? USER : type === "tool" ? QUOTE : "";
    const behind = { offset: position.offset + position.length, line: position.line + 1 };
    this.#block ??= { type, text: "", record: { position, weight: 0, behind } };
    const { record } = this.#block;
    this.#block.text += text.slice(mark.length);
    record.position = { ...record.position, length: behind.offset - record.position.offset };
    record.weight += weight;
    record.behind = behind;
    if (type === "assistant" && FENCE.test(text)) this.#in_code = !this.#in_code;
    return ended;
  }

  #finish(): SourceRecord[] {
    const block = this.#block;
    this.#block = undefined;
    this.#in_code = false;
    if (block === undefined) return [];
    const { type, text, record } = block;
    const [before] = this.#ended;
    if (text.trim() === "" && (before !== undefined || record.weight === 0)) {
      if (before !== undefined) this.#ended = [extended(before, record)];
      return [];
    }
    const { to, size, modified_at } = this.#range;
    const value = { type, text, written_at: to === size ? modified_at : undefined };
    this.#ended = [{ value, ...record }];
    return before === undefined ? [] : [before];
  }
}

function extended(
  record: SourceRecord,
  { weight, behind }: Required<Pick<SourceRecord, "weight" | "behind">>,
): SourceRecord {
  return { ...record, weight: (record.weight ?? 0) + weight, behind };
}

export function historySource(session: AgentSession): RecordSource {
  const { path } = session;
  const source = blockSource<HistoryRange>({
    path,
    range: () => rangeOf(session),
    splitter: (range) => new HistoryBlocks(range),
    begins: beginsPrompt,
  });
  const last = async (bytes: number): Promise<RecordStretch> => {
    const { records, whole } = await source.last(bytes);
    return { records: await withModel(records, path), whole };
  };
  return { ...source, last };
}

async function withModel(
  records: readonly SourceRecord[],
  path: string,
): Promise<readonly SourceRecord[]> {
  const [first, ...more] = records;
  if (first === undefined) return records;
  const model = await modelBefore(path, first.position.offset);
  return [{ ...first, value: { ...first.value, model } }, ...more];
}

const decoder = new TextDecoder();
const QUOTE_BYTE = 0x3e;

async function modelBefore(path: string, to: number): Promise<string | undefined> {
  return await readOpened(path, async (file) => {
    for await (const lines of linesFromEnd(file, { to })) {
      for (const { bytes } of lines) {
        if (bytes[0] !== QUOTE_BYTE) continue;
        const model = printedModel(decoder.decode(bytes.subarray(2)));
        if (model !== undefined) return model;
      }
    }
    return undefined;
  });
}
