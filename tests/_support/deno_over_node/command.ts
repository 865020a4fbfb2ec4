/** Starts programs as `Deno.Command` does. Those of the tests' own run on this runtime, bundled. */
import { Buffer } from "node:buffer";
import { type ChildProcess, spawn, spawnSync, type StdioOptions } from "node:child_process";
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { Readable, Writable } from "node:stream";

type Stream = "piped" | "null" | "inherit";

interface CommandOptions {
  args?: string[];
  cwd?: string;
  env?: Record<string, string>;
  clearEnv?: boolean;
  stdin?: Stream;
  stdout?: Stream;
  stderr?: Stream;
}

interface Ended {
  success: boolean;
  code: number;
  signal: string | null;
}

interface Output extends Ended {
  stdout: Uint8Array;
  stderr: Uint8Array;
}

/** Exit code that a shell gives for a signal that is not named here. */
const KILLED = 128;
const NUMBERS: Record<string, number> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

function ended(code: number | null, signal: string | null): Ended {
  const status = code ?? KILLED + (NUMBERS[signal ?? ""] ?? 0);
  return { success: status === 0, code: status, signal };
}

/** A command line in which `deno run … program.ts` is the program's bundle under this runtime. */
function onThisRuntime(line: readonly string[]): string[] {
  const at = line.findIndex((word, index) =>
    word === process.execPath && line[index + 1] === "run"
  );
  if (at === -1) return [...line];
  const script = line.findIndex((word, index) => index > at && word.endsWith(".ts"));
  const name = basename(line[script] ?? "", ".ts");
  const bundle = join(dirname(process.argv[1] ?? ""), `${name}.mjs`);
  if (!existsSync(bundle)) throw new Error(`Program is not bundled: ${line[script]}`);
  return [...line.slice(0, at + 1), bundle, ...line.slice(script + 1)];
}

const NAMES = { piped: "pipe", null: "ignore", inherit: "inherit" } as const;

function stdio(streams: readonly Stream[]): StdioOptions {
  return streams.map((stream) => NAMES[stream]);
}

/** A program that runs. */
class Running {
  readonly #child: ChildProcess;
  readonly status: Promise<Ended>;

  constructor(child: ChildProcess) {
    this.#child = child;
    this.status = new Promise((resolve, reject) => {
      child.once("exit", (code, signal) => resolve(ended(code, signal)));
      child.once("error", reject);
    });
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get stdin(): unknown {
    return Writable.toWeb(this.#child.stdin!);
  }

  get stdout(): unknown {
    return Readable.toWeb(this.#child.stdout!);
  }

  get stderr(): unknown {
    return Readable.toWeb(this.#child.stderr!);
  }

  kill(signal: NodeJS.Signals = "SIGTERM"): void {
    if (!this.#child.kill(signal)) throw new TypeError("Child process has already terminated");
  }

  async output(): Promise<Output> {
    const all = async (stream: Readable | null): Promise<Uint8Array> =>
      new Uint8Array(Buffer.concat(stream === null ? [] : await stream.toArray()));
    const { stdout, stderr } = this.#child;
    const [out, err, status] = await Promise.all([all(stdout), all(stderr), this.status]);
    return { ...status, stdout: out, stderr: err };
  }
}

/** The part of `Deno.Command` that tests use. */
export class Command {
  readonly #program: string;
  readonly #args: string[];
  readonly #options: CommandOptions;

  constructor(program: string, options: CommandOptions = {}) {
    const [first = "", ...args] = onThisRuntime([program, ...options.args ?? []]);
    this.#program = first;
    this.#args = args;
    this.#options = options;
  }

  get #system(): { cwd?: string; env: Record<string, string | undefined> } {
    const { cwd, env = {}, clearEnv = false } = this.#options;
    return { env: clearEnv ? env : { ...process.env, ...env }, ...(cwd ? { cwd } : {}) };
  }

  spawn(): Running {
    const { stdin = "inherit", stdout = "inherit", stderr = "inherit" } = this.#options;
    const streams = stdio([stdin, stdout, stderr]);
    return new Running(spawn(this.#program, this.#args, { ...this.#system, stdio: streams }));
  }

  output(): Promise<Output> {
    const { stdin = "null", stdout = "piped", stderr = "piped" } = this.#options;
    const streams = stdio([stdin, stdout, stderr]);
    return new Running(spawn(this.#program, this.#args, { ...this.#system, stdio: streams }))
      .output();
  }

  outputSync(): Output {
    const { stdin = "null", stdout = "piped", stderr = "piped" } = this.#options;
    const streams = stdio([stdin, stdout, stderr]);
    const ran = spawnSync(this.#program, this.#args, { ...this.#system, stdio: streams });
    if (ran.error !== undefined) throw ran.error;
    const { status, signal, stdout: out, stderr: err } = ran;
    return { ...ended(status, signal), stdout: new Uint8Array(out), stderr: new Uint8Array(err) };
  }
}
