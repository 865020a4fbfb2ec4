/**
 * The program in a world of its own: a temporary home and store, known variables and nothing else.
 * Most tests call it as a function. Where a process is the subject, `$REPRISE_BUNDLE` names the bundle
 * to start in place of `main.ts`, and `$REPRISE_BIN` the executable, which then runs every command line.
 */
import type { Requirement } from "./needing.ts";
import { AsyncLocalStorage } from "node:async_hooks";
import { EventEmitter } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Context, DataOutput } from "../../commands/_context.ts";
import { run } from "../../commands/_run.ts";
import configuration from "../../deno.json" with { type: "json" };
import { outliveFileSizeLimit } from "../../lib/core/platform/signals.ts";

/** How to run the program. */
export interface CliOptions {
  /** Home directory; the store is in `store` below it. */
  home: string;
  /** @default {the home directory} */
  cwd?: string;
  /** @default {nothing to read} */
  stdin?: string | Uint8Array<ArrayBuffer>;
  /** Over the known variables; undefined takes one away. */
  env?: Record<string, string | undefined>;
  /**
   * Starts a process: for signals, memory, locks, and programs that start this one again.
   * @default {for `record`}
   */
  process?: boolean;
  /** Ends the process when it is aborted. */
  signal?: AbortSignal;
  /** Columns of a terminal to print to, in this process. @default {no terminal} */
  columns?: number;
}

/** How the program ended. */
export interface CliResult {
  status: number;
  stdout: string;
  stderr: string;
}

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
const LOCK = fileURLToPath(new URL("../../deno.lock", import.meta.url));
const decoder = new TextDecoder();
/** The executable under test. */
const BINARY = Deno.env.get("REPRISE_BIN");
/** Read by the runtime itself, so that only a process can have another value. */
const OF_THE_PROCESS = ["TZ", "LC_ALL", "TMPDIR"];

// Times are shown in UTC, in this process as in those that are started.
if (Deno.env.get("TZ") !== "UTC") Deno.env.set("TZ", "UTC");
// It lasts as long as the process: before the first test, so that no test seems to leave it.
outliveFileSizeLimit();

/** Variables of the tests' own process that the program cannot do without. */
const PASSED_ON = [
  ...["PATH", "SystemRoot", "TEMP", "TMP"],
  // Where packages come from that are not in the cache yet.
  ...["DENO_TLS_CA_STORE", "NPM_CONFIG_REGISTRY", "HTTPS_PROXY", "NO_PROXY"],
];

function denoDirectory(): string {
  const { stdout } = new Deno.Command(Deno.execPath(), { args: ["info", "--json"] }).outputSync();
  return JSON.parse(decoder.decode(stdout)).denoDir;
}

let denoDir: string | undefined;

/** The whole environment of the program. */
export function cliEnvironment({ home, env = {} }: CliOptions): Record<string, string> {
  const known = {
    ...Object.fromEntries(PASSED_ON.map((name) => [name, Deno.env.get(name)])),
    DENO_DIR: denoDir ??= Deno.env.get("DENO_DIR") ?? denoDirectory(),
    DENO_NO_UPDATE_CHECK: "1",
    HOME: home,
    USERPROFILE: home,
    REPRISE_HOME: join(home, "store"),
    LOCALAPPDATA: Deno.build.os === "windows" ? join(home, "AppData", "Local") : undefined,
    TZ: "UTC",
    LC_ALL: "C.UTF-8",
    ...env,
  };
  const set = Object.entries(known).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  );
  return Object.fromEntries(set);
}

/** The words that start the program, as a shell's command line begins. */
export function cliCommand(): string[] {
  if (BINARY !== undefined) return [BINARY];
  const bundle = Deno.env.get("REPRISE_BUNDLE");
  const program = bundle === undefined
    ? [`--lock=${LOCK}`, "-A", MAIN]
    : ["--no-config", "--no-lock", "-A", bundle];
  return [Deno.execPath(), "run", "--quiet", ...program];
}

/** The program as a command, its streams piped; `before` are words such as those of a tracer. */
export function cliProcess(
  args: readonly string[],
  options: CliOptions,
  before: readonly string[] = [],
): Deno.Command {
  const [program = "", ...words] = [...before, ...cliCommand(), ...args];
  return new Deno.Command(program, {
    args: words,
    cwd: options.cwd ?? options.home,
    env: cliEnvironment(options),
    clearEnv: true,
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
}

/** Processes at a time: the cores are shared. */
const MOST_RUNNING = 4;
let running = 0;
const waiting: (() => void)[] = [];

/** Runs the program to its end, in a process of its own. */
async function runProcess(args: readonly string[], options: CliOptions): Promise<CliResult> {
  while (running >= MOST_RUNNING) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    const child = cliProcess(args, options).spawn();
    if (options.stdin !== undefined) await feed(child.stdin, options.stdin);
    const { code, stdout, stderr } = await child.output();
    return { status: code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  } finally {
    running--;
    waiting.shift()?.();
  }
}

/** An output: a terminal where it has columns. */
abstract class Output implements DataOutput {
  readonly terminal: boolean;
  readonly width: number;
  readonly height = Infinity;

  constructor(columns?: number) {
    this.terminal = columns !== undefined;
    this.width = columns ?? 80;
  }

  abstract write(text: string): void;
  abstract writeBytes(bytes: Uint8Array): void;

  sendBytes(bytes: Uint8Array): Promise<void> {
    return Promise.resolve(this.writeBytes(bytes));
  }
}

/** Collects output as text: a character may lie over the border of two writes. */
export class CollectedOutput extends Output {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #text = "";

  write(text: string): void {
    this.#text += text;
  }

  writeBytes(bytes: Uint8Array): void {
    this.#text += this.#decoder.decode(bytes, { stream: true });
  }

  end(): string {
    return this.#text + this.#decoder.decode();
  }
}

/** Output to read while the program runs. */
class PipedOutput extends Output {
  readonly #pipe = new TransformStream<Uint8Array<ArrayBuffer>>({}, {}, {
    highWaterMark: Infinity,
  });
  readonly #writer = this.#pipe.writable.getWriter();
  readonly readable: ReadableStream<Uint8Array<ArrayBuffer>> = this.#pipe.readable;

  write(text: string): void {
    this.writeBytes(new TextEncoder().encode(text));
  }

  writeBytes(bytes: Uint8Array): void {
    this.#writer.write(bytes.slice()).catch(() => {/* nobody reads it any more */});
  }

  async end(): Promise<void> {
    await this.#writer.close().catch(() => {/* nobody reads it any more */});
  }
}

