/**
 * The real program in a world of its own: a temporary home and store, known variables and nothing
 * else. `$REPRISE_BIN` names an executable to test in place of `main.ts`.
 */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { NewEvent } from "../../lib/event/envelope.ts";
import { folderName } from "../../lib/session/session_id.ts";
import { LOG_FILE } from "../../lib/session/session_folder.ts";
import { namespaceOf } from "../../lib/workspace/namespace.ts";
import { logOf } from "./log_bytes.ts";

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
}

/** How the program ended. */
export interface CliResult {
  status: number;
  stdout: string;
  stderr: string;
}

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));
const decoder = new TextDecoder();

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
    DENO_DIR: denoDir ??= denoDirectory(),
    DENO_NO_UPDATE_CHECK: "1",
    HOME: home,
    USERPROFILE: home,
    REPRISE_HOME: join(home, "store"),
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
  const binary = Deno.env.get("REPRISE_BIN");
  return binary === undefined ? [Deno.execPath(), "run", "--quiet", "-A", MAIN] : [binary];
}

function command(args: readonly string[], options: CliOptions): Deno.Command {
  const [program = "", ...before] = cliCommand();
  return new Deno.Command(program, {
    args: [...before, ...args],
    cwd: options.cwd ?? options.home,
    env: cliEnvironment(options),
    clearEnv: true,
    stdin: options.stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  });
}

/** Processes at a time: the cores are shared. */
const MOST_RUNNING = 4;
let running = 0;
const waiting: (() => void)[] = [];

/** Runs the program to its end. */
export async function runCli(args: readonly string[], options: CliOptions): Promise<CliResult> {
  while (running >= MOST_RUNNING) await new Promise<void>((resolve) => waiting.push(resolve));
  running++;
  try {
    const child = command(args, options).spawn();
    if (options.stdin !== undefined) await feed(child.stdin, options.stdin);
    const { code, stdout, stderr } = await child.output();
    return { status: code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  } finally {
    running--;
    waiting.shift()?.();
  }
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

/** The program while it runs, to talk with. */
export class RunningCli {
  readonly #child: Deno.ChildProcess;
  readonly #input: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>;
  readonly #lines: AsyncIterator<string>;
  readonly #stderr: Promise<string>;

  constructor(args: readonly string[], options: Omit<CliOptions, "stdin">) {
    this.#child = command(args, { ...options, stdin: "" }).spawn();
    this.#input = this.#child.stdin.getWriter();
    this.#lines = linesOf(this.#child.stdout);
    this.#stderr = new Response(this.#child.stderr).text();
  }

  async write(text: string): Promise<void> {
    await this.#input.write(new TextEncoder().encode(text));
  }

  async endInput(): Promise<void> {
    await this.#input.close();
  }

  /** The next line on stdout; undefined at its end. */
  async line(): Promise<string | undefined> {
    const { value, done } = await this.#lines.next();
    return done ? undefined : value;
  }

  /** Waits for a line on stdout that has `text`. */
  async until(text: string): Promise<string> {
    for (let line = await this.line(); line !== undefined; line = await this.line()) {
      if (line.includes(text)) return line;
    }
    throw new Error(`The program ended without writing: ${text}\n${await this.#stderr}`);
  }

  kill(signal: Deno.Signal): void {
    this.#child.kill(signal);
  }

  /** Waits for the end. The input stays as it is: open, unless it was ended. */
  async end(): Promise<CliResult> {
    const rest: string[] = [];
    for (let line = await this.line(); line !== undefined; line = await this.line()) {
      rest.push(line + "\n");
    }
    const { code } = await this.#child.status;
    const stderr = await this.#stderr;
    await this.#input.close().catch(() => {/* closed, or nobody reads it any more */});
    return { status: code, stdout: rest.join(""), stderr };
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}

/** How a session was kept. */
export interface KeepOptions {
  /** @default {the home's `work` folder} */
  cwd?: string;
  /** @default {20261121T202153123Z, and a second more for each session before it} */
  created?: Date;
  title?: string;
  /** The log's bytes, in place of events. */
  bytes?: Uint8Array;
}

/** A session that was put into a store. */
export interface KeptSession {
  id: string;
  path: string;
  directory: string;
}

/** A temporary home with a store and a working directory; removed at the end. */
export class CliHome implements AsyncDisposable {
  /** Real path of the home directory. */
  readonly path: string;
  readonly store: string;
  readonly work: string;
  #kept = 0;

  constructor() {
    this.path = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "reprise-cli-" }));
    this.store = join(this.path, "store");
    this.work = join(this.path, "work");
    Deno.mkdirSync(this.work);
  }

  /** Runs the program in the working directory. */
  run(args: readonly string[], options: Omit<CliOptions, "home"> = {}): Promise<CliResult> {
    return runCli(args, { home: this.path, cwd: this.work, ...options });
  }

  /** Runs several command lines side by side; gives the results in their order. */
  runAll(
    lines: readonly (readonly string[])[],
    options: Omit<CliOptions, "home"> = {},
  ): Promise<CliResult[]> {
    return Promise.all(lines.map((args) => this.run(args, options)));
  }

  start(args: readonly string[], options: Omit<CliOptions, "home" | "stdin"> = {}): RunningCli {
    return new RunningCli(args, { home: this.path, cwd: this.work, ...options });
  }

  /** Puts a session into the store: its header, then `events`, a second apart. */
  keep(id: string, events: readonly NewEvent[], options: KeepOptions = {}): KeptSession {
    const { cwd = this.work, title } = options;
    const created = options.created ?? new Date(Date.UTC(2026, 10, 21, 20, 21, 53 + this.#kept++));
    const directory = join(
      this.store,
      "sessions",
      namespaceOf(cwd),
      folderName(created, id),
    );
    Deno.mkdirSync(directory, { recursive: true, mode: 0o700 });
    const path = join(directory, LOG_FILE);
    const payload = { session_id: id, created_at: created.toISOString(), cwd };
    const header: NewEvent = {
      kind: "session_started",
      time: created.toISOString(),
      payload: title === undefined ? payload : { ...payload, title },
    };
    const timed = events.map((event, index): NewEvent => ({
      time: new Date(created.getTime() + 1000 * (index + 1)).toISOString(),
      ...event,
    }));
    Deno.writeFileSync(path, options.bytes ?? logOf([header, ...timed]), { mode: 0o600 });
    return { id, path, directory };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path, { recursive: true });
  }
}

/** A session id that begins with `prefix`. */
export function sessionId(prefix: string): string {
  const whole = "00000000-0000-4000-8000-000000000000";
  return prefix + whole.slice(prefix.length);
}

/** The objects of JSON Lines. */
export function jsonLines<Item = Record<string, unknown>>(text: string): Item[] {
  return text.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
}
