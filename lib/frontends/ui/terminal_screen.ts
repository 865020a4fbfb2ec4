/** Takes over a terminal's keys, and its whole screen or the rows below its content. */
import { operatingSystem } from "../../core/platform/runtime.ts";
import { onSignals, sendSignal } from "../../core/platform/signals.ts";
import { type Frame, paintFrame } from "./frame.ts";
import { type Key, KeyDecoder } from "./key.ts";

export interface ScreenTerminal {
  stdin: () => ReadableStream<Uint8Array<ArrayBuffer>>;
  /** True to get each key as it is typed, without echo. */
  setRaw(raw: boolean): void;
  stdout: { write(text: string): void; readonly width: number; readonly height: number };
}

export interface ScreenListener {
  /** Takes the keys that one read of the terminal gave. */
  onKeys(keys: readonly Key[]): void;
  /** Draws again. `back`: true if another program used the terminal, false if its size changed. */
  onResize(back: boolean): void;
  onEnd(reason: "hangup" | "interrupted" | "terminated"): void;
  onError(error: unknown): void;
}

/** Milliseconds to wait for the rest of a key after ESC. Remote terminals send it in pieces. */
const ESCAPE_TIMEOUT_MS = 50;
/** Milliseconds after ^Z until all threads of the program have stopped. */
const STOP_MS = 50;
/** Milliseconds between two looks at the terminal's size on Windows. */
const SIZE_MS = 250;

// The other screen; without breaking rows that are wider than it; pasted text in brackets.
const ENTER = "\x1b[?1049h\x1b[?7l\x1b[?2004h\x1b[2J";
// Cleared first, for terminals that have no other screen.
const LEAVE = "\x1b[H\x1b[J\x1b[?2004l\x1b[?7h\x1b[?1049l\x1b[?25h";
// A program that prints below what is there.
const ENTER_INLINE = "\x1b[?2004h";
const LEAVE_INLINE = "\x1b[?2004l";
const MOUSE_ON = "\x1b[?1000h\x1b[?1006h";
const MOUSE_OFF = "\x1b[?1006l\x1b[?1000l";

const HAS_SIGNALS = operatingSystem !== "windows";

interface ScreenOptions {
  /** True to print below the existing output. The screen then starts paused. @default {false} */
  inline?: boolean;
}

/** A terminal in raw mode. Closing it twice does nothing. */
export class TerminalScreen {
  /** True if ^Z stops the program. */
  stoppable = true;
  readonly #terminal: ScreenTerminal;
  readonly #listener: ScreenListener;
  readonly #inline: boolean;
  #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  #endListening = (): void => {};
  readonly #decoder = new KeyDecoder();
  #open = true;
  /** True while the program draws on the terminal, which is neither lent nor suspended. */
  #shown = false;
  #lent = false;
  #mouse: boolean;
  #frame: Frame | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pause: PromiseWithResolvers<void> | undefined;

  private constructor(terminal: ScreenTerminal, listener: ScreenListener, inline: boolean) {
    this.#terminal = terminal;
    this.#listener = listener;
    this.#inline = inline;
    this.#mouse = !inline;
    this.#reader = terminal.stdin().getReader();
  }

  static open(
    terminal: ScreenTerminal,
    listener: ScreenListener,
    { inline = false }: ScreenOptions = {},
  ): TerminalScreen {
    terminal.setRaw(true);
    const screen = new TerminalScreen(terminal, listener, inline);
    if (inline) screen.pause();
    screen.#listen();
    screen.#enter();
    screen.#read().catch((error) => listener.onError(error));
    return screen;
  }

