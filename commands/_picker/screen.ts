/**
 * The terminal's whole screen and its keys, until it is closed: then all is as it was.
 */
import type { Interface } from "node:readline";
import { operatingSystem } from "../../lib/platform/runtime.ts";
import {
  addSignalListener,
  removeSignalListener,
  type Signal,
} from "../../lib/platform/signals.ts";
import { standardInput } from "../../lib/platform/standard_streams.ts";
import type { Context } from "../_context.ts";
import { isText, type Key } from "./state.ts";

/** Who is told what happens at the terminal. */
export interface ScreenListener {
  onKey(key: Key): void;
  onResize(): void;
  /** The input came to its end, or the process is to end. */
  onEnd(reason: "hangup" | "interrupted" | "terminated"): void;
  onError(error: unknown): void;
}

/** How long ESC may be the beginning of a key: terminals far away send it in pieces. */
const ESCAPE_TIMEOUT_MS = 50;

// The other screen; without breaking rows that are wider than it.
const ENTER = "\x1b[?1049h\x1b[?7l\x1b[2J";
// Cleared first, for terminals that have no other screen.
const LEAVE = "\x1b[H\x1b[J\x1b[?7h\x1b[?1049l\x1b[?25h";
// Before a row: behind one that is as wide as the screen, its last column would be cleared.
const CLEAR_ROW = "\x1b[K";
const CLEAR_BELOW = "\x1b[J";
// A terminal that knows these shows what is between them at once.
const BEGIN = "\x1b[?2026h\x1b[?25l";
const END = "\x1b[?25h\x1b[?2026l";

const HAS_SIGNALS = operatingSystem !== "windows";

/** Whether there is a terminal that can be drawn on and typed at. */
export function hasScreen({ stdin_terminal, stdout, variable }: Context): boolean {
  return stdin_terminal && stdout.terminal && variable("TERM") !== "dumb";
}

/** The screen. Closing it twice does nothing. */
export class PickerScreen {
  readonly #context: Context;
  readonly #listener: ScreenListener;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>>;
  readonly #signals: [Signal, () => void][];
  #open = true;
  #frame = "";

  private constructor(context: Context, listener: ScreenListener) {
    this.#context = context;
    this.#listener = listener;
    this.#reader = context.stdin().getReader();
    this.#signals = HAS_SIGNALS
      ? [
        ["SIGWINCH", () => listener.onResize()],
        ["SIGINT", () => listener.onEnd("interrupted")],
        ["SIGTERM", () => listener.onEnd("terminated")],
        ["SIGHUP", () => listener.onEnd("hangup")],
      ]
      : [["SIGINT", () => listener.onEnd("interrupted")]];
  }

  /** Takes the screen. */
  static async open(context: Context, listener: ScreenListener): Promise<PickerScreen> {
    const decode = await keyDecoder((key) => screen.#tell(key));
    standardInput().setRaw(true);
    const screen = new PickerScreen(context, listener);
    for (const [signal, handler] of screen.#signals) addSignalListener(signal, handler);
    context.stdout.write(ENTER);
    screen.#read(decode).catch((error) => listener.onError(error));
    return screen;
  }

  get width(): number {
    return Math.max(1, this.#context.stdout.width);
  }

  get height(): number {
    return Math.max(1, this.#context.stdout.height);
  }

  /** Shows rows, and the cursor. */
  draw(lines: readonly string[], cursor: { row: number; column: number }): void {
    const last = lines.length - 1;
    const rows = lines
      .map((line, index) => (index === last ? CLEAR_BELOW : CLEAR_ROW) + line)
      .join("\r\n");
    const place = `\x1b[${cursor.row + 1};${cursor.column + 1}H`;
    const frame = `${BEGIN}\x1b[H${rows}${place}${END}`;
    if (!this.#open || frame === this.#frame) return;
    this.#frame = frame;
    this.#context.stdout.write(frame);
  }

  /** What a resize made of the screen is drawn over, even where the rows are the same. */
  forget(): void {
    this.#frame = "";
  }

  /** Gives the terminal back. */
  close(): void {
    if (!this.#open) return;
    this.#open = false;
    for (const [signal, handler] of this.#signals) removeSignalListener(signal, handler);
    this.#reader.releaseLock();
    try {
      this.#context.stdout.write(LEAVE);
    } catch {
      // Nobody looks at it any more.
    }
    try {
      standardInput().setRaw(false);
    } catch {
      // The terminal is gone: there is nothing to give back.
    }
  }

  #tell(key: Key): void {
    if (this.#open) this.#listener.onKey(key);
  }

  /**
   * Reads no further than the key that closes the screen: a read that waits would take the first
   * key from whatever comes next, such as a pager.
   */
  async #read(decode: (bytes: Uint8Array) => void): Promise<void> {
    while (this.#open) {
      try {
        const { value } = await this.#reader.read();
        if (value === undefined) return this.#listener.onEnd("hangup");
        decode(value);
      } catch (error) {
        // The reader was released while it waited.
        if (this.#open) throw error;
      }
    }
  }
}

/** Makes keys of bytes, at once; only a lone ESC waits for what may follow. */
async function keyDecoder(onKey: (key: Key) => void): Promise<(bytes: Uint8Array) => void> {
  const { emitKeypressEvents } = await import("node:readline");
  const { PassThrough } = await import("node:stream");
  const { Buffer } = await import("node:buffer");
  const stream = new PassThrough();
  let keys: Key[] = [];
  const tell = (): void => {
    const all = joinedText(keys);
    keys = [];
    for (const key of all) onKey(key);
  };
  let decoding = false;
  emitKeypressEvents(stream, { escapeCodeTimeout: ESCAPE_TIMEOUT_MS } as unknown as Interface);
  stream.on("keypress", (text: string | undefined, key: Key) => {
    keys.push(text === undefined ? key : { ...key, text });
    if (!decoding) tell();
  });
  return (bytes) => {
    decoding = true;
    stream.emit("data", Buffer.from(bytes));
    decoding = false;
    tell();
  };
}

/** Keys, those of a text that was pasted as one: each of them would be looked for. */
function joinedText(keys: readonly Key[]): Key[] {
  const joined: Key[] = [];
  for (const key of keys) {
    const before = joined.at(-1);
    if (isText(key) && before !== undefined && isText(before)) before.text += key.text;
    else joined.push({ ...key });
  }
  return joined;
}
