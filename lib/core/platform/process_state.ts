/** Tells if a process runs or was stopped, and when it began. Undefined for an ended process. */
import { startProgram } from "./child_process.ts";
import { openSync } from "./files.ts";
import { builtin, nodeProcess, operatingSystem } from "./runtime.ts";
import { isForbiddenByRuntime, isPermissionDenied } from "./system_error.ts";

export async function processState(pid: number): Promise<"running" | "stopped" | undefined> {
  if (operatingSystem === "windows") return runsAtAll(pid);
  const letter = operatingSystem === "linux" ? statFields(pid)?.[0] : await fieldOfPs(pid, "state");
  // A zombie has ended, and its parent has not asked for its status yet.
  if (letter === undefined || letter === "Z" || letter === "X") return undefined;
  return letter.startsWith("T") ? "stopped" : "running";
}

/** Returns `running` if a process certainly runs, on any system, else undefined. */
export function runsAtAll(pid: number): "running" | undefined {
  return answersSignal(pid, isPermissionDenied) ? "running" : undefined;
}

/** True unless the process has certainly ended. */
export function mayRun(pid: number): boolean {
  return answersSignal(pid, (error) => isPermissionDenied(error) || isForbiddenByRuntime(error));
}

/** Sends signal 0, which succeeds only for a running process. On failure, `does_run` decides. */
function answersSignal(pid: number, does_run: (error: unknown) => boolean): boolean {
  try {
    nodeProcess.kill(pid, 0);
    return true;
  } catch (error) {
    return does_run(error);
  }
}

/** Maximum bytes to read of a file in `/proc`. `/proc/<pid>/stat` is always shorter. */
const MOST_BYTES = 4096;

const decoder = new TextDecoder();

/** Reads the beginning of a file in `/proc` at once. Undefined if the file is gone. */
export function procText(path: string): string | undefined {
  try {
    using file = openSync(`/proc/${path}`, { read: true });
    const bytes = new Uint8Array(MOST_BYTES);
    return decoder.decode(bytes.subarray(0, file.readSync(bytes) ?? 0));
  } catch {
    // It has ended, or /proc is not there.
    return undefined;
  }
}

/** Returns the fields of `/proc/<pid>/stat` from the third one on: the state, the parent … */
export function statFields(pid: number): string[] | undefined {
  const text = procText(`${pid}/stat`);
  // A program's name stands in parentheses before them, and may hold any character.
  return text?.slice(text.lastIndexOf(")") + 2).split(" ");
}

export async function fieldOfPs(pid: number, name: string): Promise<string | undefined> {
  try {
    const options = { stdin: "null", stdout: "piped", stderr: "null" } as const;
    const ps = startProgram("/bin/ps", { args: ["-o", `${name}=`, "-p", `${pid}`], ...options });
    const text = await new Response(ps.stdout).text();
    await ps.status;
    return text.trim() || undefined;
  } catch {
    // No such program here.
    return undefined;
  }
}

/** Facts about a process, from a file that the process wrote. */
export interface NotedProcess {
  pid: number;
  /** Start of the process, in the form of {@linkcode processStart}. */
  start?: string;
  /** A time at which the process was running, in milliseconds since 1970. */
  seen?: number;
}

/**
 * True while a noted process runs. A later process with the same id has another start, and does not
 * count. False if the system does not tell whether a process runs.
 */
export async function isRunning({ pid, start, seen }: NotedProcess): Promise<boolean> {
  if (await processState(pid) === undefined) return false;
  const began = processStart(pid);
  if (began === undefined) return true;
  if (start !== undefined) return start === began;
  return seen === undefined || startTime(began) <= seen + CLOCK_STEP_MS;
}

/** Ticks per second in `/proc`, independent of the kernel's own rate. */
const TICKS = 100;
/** Milliseconds by which times may differ, because the clock may have been set. */
const CLOCK_STEP_MS = 5000;

/** Returns when the machine was started, in milliseconds since 1970, exact to a second. */
export function bootTime(): number {
  return Date.now() - builtin("node:os").uptime() * 1000;
}

/** Converts a start from {@linkcode processStart} to milliseconds since 1970. */
export function startTime(ticks: string): number {
  return bootTime() + Number(ticks) / TICKS * 1000;
}

const START_FIELD = 22 - 3;

/**
 * Returns the start of a process in the system's unit. Two processes with the same id never have
 * the same start. Undefined if the system does not tell, or if the process has ended.
 */
export function processStart(pid: number): string | undefined {
  return operatingSystem === "linux" ? statFields(pid)?.[START_FIELD] : undefined;
}
