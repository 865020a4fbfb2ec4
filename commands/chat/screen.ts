/** Draws a chat on a terminal. Settled items look as in `show`; below them stands the live one. */
import type { CallUnderWay, ChatView, Notice } from "../../lib/chat/chat_view.ts";
import type { ModelDelta } from "../../lib/chat/models/model.ts";
import type { TranscriptItem } from "../../lib/projection/transcript/transcript_item.ts";
import { brokenWidth, LiveRows } from "../../lib/ui/live_rows.ts";
import { type Context, wantsColor } from "../_context.ts";
import { itemRenderer } from "../_transcript.ts";

/** Milliseconds between two drawings. */
const FRAME_MS = 60;

/** Rows of what is under way. */
const TEXT_ROWS = 12;
const OUTPUT_ROWS = 4;

/** Characters of what is under way that are looked at: more do not fit. */
const TAIL = 4000;

interface LiveCall {
  title: string;
  output: string;
}

interface Drawing {
  render: (item: TranscriptItem) => string;
  rows: (text: string, width: number) => string[];
  line: (text: string, width: number) => string;
  dim: (text: string) => string;
}

/** The screen of a chat. */
export class ChatScreen implements ChatView {
  readonly #context: Context;
  readonly #live: LiveRows;
  readonly #drawing: Drawing;
  readonly #aside: (print: () => void) => void;
  readonly #calls = new Map<string, LiveCall>();
  #text = "";
  #reasoning = "";
  #busy = false;
  /** Rows of the question that waits for its answer. */
  #question: readonly string[] | undefined;
  /** What waits to be told. */
  #held: string[] | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  private constructor(
    context: Context,
    drawing: Drawing,
    aside: (print: () => void) => void,
  ) {
    this.#context = context;
    this.#aside = aside;
    this.#live = new LiveRows(context.stdout);
    this.#drawing = drawing;
  }

  /**
   * Loads what drawing needs.
   *
   * @param aside Prints where it does not disturb the line that is being typed.
   */
  static async open(context: Context, aside: (print: () => void) => void): Promise<ChatScreen> {
    const [
      { sanitizeText, sanitizeLine },
      { wrapWords },
      { cutText },
      { createStyle },
      render,
    ] = await Promise.all([
      import("../../lib/render/sanitize.ts"),
      import("../../lib/render/wrap.ts"),
      import("../../lib/render/text_width.ts"),
      import("../../lib/render/style.ts"),
      itemRenderer(context, context.stdout),
    ]);
    const style = createStyle(wantsColor(context, context.stdout));
    return new ChatScreen(context, {
      render,
      rows: (text, width) =>
        sanitizeText(text).split("\n").flatMap((line) =>
          wrapWords(line.replaceAll("\t", "  "), width)
        ),
      line: (text, width) => cutText(sanitizeLine(text), width),
      dim: (text) => style.paint("dim", text),
    }, aside);
  }

  /** Prints an item for good. */
  onItem(item: TranscriptItem): void {
    this.#forget(item);
    this.#live.clear();
    const text = this.#drawing.render(item);
    if (text !== "") this.#context.stdout.write(text);
    this.#schedule();
  }

  onDelta(delta: ModelDelta): void {
    if (delta.type === "text") this.#text = (this.#text + delta.text).slice(-TAIL);
    if (delta.type === "reasoning") this.#reasoning = (this.#reasoning + delta.text).slice(-TAIL);
    this.#schedule();
  }

  onResponseEnd(): void {
    this.#text = "";
    this.#reasoning = "";
    this.#schedule();
  }

  onCall({ call_id, name, title }: CallUnderWay): void {
    this.#calls.set(call_id, { title: `${name} ${title}`, output: "" });
    this.#schedule();
  }

  onOutput(call_id: string, text: string): void {
    const call = this.#calls.get(call_id);
    if (call === undefined) return;
    call.output = (call.output + text).slice(-TAIL);
    this.#schedule();
  }

  onNotice({ message }: Notice): void {
    if (this.#held === undefined) this.say(message);
    else this.#held.push(message);
  }

  /** Prints items that were kept before; what there is to tell of them comes last, to be seen. */
  async replay(open: () => Promise<AsyncIterable<TranscriptItem>>): Promise<void> {
    this.#held = [];
    try {
      for await (const item of await open()) this.onItem(item);
    } finally {
      const held = this.#held;
      this.#held = undefined;
      for (const message of held) this.say(message);
    }
  }

  /** Prints lines that are no part of the session. */
  say(message: string): void {
    this.#live.clear();
    const { rows, dim } = this.#drawing;
    const text = rows(message, this.#width()).map((row) => `${dim(row)}\n`).join("");
    this.#aside(() => this.#context.stdout.write(`${text}\n`));
    if (this.#question !== undefined) this.#live.draw(this.#question);
    this.#schedule();
  }

  /** Something is under way, or not any more. */
  busy(busy: boolean): void {
    this.#busy = busy;
    if (busy) return this.#schedule();
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#live.clear();
    this.#calls.clear();
    this.onResponseEnd();
  }

  /** Shows a question until its answer comes. What the screen cannot hold of it scrolls by: all is seen. */
  async ask(question: string, answer: () => Promise<string>): Promise<string> {
    this.#hold();
    this.#live.clear();
    const rows = this.#drawing.rows(question, this.#width());
    const live = rows.splice(-this.#height());
    this.#context.stdout.write(rows.map((row) => `${row}\n`).join(""));
    this.#question = live;
    this.#live.draw(live);
    const key = await answer();
    this.#question = undefined;
    this.#live.clear();
    this.#busy = true;
    this.#schedule();
    return key;
  }

  /** Takes back what was typed, with its prompts: the item says it again. */
  eraseTyped(shown: readonly string[]): void {
    const { width, height } = this.#context.stdout;
    const rows = shown.reduce(
      (sum, line) => sum + Math.floor(brokenWidth(line, width) / width) + 1,
      0,
    );
    if (rows < height) this.#context.stdout.write(`\r\x1b[${rows}A\x1b[J`);
  }

  #hold(): void {
    this.#busy = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #forget(item: TranscriptItem): void {
    if (item.type === "reasoning") this.#reasoning = "";
    else if (item.type === "message") this.#text = "";
    else if (item.type === "tool" || item.type === "bash") this.#calls.delete(item.call_id);
  }

  #schedule(): void {
    if (!this.#busy || this.#timer !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      if (this.#busy) this.#live.draw(this.#rows());
    }, FRAME_MS);
  }

  #width(): number {
    // A row of the full width would break on some terminals.
    return Math.max(1, Math.min(this.#context.stdout.width, 120) - 1);
  }

  #height(): number {
    return Math.max(1, this.#context.stdout.height - 2);
  }

  #rows(): string[] {
    const { rows, line, dim } = this.#drawing;
    const width = this.#width();
    const thought = this.#text === "" ? rows(this.#reasoning, width).slice(-OUTPUT_ROWS) : [];
    const calls = [...this.#calls.values()].flatMap(({ title, output }) => [
      line(`→ ${title}`, width),
      ...rows(output.trimEnd(), width - 4).slice(-OUTPUT_ROWS).filter((row) => row !== "")
        .map((row) => dim(`    ${row}`)),
    ]);
    const all = [
      ...thought.filter((row) => row !== "").map(dim),
      ...rows(this.#text, width).slice(-TEXT_ROWS).filter((row, at) => row !== "" || at > 0),
      ...calls,
      dim("… ^C stops"),
    ];
    return all.slice(-this.#height());
  }
}
