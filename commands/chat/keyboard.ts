/**
 * The keyboard of a chat: lines with editing and history while nothing runs, the keys that stop a
 * turn while one does. What is typed meanwhile waits for the next line.
 */
import { Buffer } from "node:buffer";
import { PassThrough, Writable } from "node:stream";
import { PASTE_OFF, PASTE_ON, PASTED_LINE_FEED, PasteFold } from "./paste.ts";
import type { Context, Output } from "../_context.ts";

/** What came of asking for a line. */
export type LineInput =
  | { type: "line"; text: string; shown: readonly string[] }
  /** ^C; `empty` where nothing had been typed. */
  | { type: "cancel"; empty: boolean }
  /** ^D, or the terminal is gone. */
  | { type: "end" };

type Sink = (bytes: Uint8Array<ArrayBuffer>) => void;

/** The prompt of a line that goes on. */
const MORE = "… ";

const CANCEL = 0x03;
const ESCAPE = 0x1b;
const HISTORY = 200;

/** The keyboard, from opening to closing in raw mode. */
export class ChatKeyboard {
  readonly #context: Context;
  readonly #decoder = new TextDecoder();
  readonly #paste = new PasteFold();
  #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
  #sink: Sink | undefined;
  #ended: (() => void) | undefined;
  #typed: string[] = [];
  #history: string[] = [];
  #over = false;

  constructor(context: Context) {
    this.#context = context;
    this.#take();
  }

  /** Asks for a line. A line that ends in a backslash goes on. */
  async line(prompt: string): Promise<LineInput> {
    const shown: string[] = [];
    for (;;) {
      const input = await this.#readLine(shown.length === 0 ? prompt : MORE);
      if (input.type !== "line") return input;
      shown.push(...input.shown);
      if (input.text.endsWith("\\")) continue;
      const lines = shown.map((line, at) => at < shown.length - 1 ? line.slice(0, -1) : line);
      return { type: "line", text: lines.join("\n").replaceAll(PASTED_LINE_FEED, "\n"), shown };
    }
  }

  /** Waits for one of some keys; ^C, Esc and the end of input give the last of them. */
  async key(keys: readonly string[], signal: AbortSignal): Promise<string> {
    const last = keys[keys.length - 1] ?? "";
    return await new Promise<string>((resolve) => {
      const { sink, ended } = { sink: this.#sink, ended: this.#ended };
      const done = (key: string): void => {
        signal.removeEventListener("abort", stop);
        this.#sink = sink;
        this.#ended = ended;
        resolve(key);
      };
      const stop = (): void => done(last);
      if (this.#over || signal.aborted) return resolve(last);
      signal.addEventListener("abort", stop);
      this.#ended = () => {
        stop();
        ended?.();
      };
      this.#sink = (bytes) => {
        const pasted = this.#paste.pasting;
        this.#textOf(bytes);
        // What is pasted answers nothing, whatever its next piece begins with.
        if (pasted && bytes[0] !== CANCEL) return;
        const text = new TextDecoder().decode(bytes).toLowerCase();
        const key = keys.find((one) => text.startsWith(one));
        if (key !== undefined) return done(key);
        if (bytes[0] !== CANCEL && !isEscape(bytes)) return;
        // What stops the turn is the answer too.
        stop();
        sink?.(bytes);
      };
    });
  }