/** The context of a command line in this process, without a terminal. */
export function contextHere(
  options: CliOptions,
  streams: Pick<Context, "stdin" | "stdout" | "stderr">,
): Context {
  const env = cliEnvironment(options);
  return {
    ...streams,
    cwd: options.cwd ?? options.home,
    variable: (name) => env[name],
    now: () => new Date(),
    stdin_terminal: false,
    version: configuration.version,
  };
}

/** Runs the program to its end in this process. */
export async function runHere(
  args: readonly string[],
  options: CliOptions,
): Promise<CliResult> {
  const { columns } = options;
  const [stdout, stderr] = [new CollectedOutput(columns), new CollectedOutput(columns)];
  const stdin = () => new Blob(options.stdin === undefined ? [] : [options.stdin]).stream();
  const status = await run(args, contextHere(options, { stdin, stdout, stderr }));
  return { status, stdout: stdout.end(), stderr: stderr.end() };
}

/** The program while it runs: a process, or in this one. */
export interface StartedCli extends Pick<Deno.ChildProcess, "pid" | "stdin" | "kill"> {
  stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  stderr: ReadableStream<Uint8Array<ArrayBuffer>>;
  status: Promise<{ code: number }>;
}

/** The signals of a program in this process: its listeners, which no signal of this process calls. */
const signals = new AsyncLocalStorage<EventEmitter>();
const { addSignalListener, removeSignalListener } = Deno;
Deno.addSignalListener = (signal, listener): void => {
  const program = signals.getStore();
  if (program === undefined) addSignalListener(signal, listener);
  else program.on(signal, listener);
};
Deno.removeSignalListener = (signal, listener): void => {
  const program = signals.getStore();
  if (program === undefined) removeSignalListener(signal, listener);
  else program.off(signal, listener);
};

/** Starts the program in this process, or as one of its own where the executable is under test. */
export function startHere(args: readonly string[], options: CliOptions): StartedCli {
  if (BINARY !== undefined) return cliProcess(args, { ...options, stdin: "" }).spawn();
  const input = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>();
  const [stdout, stderr] = [new PipedOutput(), new PipedOutput()];
  const program = new EventEmitter();
  let has_listened = false;
  program.once("newListener", () => has_listened = true);
  const end = async (): Promise<{ code: number }> => {
    const stdin = () => input.readable;
    const code = await run(args, contextHere(options, { stdin, stdout, stderr }));
    await Promise.all([stdout.end(), stderr.end()]);
    return { code };
  };
  return {
    pid: Deno.pid,
    stdin: input.writable,
    stdout: stdout.readable,
    stderr: stderr.readable,
    status: signals.run(program, end),
    kill(signal = "SIGTERM"): void {
      // A program that listens no longer is done: then no signal reaches it.
      if (program.emit(`${signal}`) || has_listened) return;
      throw new Error(`${signal} would end all of this process`);
    },
  };
}

/** True where the program cannot run in this process. */
function needsProcess(options: CliOptions): boolean {
  const { process = false, signal, env = {} } = options;
  return BINARY !== undefined || process || signal !== undefined ||
    OF_THE_PROCESS.some((name) => name in env);
}

/** Runs the program to its end. */
export function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  return needsProcess(options) ? runProcess(args, options) : runHere(args, options);
}

async function feed(
  stream: WritableStream<Uint8Array<ArrayBuffer>>,
  input: string | Uint8Array<ArrayBuffer>,
): Promise<void> {
  const bytes = typeof input === "string" ? new TextEncoder().encode(input) : input;
  try {
    await new Blob([bytes]).stream().pipeTo(stream);
  } catch (error) {
    // The program may end before it has read everything.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}

/** The objects of JSON Lines. */
export function jsonLines<Item = Record<string, unknown>>(text: string): Item[] {
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}

/** The compiled program. */
export const EXECUTABLE: Requirement = {
  what: "the executable",
  get: "deno task compile, then REPRISE_BIN=dist/reprise",
  met: BINARY !== undefined,
};
