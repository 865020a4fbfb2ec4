/**
 * Runs the user's own reader program, and yields what it prints. The program gets no shell and no
 * input. After a time limit, all processes of its group are killed.
 */
import { basename, isAbsolute } from "node:path";
import type { AgentName } from "../../core/event/agent_name.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { type ChildProcess, startProgram } from "../../core/platform/child_process.ts";
import { atEnd, notAtEnd } from "../../core/platform/end_tasks.ts";
import { operatingSystem } from "../../core/platform/runtime.ts";
import { shellCommand } from "../../core/platform/shell_word.ts";
import { sendSignal } from "../../core/platform/signals.ts";

export interface ReaderRun {
  agent: AgentName;
  /** The reader program and its configured arguments. The arguments in `asked` follow them. */
  argv: readonly string[];
  /** The request as arguments: `sessions`, or `events` and a session's id. */
  asked: readonly string[];
}

export interface ReaderLimits {
  /** Maximum total wait for the program's output and exit, in milliseconds. */
  wait_ms: number;
  bytes: number;
}

const MOST_BYTES = 256 * 1024 * 1024;

/** Returns a run's limits. `sessions` gets less time, because every listing waits for it. */
function limitsOf({ asked: [what] }: ReaderRun): ReaderLimits {
  return { wait_ms: what === "sessions" ? 10_000 : 60_000, bytes: MOST_BYTES };
}

/** Maximum bytes of standard error that are kept for the error message, from its end. */
const ERROR_BYTES = 4096;

/** Returns the error of a run. Its message has the command that reproduces the fault. */
export function readerError(
  { agent, argv, asked }: ReaderRun,
  reason: string,
  cause?: unknown,
): SessionError {
  const command = shellCommand([...argv, ...asked]);
  const message =
    `Cannot read sessions of ${agent}: ${reason}; to see what the reader program prints: ${command}`;
  return new SessionError("unsupported-source", message, {}, cause);
}

const LATE = Symbol("late");

export function isLate(error: unknown): boolean {
  return error instanceof SessionError && error.cause === LATE;
}

function lateError(run: ReaderRun, { wait_ms }: ReaderLimits): SessionError {
  const [program = ""] = run.argv;
  const time = `${basename(program)} took longer than ${wait_ms / 1000} seconds`;
  const advice = run.asked[0] === "sessions"
    ? "let the program read an index or the names of files; if the program itself starts " +
      "slowly (as a pyenv or nvm shim does), set the reader with the real program's path"
    : "let the program read only this session's data";
  return readerError(run, `${time}; ${advice}`, LATE);
}

function started(run: ReaderRun): ChildProcess {
  const [program = "", ...args] = run.argv;
  const setting = `agents.${run.agent}.reader`;
  if (program === "") {
    const message =
      `Cannot read sessions of ${run.agent}: other users can change your settings or their ` +
      "folder, so Reprise does not start the reader program; see: reprise doctor";
    throw new SessionError("unsafe-store", message);
  }
  if (!isAbsolute(program)) {
    const message = `Cannot read sessions of ${run.agent}: the setting ${setting} is not an ` +
      `absolute path; set it again: reprise config set ${setting} PROGRAM`;
    throw new SessionError("invalid-config", message);
  }
  try {
    return startProgram(program, {
      args: [...args, ...run.asked],
      // In a project's directory, an interpreter might load files of the project.
      cwd: "/",
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      detached: true,
    });
  } catch (error) {
    const message = `Cannot read sessions of ${run.agent}: its reader program ${program} does ` +
      `not start (${(error as Error).message}); to choose another program: reprise config set ` +
      `${setting} PROGRAM`;
    throw new SessionError("not-found", message, { path: program }, error);
  }
}

function kill(child: ChildProcess): void {
  try {
    sendSignal(operatingSystem === "windows" ? child.pid : -child.pid, "SIGKILL");
  } catch {
    try {
      child.kill("SIGKILL");
    } catch {
      // The program has already ended.
    }
  }
}

/** Reads a stream to its end. `text` resolves to the last line, cut to 300 characters. */
function lastLine(stream: ReadableStream<Uint8Array>): { text: Promise<string>; end(): unknown } {
  const reader = stream.getReader();
  const read = async (): Promise<string> => {
    const decoder = new TextDecoder();
    let text = "";
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return text.trim().split("\n").at(-1)?.trim().slice(0, 300) ?? "";
      text = (text + decoder.decode(value, { stream: true })).slice(-ERROR_BYTES);
    }
  };
  return { text: read().catch(() => ""), end: () => reader.cancel().catch(() => {}) };
}

/**
 * Yields a reader program's standard output.
 *
 * @throws {SessionError} From the iterator: `not-found`, `invalid-config`, `unsafe-store`,
 * `unsupported-source`. Or the signal's reason.
 */
export async function* readerOutput(
  run: ReaderRun,
  { signal, limits = limitsOf(run) }: { signal?: AbortSignal | undefined; limits?: ReaderLimits } =
    {},
): AsyncGenerator<Uint8Array> {
  signal?.throwIfAborted();
  const child = started(run);
  const name = basename(run.argv[0] ?? "");
  const end = (): void => kill(child);
  const stopped = Promise.withResolvers<never>();
  stopped.promise.catch(() => {});
  const stop = (error: unknown): void => {
    end();
    stopped.reject(error);
  };
  const abort = (): void => stop(signal?.reason);
  signal?.addEventListener("abort", abort);
  atEnd(end);
  const errors = lastLine(child.stderr);
  const output = child.stdout.getReader();
  let left = limits.wait_ms;
  /** Waits for a promise, but no longer than the run's remaining time. */
  const patiently = async <Value>(promise: Promise<Value>): Promise<Value> => {
    const since = performance.now();
    const late = (): void => stop(lateError(run, limits));
    const timer = setTimeout(late, Math.max(left, 1));
    try {
      return await Promise.race([promise, stopped.promise]);
    } finally {
      clearTimeout(timer);
      left -= performance.now() - since;
    }
  };
  try {
    let bytes = 0;
    for (;;) {
      const { done, value } = await patiently(output.read());
      if (done) break;
      bytes += value.length;
      if (bytes > limits.bytes) {
        throw readerError(run, `${name} printed more than ${limits.bytes} bytes`);
      }
      yield value;
    }
    const { code, signal: killed } = await patiently(child.status);
    if (code === 0) return;
    const said = await patiently(errors.text);
    const how = killed === null ? `ended with status ${code}` : `was ended by ${killed}`;
    throw readerError(run, `${name} ${how}${said === "" ? "" : `: ${said}`}`);
  } finally {
    end();
    notAtEnd(end);
    signal?.removeEventListener("abort", abort);
    await Promise.all([output.cancel().catch(() => {}), errors.end(), child.status]);
  }
}