  /** Does something that ^C or Esc stops by its signal. */
  async during<Result>(action: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const stop = new AbortController();
    this.#sink = (bytes) => {
      if (bytes.includes(CANCEL) || isEscape(bytes)) stop.abort();
      else this.#typed.push(this.#textOf(bytes));
    };
    this.#ended = () => stop.abort();
    try {
      return await action(stop.signal);
    } finally {
      this.#sink = undefined;
      this.#ended = undefined;
    }
  }

  /** Ends what is under way, as if the terminal were gone: no line follows. */
  end(): void {
    this.#over = true;
    this.#ended?.();
  }

  /** Lends the terminal to something else that reads keys. */
  async lent<Result>(action: () => Promise<Result>): Promise<Result> {
    this.#give();
    try {
      return await action();
    } finally {
      this.#take();
    }
  }

  /** Gives the terminal back as it was. */
  close(): void {
    this.#give();
  }

  #take(): void {
    Deno.stdin.setRaw(true);
    this.#context.stdout.write(PASTE_ON);
    const reader = this.#context.stdin().getReader();
    this.#reader = reader;
    this.#read(reader);
  }

  #give(): void {
    try {
      this.#context.stdout.write(PASTE_OFF);
      Deno.stdin.setRaw(false);
    } catch {
      // The terminal is gone.
    }
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.releaseLock();
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>): Promise<void> {
    try {
      while (this.#reader === reader) {
        const { value } = await reader.read();
        if (value === undefined) break;
        if (this.#sink === undefined) this.#typed.push(this.#textOf(value));
        else this.#sink(value);
      }
    } catch {
      // Released while it waited, or the terminal is gone.
    }
    if (this.#reader !== reader) return;
    this.end();
  }

  async #readLine(prompt: string): Promise<LineInput> {
    if (this.#over) return { type: "end" };
    const { createInterface } = await import("node:readline");
    const input = new PassThrough();
    const output = readlineOutput(this.#context.stdout);
    const editor = createInterface({
      input,
      output,
      prompt,
      terminal: true,
      history: [...this.#history],
      historySize: HISTORY,
    });
    const onResize = (): void => void output.emit("resize");
    const has_signals = Deno.build.os !== "windows";
    if (has_signals) Deno.addSignalListener("SIGWINCH", onResize);
    try {
      return await new Promise<LineInput>((resolve) => {
        editor.on("line", (text) => {
          if (text.trim() !== "") this.#remember(text);
          resolve({ type: "line", text, shown: [text] });
        });
        editor.on("SIGINT", () => resolve({ type: "cancel", empty: editor.line === "" }));
        editor.on("close", () => resolve({ type: "end" }));
        this.#ended = () => resolve({ type: "end" });
        editor.prompt();
        this.#feed(input);
      });
    } finally {
      if (has_signals) Deno.removeSignalListener("SIGWINCH", onResize);
      this.#sink = undefined;
      this.#ended = undefined;
      editor.close();
    }
  }

  #remember(line: string): void {
    this.#history = [line, ...this.#history].slice(0, HISTORY);
  }

  #textOf(bytes: Uint8Array<ArrayBuffer>): string {
    return this.#paste.fold(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Gives the editor what was typed before, line by line, then what is typed now. */
  #feed(input: PassThrough): void {
    const give = (text: string): void => {
      const end = endOfLine(text);
      if (end < 0) return press(input, text);
      // What follows the line is for the next one.
      this.#sink = undefined;
      const rest = text.slice(end + 1);
      if (rest !== "") this.#typed.unshift(rest);
      press(input, text.slice(0, end + 1));
    };
    this.#sink = (bytes) => give(this.#textOf(bytes));
    while (this.#sink !== undefined) {
      const text = this.#typed.shift();
      if (text === undefined) return;
      give(text);
    }
  }
}

// deno-lint-ignore no-control-regex -- what a key sends that is no text
const LONG_TEXT = /([^\x00-\x1f\x7f]{32,})/;

/** Gives the editor keys; long text as one, for with each it measures the whole line. */
function press(input: PassThrough, text: string): void {
  for (const [index, piece] of text.split(LONG_TEXT).entries()) {
    if (index % 2 === 1) input.emit("keypress", piece, {});
    else if (piece !== "") input.emit("data", Buffer.from(piece));
  }
}

/** Where the first key is that the editor ends at: Enter or ^C. */
function endOfLine(text: string): number {
  const places = ["\r", "\n", "\x03"].map((key) => text.indexOf(key)).filter((at) => at >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

function isEscape(bytes: Uint8Array): boolean {
  return bytes.length === 1 && bytes[0] === ESCAPE;
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
