/** Edits one line with history, while other output is printed above it. */
import { Buffer } from "node:buffer";
import type { Interface } from "node:readline";
import { PassThrough, Writable } from "node:stream";
import { operatingSystem } from "../../lib/platform/runtime.ts";
import { addSignalListener, removeSignalListener } from "../../lib/platform/signals.ts";
import type { Output } from "../_context.ts";

/** What came of asking for a line. */
export type LineInput =
  | { type: "line"; text: string; shown: readonly string[] }
  /** ^C; `empty` where nothing had been typed. */
  | { type: "cancel"; empty: boolean }
  /** ^D, or the terminal is gone. */
  | { type: "end" };

/** How a line is asked for. */
export interface LineOptions {
  prompt: string;
  /** Earlier lines, the newest first. */
  history: string[];
  /** Stops the program on ^Z, until it is brought back. */
  stop: () => Promise<void>;
}

/** An editor of one line, from opening to closing. */
export class LineEditor {
  /** What comes of it. */
  readonly input: Promise<LineInput>;
  readonly #stdout: Output;
  readonly #keys: PassThrough;
  readonly #lines: Interface;
  #resolve: (input: LineInput) => void = () => {};
  readonly #unwatch: () => void;
  #closed = false;

  private constructor(stdout: Output, keys: PassThrough, lines: Interface, output: Writable) {
    this.#stdout = stdout;
    this.#keys = keys;
    this.#lines = lines;
    this.#unwatch = onNewWidth(() => {
      // The terminal has broken the line anew.
      this.#drawnTo(lines.getCursorPos().rows);
      output.emit("resize");
    });
    this.input = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  /** Shows the prompt. */
  static async open(stdout: Output, { prompt, history, stop }: LineOptions): Promise<LineEditor> {
    const { createInterface } = await import("node:readline");
    const input = new PassThrough();
    const output = readlineOutput(stdout);
    const historySize = history.length + 1;
    const lines = createInterface({ input, output, prompt, terminal: true, history, historySize });
    const editor = new LineEditor(stdout, input, lines, output);
    lines.on("line", (text) => editor.#resolve({ type: "line", text, shown: [text] }));
    lines.on("SIGINT", () => editor.#resolve({ type: "cancel", empty: lines.line === "" }));
    lines.on("SIGTSTP", () => void stop().then(() => editor.#showAgain()));
    lines.on("close", () => editor.end());
    lines.prompt();
    return editor;
  }

  /** Takes keys. */
  press(text: string): void {
    for (const [index, piece] of text.split(LONG_TEXT).entries()) {
      // Long text as one key: with each the editor measures the whole line.
      if (index % 2 === 0) {
        if (piece !== "") this.#keys.emit("data", Buffer.from(piece));
        continue;
      }
      this.#keys.emit("keypress", piece, {});
      this.#drawnTo(this.#lines.getCursorPos().rows);
    }
  }

  /** Prints above the line. */
  aside(print: () => void): void {
    const { rows } = this.#lines.getCursorPos();
    this.#stdout.write(`\r${rows > 0 ? `\x1b[${rows}A` : ""}\x1b[J`);
    print();
    this.#showAgain();
  }

  /** Shows the line where the cursor is: what was written there stays above it. */
  #showAgain(): void {
    // While the shell had the terminal, the chat may have ended.
    if (this.#closed) return;
    this.#drawnTo(0);
    this.#lines.prompt(true);
  }

  /** No line follows. */
  end(): void {
    this.#resolve({ type: "end" });
  }

  close(): void {
    this.#closed = true;
    this.#unwatch();
    this.#lines.close();
  }

  /** Tells the editor in which row of the line the cursor is: it does not see what it did not draw. */
  #drawnTo(row: number): void {
    Object.assign(this.#lines, { prevRows: row });
  }
}

// deno-lint-ignore no-control-regex -- what a key sends that is no text
const LONG_TEXT = /([^\x00-\x1f\x7f]{32,})/;

/** Does something whenever the terminal gets another width; gives what ends that. */
function onNewWidth(action: () => void): () => void {
  if (operatingSystem === "windows") return () => {};
  addSignalListener("SIGWINCH", action);
  return () => removeSignalListener("SIGWINCH", action);
}

/** What the editor writes to: the terminal, with its width. */
function readlineOutput(stdout: Output): Writable {
  const output = new Writable({
    write(chunk: Uint8Array | string, _encoding, done): void {
      stdout.write(typeof chunk === "string" ? chunk : new TextDecoder().decode(chunk));
      done();
    },
    decodeStrings: false,
  });
  Object.defineProperty(output, "columns", { get: () => stdout.width });
  return output;
}
