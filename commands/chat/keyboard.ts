/**
 * The keyboard of a chat: line editing with history, and the keys that stop a running turn. Text
 * typed during a turn waits for the next line.
 */
import { sendSignal } from "../../lib/platform/signals.ts";
import { standardInput } from "../../lib/platform/standard_streams.ts";
import { LineEditor, type LineInput } from "./line_editor.ts";
import { PASTE_OFF, PASTE_ON, PASTED_LINE_FEED, PasteFold } from "./paste.ts";
import type { Context } from "../_context.ts";

type Sink = (bytes: Uint8Array<ArrayBuffer>) => void;

/** The prompt of a line that goes on. */
const MORE = "… ";

const CANCEL = 0x03;
const ESCAPE = 0x1b;
const HISTORY = 200;
/** What ^Z types. */
const STOP = "\x1a";
const STOP_MS = 50;
/** Who has pressed a key so short a time ago is writing a message. */
const WRITING_MS = 1000;

/** The keyboard, from opening to closing in raw mode. */
export class ChatKeyboard {
  readonly #context: Context;
  readonly #decoder = new TextDecoder();
  readonly #paste = new PasteFold();
  #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined;
  #sink: Sink | undefined;
  #ended: (() => void) | undefined;
  #editor: LineEditor | undefined;
  #typed: string[] = [];
  #typed_at = -Infinity;
  #history: string[] = [];
  #over = false;
  readonly #gone = new AbortController();

  constructor(context: Context) {
    this.#context = context;
    this.#take();
  }

  /** Aborted when the terminal is closed: ^D is typed, and ends a line instead. */
  get gone(): AbortSignal {
    return this.#gone.signal;
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
        const text = this.#textOf(bytes);
        // What is pasted answers nothing, whatever its next piece begins with.
        if (pasted && bytes[0] !== CANCEL) return;
        if (this.#isWriting() && !isStop(bytes)) return this.#wait(text);
        const pressed = new TextDecoder().decode(bytes).toLowerCase();
        const key = keys.find((one) => pressed.startsWith(one));
        if (key !== undefined) return done(key);
        if (!isStop(bytes)) return;
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
      else this.#wait(this.#textOf(bytes));
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

  /** Prints above the line that is being typed. */
  aside(print: () => void): void {
    if (this.#editor === undefined) print();
    else this.#editor.aside(print);
  }

  /** Lends the terminal to something else that reads keys. */
  async lend<Result>(action: () => Promise<Result>): Promise<Result> {
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

  /** Keeps what is typed for the next line; ^Z would stop the chat only then. */
  #wait(text: string): void {
    this.#typed.push(text.replaceAll(STOP, ""));
    this.#typed_at = performance.now();
  }

  #isWriting(): boolean {
    return performance.now() - this.#typed_at < WRITING_MS;
  }

  #take(): void {
    this.#takeTerminal();
    const reader = this.#context.stdin().getReader();
    this.#reader = reader;
    this.#read(reader);
  }

  #give(): void {
    this.#giveTerminal();
    const reader = this.#reader;
    this.#reader = undefined;
    reader?.releaseLock();
  }

  #takeTerminal(): void {
    standardInput().setRaw(true);
    this.#context.stdout.write(PASTE_ON);
  }

  #giveTerminal(): void {
    try {
      this.#context.stdout.write(PASTE_OFF);
      standardInput().setRaw(false);
    } catch {
      // The terminal is gone.
    }
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
    if (this.#reader === reader) this.#lose();
  }

  /** The signal of a closed terminal may come later, or never: the end of its input tells first. */
  #lose(): void {
    this.#gone.abort();
    this.end();
  }

  async #readLine(prompt: string): Promise<LineInput> {
    if (this.#over) return { type: "end" };
    const { stdout } = this.#context;
    const history = [...this.#history];
    const editor = await LineEditor.open(stdout, { prompt, history, stop: () => this.#stop() });
    this.#editor = editor;
    this.#ended = () => editor.end();
    // The terminal may have gone while the editor was loaded.
    if (this.#over) editor.end();
    try {
      this.#feed(editor);
      const input = await editor.input;
      if (input.type === "line" && input.text.trim() !== "") this.#remember(input.text);
      return input;
    } finally {
      this.#sink = undefined;
      this.#ended = undefined;
      this.#editor = undefined;
      editor.close();
    }
  }

  /** ^Z: the shell has the terminal until the chat is brought back. */
  async #stop(): Promise<void> {
    this.#giveTerminal();
    // As the terminal itself would: whatever the chat was started by stops too.
    sendSignal(0, "SIGTSTP");
    // A moment passes before all threads have stopped; where nobody could go on with it, none does.
    await new Promise((resolve) => setTimeout(resolve, STOP_MS));
    // The chat was ended while it stood still: the terminal is given back for good.
    if (this.#reader === undefined) return;
    try {
      this.#takeTerminal();
    } catch {
      // The terminal has gone meanwhile.
      this.#lose();
    }
  }

  #remember(line: string): void {
    this.#history = [line, ...this.#history].slice(0, HISTORY);
  }

  #textOf(bytes: Uint8Array<ArrayBuffer>): string {
    return this.#paste.fold(this.#decoder.decode(bytes, { stream: true }));
  }

  /** Gives the editor what was typed before, line by line, then what is typed now. */
  #feed(editor: LineEditor): void {
    const give = (text: string): void => {
      const end = endOfLine(text);
      if (end < 0) return editor.press(text);
      // What follows the line is for the next one.
      this.#sink = undefined;
      const rest = text.slice(end + 1);
      if (rest !== "") this.#typed.unshift(rest);
      editor.press(text.slice(0, end + 1));
    };
    this.#sink = (bytes) => give(this.#textOf(bytes));
    while (this.#sink !== undefined) {
      const text = this.#typed.shift();
      if (text === undefined) return;
      give(text);
    }
  }
}

/** Where the first key is that the editor ends at: Enter or ^C. */
function endOfLine(text: string): number {
  const places = ["\r", "\n", "\x03"].map((key) => text.indexOf(key)).filter((at) => at >= 0);
  return places.length === 0 ? -1 : Math.min(...places);
}

function isStop(bytes: Uint8Array): boolean {
  return bytes[0] === CANCEL || isEscape(bytes);
}

function isEscape(bytes: Uint8Array): boolean {
  return bytes.length === 1 && bytes[0] === ESCAPE;
}
