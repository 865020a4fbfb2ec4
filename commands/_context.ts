/** The environment of a command. It is passed in, so that tests can call commands as functions. */
import { typedIfSystem } from "../lib/core/log/io_error.ts";
import { sendWhole, writeWhole } from "../lib/core/log/write_whole.ts";
import {
  environmentVariable,
  programCommand,
  workingDirectory,
} from "../lib/core/platform/process.ts";
import {
  consoleSize,
  type OutputStream,
  standardError,
  standardInput,
  standardOutput,
} from "../lib/core/platform/standard_streams.ts";
import { isBrokenPipe } from "../lib/core/platform/system_error.ts";
import { localTime } from "../lib/text/render/local_time.ts";
import { relativeTime } from "../lib/text/render/relative_time.ts";
import { resolve } from "node:path";
import { statSync } from "../lib/core/platform/files.ts";

export interface TextOutput {
  write(text: string): void;
  readonly terminal: boolean;
  /** Number of columns of the terminal, or 80 without a terminal. */
  readonly width: number;
  /** Number of rows of the terminal, or Infinity without a terminal. */
  readonly height: number;
}

export interface DataOutput extends TextOutput {
  writeBytes(bytes: Uint8Array): void;
  /** Writes bytes asynchronously. The caller must await the promise before the next write. */
  sendBytes(bytes: Uint8Array): Promise<void>;
}

export interface Context {
  readonly cwd: string;
  variable(name: string): string | undefined;
  now(): Date;
  readonly stdout: DataOutput;
  readonly stderr: TextOutput;
  readonly stdin: () => ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly stdin_terminal: boolean;
  readonly version: string;
  /** The command that starts this program again. Absent if the program may not start itself. */
  readonly program?: readonly string[];
  /** True to neither read nor write a cache. Set by `--no-cache`. @default {false} */
  readonly no_cache?: boolean;
}

const encoder = new TextEncoder();

function columns(terminal: boolean): { columns: number; rows: number } {
  if (!terminal) return { columns: 80, rows: Infinity };
  try {
    return consoleSize();
  } catch {
    // The terminal reports no size.
    return { columns: 80, rows: 24 };
  }
}

/**
 * A buffer for encoded text, because a new array for each text would burden the garbage collector.
 */
const room = new Uint8Array(256 * 1024);
/** Maximum number of UTF-8 bytes for one UTF-16 unit. */
const MOST_BYTES_A_UNIT = 3;

/** Encodes a text as UTF-8. The bytes are valid until the next call. */
function encoded(text: string): Uint8Array {
  if (text.length * MOST_BYTES_A_UNIT > room.length) return encoder.encode(text);
  return room.subarray(0, encoder.encodeInto(text, room).written);
}

function outputTo(stream: OutputStream, name: string): DataOutput {
  const terminal = stream.isTerminal();
  return {
    terminal,
    get width(): number {
      return columns(terminal).columns;
    },
    get height(): number {
      return columns(terminal).rows;
    },
    write: (text) => writeOut(stream, encoded(text), name),
    writeBytes: (bytes) => writeOut(stream, bytes, name),
    sendBytes: (bytes) => sendOut(stream, bytes, name),
  };
}

function writeOut(stream: OutputStream, bytes: Uint8Array, name: string): void {
  try {
    writeWhole(stream, bytes);
  } catch (error) {
    // A reader that has gone is a regular end.
    if (isBrokenPipe(error)) throw error;
    throw typedIfSystem(error, "write", name);
  }
}

async function sendOut(stream: OutputStream, bytes: Uint8Array, name: string): Promise<void> {
  try {
    await sendWhole(stream, bytes);
  } catch (error) {
    if (isBrokenPipe(error)) throw error;
    throw typedIfSystem(error, "write", name);
  }
}

export function processContext(version: string): Context {
  return {
    cwd: workingDirectory(),
    variable: environmentVariable,
    now: () => new Date(),
    stdout: outputTo(standardOutput(), "standard output"),
    stderr: outputTo(standardError(), "standard error"),
    stdin: () => standardInput().readable,
    stdin_terminal: standardInput().isTerminal(),
    version,
    program: programCommand(),
  };
}

export function pathOf({ cwd }: Context, path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(cwd, path);
}

export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory;
  } catch {
    return false;
  }
}

export function wantsColor({ variable }: Context, output: TextOutput): boolean {
  return output.terminal && !variable("NO_COLOR") && variable("TERM") !== "dumb";
}

/** True if a screen can be drawn and a person can type. */
export function hasScreen({ stdin_terminal, stdout, variable }: Context): boolean {
  return stdin_terminal && stdout.terminal && variable("TERM") !== "dumb";
}

/** Returns the user's locale as a BCP 47 tag, or undefined if the environment sets none. */
function readerLocale({ variable }: Context): string | undefined {
  const name = (variable("LC_ALL") || variable("LC_TIME") || variable("LANG") || "").split(".")[0];
  if (!name || name === "C" || name === "POSIX") return undefined;
  return name.replaceAll("_", "-").split("@")[0];
}

export function timeFormat(context: Context): (iso: string) => string {
  return localTime(readerLocale(context));
}

/** Returns the format of times in lists: relative to now at a terminal, exact in a pipe. */
export function listTimeFormat(context: Context): (iso: string) => string {
  return context.stdout.terminal ? relativeTime(context.now().getTime()) : timeFormat(context);
}
