/**
 * Reads the keyboard of a program that prints: lines, answers of one key, and keys that stop work.
 * Text typed during the work waits for the next line.
 */
import type { Key } from "./key.ts";
import { LineEditor, type LineInput, type LineOptions } from "./line_editor.ts";
import { type ScreenListener, type ScreenTerminal, TerminalScreen } from "./terminal_screen.ts";

type KeyboardEnd = Parameters<ScreenListener["onEnd"]>[0];

type Sink = (keys: readonly Key[]) => void;

const HISTORY = 200;
/** Milliseconds after a key in which the user still writes, so that keys answer no prompt. */
const WRITING_MS = 1000;

/** Maximum number of keys in one read that count as typed. More keys are a paste and ignored. */
const MOST_AT_ONCE = 3;

/** The keyboard of a terminal, which is in raw mode from opening to closing. */
export class Keyboard {
  readonly #terminal: ScreenTerminal;
  readonly #screen: TerminalScreen;
  readonly #gone = new AbortController();
  #sink: Sink | undefined;
  #ended: (() => void) | undefined;
  #editor: LineEditor | undefined;
  #typed: Key[] = [];
  #typed_at = -Infinity;
  #history: string[] = [];
  #over = false;

  constructor(terminal: ScreenTerminal) {
    this.#terminal = terminal;
    this.#screen = TerminalScreen.open(terminal, {
      onKeys: (keys) => this.#sink === undefined ? this.#wait(keys) : this.#sink(keys),
      onResize: (back) => this.#editor?.redraw(back),
      onEnd: (reason) => this.#lose(reason),
      onError: () => this.#lose("hangup"),
    }, { inline: true });
    this.#screen.stoppable = false;
  }

  /** Signal aborted by a {@linkcode KeyboardEnd} if the terminal is gone or the process ends. */
  get gone(): AbortSignal {
    return this.#gone.signal;
  }

  async line(options: Omit<LineOptions, "history">): Promise<LineInput> {
    if (this.#over) return { type: "end" };
    const editor = new LineEditor(this.#terminal.stdout, { ...options, history: this.#history });
    this.#editor = editor;
    this.#screen.stoppable = true;
    this.#hear((keys) => {
      const rest = editor.press(keys);
      if (rest === undefined) return;
      this.#stopHearing();
      this.#typed = [...rest, ...this.#typed];
    }, () => editor.end());
    this.#sink?.(this.#typed.splice(0));
    const input = await editor.input;
    this.#stopHearing();
    if (input.type === "line" && input.text.trim() !== "" && !options.hidden) {
      this.#history = [input.text, ...this.#history].slice(0, HISTORY);
    }
    return input;
  }

  /** Waits for one of `keys`. ^C, Esc, an abort and the end of input return the last of `keys`. */
  async key(keys: readonly string[], signal: AbortSignal): Promise<string> {
    const last = keys[keys.length - 1] ?? "";
    if (this.#over || signal.aborted) return last;
    const { promise, resolve } = Promise.withResolvers<string>();
    const [sink, ended] = [this.#sink, this.#ended];
    const done = (key: string): void => {
      signal.removeEventListener("abort", stop);
      if (sink === undefined) this.#stopHearing();
      else [this.#sink, this.#ended] = [sink, ended];
      resolve(key);
    };
    const stop = (): void => done(last);
    signal.addEventListener("abort", stop);
    this.#hear((pressed) => {
      if (pressed.some(isStop)) {
        // What stops the turn is the answer too.
        stop();
        return sink?.(pressed);
      }
      // What is pasted answers nothing.
      if (pressed.some(({ name }) => name === "paste")) return;
      if (performance.now() - this.#typed_at < WRITING_MS) return this.#wait(pressed);
      if (pressed.length > MOST_AT_ONCE) return;
      const answers = pressed.map(({ text = "" }) => text.toLowerCase());
      const answer = answers.find((one) => keys.includes(one));
      if (answer !== undefined) done(answer);
    }, () => {
      stop();
      ended?.();
    });
    return await promise;
  }

  /** Runs an action, and aborts its signal at ^C or Esc. */
  async during<Result>(action: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
    const stop = new AbortController();
    this.#hear(
      (keys) => keys.some(isStop) ? stop.abort() : this.#wait(keys),
      () => stop.abort(),
    );
    try {
      return await action(stop.signal);
    } finally {
      this.#stopHearing();
    }
  }

  /** Ends the running input as if the terminal were gone. */
  end(): void {
    this.#over = true;
    this.#ended?.();
  }

  aside(print: () => void): void {
    if (this.#editor === undefined) print();
    else this.#editor.aside(print);
  }

  /** Lets an action read the terminal's keys directly. */
  async lend<Result>(action: () => Promise<Result>): Promise<Result> {
    return await this.#screen.lend(action);
  }

  close(): void {
    this.#screen.close();
  }

  #hear(sink: Sink, ended: () => void): void {
    this.#sink = sink;
    this.#ended = ended;
    this.#screen.goOn();
  }

  /** Stops reading keys. Unread keys stay in the terminal. */
  #stopHearing(): void {
    this.#sink = undefined;
    this.#ended = undefined;
    this.#editor = undefined;
    this.#screen.stoppable = false;
    this.#screen.pause();
  }

  #wait(keys: readonly Key[]): void {
    this.#typed = this.#typed.concat(keys);
    this.#typed_at = performance.now();
  }

  #lose(reason: KeyboardEnd): void {
    this.#gone.abort(reason);
    this.end();
  }
}

function isStop({ name, ctrl = false, meta = false }: Key): boolean {
  return name === "escape" || ctrl && !meta && name === "c";
}
