/** Draws a chat on a terminal. Finished items look as in `reprise show`. Live rows follow them. */
import type { CallUnderWay, ChatView, Notice } from "../../../features/chat/chat_options.ts";
import type { ModelDelta } from "../../../features/chat/models/model.ts";
import type { TranscriptItem } from "../../../core/projection/transcript/item.ts";
import { sanitizeLine, sanitizeText } from "../../../text/render/sanitize.ts";
import { createStyle, type Style } from "../../../text/render/style.ts";
import { cutText } from "../../../text/render/text_width.ts";
import { wrapWords } from "../../../text/render/wrap.ts";
import { brokenWidth, LiveRows } from "../../ui/live_rows.ts";
import type { ScreenTerminal } from "../../ui/terminal_screen.ts";
import { itemPrinter } from "../item_drawing.ts";
import type { ScreenSettings } from "../screen.ts";

const FRAME_MS = 60;

/** Maximum rows of arriving text. `OUTPUT_ROWS` is the limit for reasoning and a call's output. */
const TEXT_ROWS = 12;
const OUTPUT_ROWS = 4;

/** Maximum characters of arriving text. More do not fit on the screen. */
const TAIL = 4000;

interface LiveCall {
  title: string;
  output: string;
}

export class ChatScreen implements ChatView {
  readonly #stdout: ScreenTerminal["stdout"];
  readonly #live: LiveRows;
  readonly #print: (item: TranscriptItem) => string;
  readonly #style: Style;
  readonly #aside: (print: () => void) => void;
  readonly #calls = new Map<string, LiveCall>();
  #text = "";
  #reasoning = "";
  #busy = false;
  #question: readonly string[] | undefined;
  /** Notices to print at the end of a replay. Undefined if no replay is running. */
  #held: string[] | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Takes `aside`, which prints without disturbing the line that is being typed. */
  constructor(
    stdout: ScreenTerminal["stdout"],
    settings: Pick<ScreenSettings, "color" | "format_time">,
    aside: (print: () => void) => void,
  ) {
    this.#stdout = stdout;
    this.#aside = aside;
    this.#live = new LiveRows(stdout);
    this.#style = createStyle(settings.color);
    this.#print = itemPrinter(settings, stdout.width);
  }

  onItem(item: TranscriptItem): void {
    this.#forget(item);
    this.#live.clear();
    const text = this.#print(item);
    if (text !== "") this.#stdout.write(text);
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
    const text = rowsOf(message, this.#width()).map((row) => `${this.#dim(row)}\n`).join("");
    this.#aside(() => this.#stdout.write(`${text}\n`));
    if (this.#question !== undefined) this.#live.draw(this.#question);
    this.#schedule();
  }

  busy(busy: boolean): void {
    this.#busy = busy;
    if (busy) return this.#schedule();
    this.#hold();
    this.#live.clear();
    this.#calls.clear();
    this.onResponseEnd();
  }

  /**
   * Shows a question until it is answered. On a small screen, its first rows scroll out of view.
   */
  async ask(question: string, answer: () => Promise<string>): Promise<string> {
    this.#hold();
    this.#live.clear();
    const rows = rowsOf(question, this.#width());
    const live = rows.splice(-this.#height());
    this.#stdout.write(rows.map((row) => `${row}\n`).join(""));
    this.#question = live;
    this.#live.draw(live);
    const key = await answer();
    this.#question = undefined;
    this.#live.clear();
    this.#busy = true;
    this.#schedule();
    return key;
  }

  /** Erases the typed lines and prompt signs. The sent message will show the text again. */
  eraseTyped(shown: readonly string[]): void {
    const { width, height } = this.#stdout;
    const rows = shown.reduce(
      (sum, line) => sum + Math.floor(brokenWidth(line, width) / width) + 1,
      0,
    );
    if (rows < height) this.#stdout.write(`\r\x1b[${rows}A\x1b[J`);
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

  #dim(text: string): string {
    return this.#style.paint("dim", text);
  }

  #width(): number {
    // A row of the full width would break on some terminals.
    return Math.max(1, Math.min(this.#stdout.width, 120) - 1);
  }

  #height(): number {
    return Math.max(1, this.#stdout.height - 2);
  }

  #rows(): string[] {
    const width = this.#width();
    const thought = this.#text === "" ? rowsOf(this.#reasoning, width).slice(-OUTPUT_ROWS) : [];
    const calls = [...this.#calls.values()].flatMap(({ title, output }) => [
      cutText(sanitizeLine(`→ ${title}`), width),
      ...rowsOf(output.trimEnd(), width - 4).slice(-OUTPUT_ROWS).filter((row) => row !== "")
        .map((row) => this.#dim(`    ${row}`)),
    ]);
    const all = [
      ...thought.filter((row) => row !== "").map((row) => this.#dim(row)),
      ...rowsOf(this.#text, width).slice(-TEXT_ROWS).filter((row, at) => row !== "" || at > 0),
      ...calls,
      this.#dim("… ^C stops"),
    ];
    return all.slice(-this.#height());
  }
}

function rowsOf(text: string, width: number): string[] {
  return sanitizeText(text).split("\n").flatMap((line) =>
    wrapWords(line.replaceAll("\t", "  "), width)
  );
}