  get width(): number {
    return Math.max(1, this.#terminal.stdout.width);
  }

  get height(): number {
    return Math.max(1, this.#terminal.stdout.height);
  }

  /** True if the program receives mouse events. The mouse then selects no text. */
  get mouse(): boolean {
    return this.#mouse;
  }

  set mouse(on: boolean) {
    this.#mouse = on;
    if (this.#shown) this.#terminal.stdout.write(on ? MOUSE_ON : MOUSE_OFF);
  }

  draw(frame: Frame): void {
    if (!this.#shown) return;
    const text = paintFrame(this.#frame, frame);
    this.#frame = frame;
    if (text !== "") this.#terminal.stdout.write(text);
  }

  /** Sends text outside the rows to the terminal, such as a sequence that sets its clipboard. */
  send(text: string): void {
    if (this.#shown) this.#terminal.stdout.write(text);
  }

  /** Stops reading, so that another reader gets the next key. Call it while keys are handled. */
  pause(): void {
    this.#pause ??= Promise.withResolvers();
  }

  goOn(): void {
    const pause = this.#pause;
    this.#pause = undefined;
    pause?.resolve();
  }

  /** Lends the terminal to another program. Call it only while the screen is paused. */
  async lend<Result>(action: () => Promise<Result>): Promise<Result> {
    this.#leave();
    this.#lent = true;
    this.#reader.releaseLock();
    this.#endListening();
    try {
      return await action();
    } finally {
      this.#lent = false;
      if (this.#open) {
        this.#reader = this.#terminal.stdin().getReader();
        this.#listen();
        this.#terminal.setRaw(true);
        this.#enter();
        this.#listener.onResize(true);
      }
    }
  }

  #suspend(): void {
    if (!HAS_SIGNALS || !this.#shown) return;
    this.#leave();
    // As the terminal itself would: whatever the program was started by stops too.
    sendSignal(0, "SIGTSTP");
    // Draws again also where the system did not stop the process.
    setTimeout(() => this.#shown || this.#redraw(), STOP_MS);
  }

  close(): void {
    if (!this.#open) return;
    this.#open = false;
    clearTimeout(this.#timer);
    this.#endListening();
    this.#reader.releaseLock();
    this.#leave();
    this.goOn();
  }

  #listen(): void {
    const { onEnd } = this.#listener;
    const endWatching = HAS_SIGNALS ? () => {} : this.#watchSize();
    const endListening = onSignals({
      SIGWINCH: () => this.#redraw(),
      SIGCONT: () => this.#redraw(),
      SIGINT: () => onEnd("interrupted"),
      SIGTERM: () => onEnd("terminated"),
      SIGHUP: () => onEnd("hangup"),
    });
    this.#endListening = () => {
      endListening();
      endWatching();
    };
  }

  /** Draws after a change of size, which has no signal on Windows. Returns a function to stop. */
  #watchSize(): () => void {
    const { stdout } = this.#terminal;
    let { width, height } = stdout;
    const timer = setInterval(() => {
      if (stdout.width === width && stdout.height === height) return;
      ({ width, height } = stdout);
      this.#redraw();
    }, SIZE_MS);
    return () => clearInterval(timer);
  }

  #enter(): void {
    this.#shown = true;
    this.#frame = undefined;
    const enter = this.#inline ? ENTER_INLINE : ENTER;
    this.#terminal.stdout.write(enter + (this.#mouse ? MOUSE_ON : ""));
  }

  #leave(): void {
    if (!this.#shown) return;
    this.#shown = false;
    try {
      const leave = this.#inline ? LEAVE_INLINE : LEAVE;
      this.#terminal.stdout.write((this.#mouse ? MOUSE_OFF : "") + leave);
    } catch {
      // Nobody looks at it any more.
    }
    try {
      this.#terminal.setRaw(false);
    } catch {
      // The terminal is gone: there is nothing to give back.
    }
  }

  /** Draws all rows, even unchanged ones, after a change of size or output of other programs. */
  #redraw(): void {
    if (!this.#open || (this.#pause !== undefined && !this.#shown)) return;
    const back = !this.#shown;
    try {
      if (back) {
        this.#terminal.setRaw(true);
        this.#enter();
      }
      this.#frame = undefined;
      this.#listener.onResize(back);
    } catch (error) {
      this.#listener.onError(error);
    }
  }

  /**
   * Reads keys until one closes or pauses the screen. A pending read would take the first key of
   * the next program, such as a pager.
   */
  async #read(): Promise<void> {
    while (this.#open) {
      if (this.#pause !== undefined) {
        await this.#pause.promise;
        continue;
      }
      try {
        const { value } = await this.#reader.read();
        if (value === undefined) return this.#listener.onEnd("hangup");
        this.#tell(this.#decoder.push(value));
      } catch (error) {
        // The reader was released while it waited.
        if (this.#open && !this.#lent) throw error;
      }
    }
  }

  #tell(keys: readonly Key[]): void {
    clearTimeout(this.#timer);
    if (this.#decoder.waits) {
      this.#timer = setTimeout(() => this.#tell(this.#decoder.flush()), ESCAPE_TIMEOUT_MS);
    }
    if (!this.#open || keys.length === 0) return;
    const stop = keys.findIndex(({ name, ctrl = false }) => ctrl && name === "z");
    if (stop < 0) return this.#listener.onKeys(keys);
    if (stop > 0) this.#listener.onKeys(keys.slice(0, stop));
    if (this.stoppable) this.#suspend();
    this.#tell(keys.slice(stop + 1));
  }
}
