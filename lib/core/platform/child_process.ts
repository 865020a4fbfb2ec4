/** Starts other programs. */
import type { ChildProcess as NodeChild, StdioOptions } from "node:child_process";
import { batchArguments, isBatchFile } from "./batch_file.ts";
import { builtin, isDeno, nodeProcess, operatingSystem } from "./runtime.ts";
import { notFound } from "./system_error.ts";

/**
 * Starts a program.
 *
 * @throws The system's error, for example if the program does not exist.
 */
export function startProgram(program: string, options: StartOptions): ChildProcess {
  const raw = operatingSystem === "windows" && isBatchFile(program);
  const [name, all] = raw
    ? ["cmd.exe", { ...options, args: batchArguments(program, options.args) }] as const
    : [program, options] as const;
  return isDeno
    ? new Deno.Command(name, { ...all, windowsRawArguments: raw }).spawn()
    : startUnderNode(name, all, raw);
}

export interface StartOptions {
  args: string[];
  cwd?: string;
  /** Variables that are added to the environment. With `clearEnv`, they replace the environment. */
  env?: Record<string, string>;
  clearEnv?: boolean;
  stdin: "piped" | "inherit" | "null";
  stdout: "piped" | "inherit" | "null";
  stderr: "piped" | "inherit" | "null";
  detached?: boolean;
}

export interface ExitOfChild {
  code: number;
  signal: string | null;
}

export interface ChildProcess {
  readonly pid: number;
  readonly status: Promise<ExitOfChild>;
  /** Ends the process, but not its children. No privilege is needed. */
  kill(signal: "SIGKILL"): void;
  /** The program's standard input. Usable only if the program was started with it `piped`. */
  readonly stdin: WritableStream<Uint8Array<ArrayBufferLike>>;
  readonly stdout: ReadableStream<Uint8Array<ArrayBuffer>>;
  /** The program's standard error. Readable only if the program was started with it `piped`. */
  readonly stderr: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** A shell's exit code for a process that a signal ended is 128 plus the signal's number. */
const KILLED = 128;

function stdioOf({ stdin, stdout, stderr }: StartOptions): StdioOptions {
  const names = { piped: "pipe", null: "ignore", inherit: "inherit" } as const;
  return [names[stdin], names[stdout], names[stderr]];
}

function statusOf(child: NodeChild): Promise<ExitOfChild> {
  const { signals } = builtin("node:os").constants;
  return new Promise((resolve) => {
    child.once("exit", (code, signal) => {
      const number = signal === null ? 0 : signals[signal];
      resolve({ code: code ?? KILLED + number, signal });
    });
  });
}

function startUnderNode(program: string, options: StartOptions, raw: boolean): ChildProcess {
  const { args, cwd, env = {}, clearEnv = false, detached = false } = options;
  const child = builtin("node:child_process").spawn(program, args, {
    cwd,
    env: clearEnv ? env : { ...nodeProcess.env, ...env },
    stdio: stdioOf(options),
    detached,
    windowsHide: true,
    windowsVerbatimArguments: raw,
  });
  // Without a listener, the error that comes later would end the process.
  child.on("error", () => {});
  if (child.pid === undefined) throw notFound(`No such program: ${program}`);
  const { Readable, Writable } = builtin("node:stream");
  return {
    pid: child.pid,
    status: statusOf(child),
    kill: (signal) => void child.kill(signal),
    get stdin(): ChildProcess["stdin"] {
      return Writable.toWeb(child.stdin!) as ChildProcess["stdin"];
    },
    get stdout(): ChildProcess["stdout"] {
      return Readable.toWeb(child.stdout!) as unknown as ChildProcess["stdout"];
    },
    get stderr(): ChildProcess["stderr"] {
      return Readable.toWeb(child.stderr!) as unknown as ChildProcess["stderr"];
    },
  };
}
