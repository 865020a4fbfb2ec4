/** Tells if a process runs or was stopped, and when it began. */
import { startProgram } from "./child_process.ts";
import { openSync } from "./files.ts";
import { builtin, nodeProcess, operatingSystem } from "./runtime.ts";
import { isForbiddenByRuntime, isPermissionDenied } from "./system_error.ts";

/** Returns the state of a process; undefined if it is unknown. */
export async function processState(pid: number): Promise<"running" | "stopped" | undefined> {
  if (operatingSystem === "windows") return runsAtAll(pid);
  const letter = operatingSystem === "linux" ? statFields(pid)?.[0] : await fieldOfPs(pid, "state");
  // A zombie has ended, and its parent has not asked for its status yet.
  if (letter === undefined || letter === "Z" || letter === "X") return undefined;
  return letter.startsWith("T") ? "stopped" : "running";
}

/** Tells if a process runs, on any system; undefined if it is unknown. */
export function runsAtAll(pid: number): "running" | undefined {
  return answersSignal(pid, isPermissionDenied) ? "running" : undefined;
}

/** True unless it is certain that a process has ended. */
export function mayRun(pid: number): boolean {
  return answersSignal(pid, (error) => isPermissionDenied(error) || isForbiddenByRuntime(error));
}

/** Sends the signal 0, which reaches only a running process; one of another user refuses it. */
function answersSignal(pid: number, does_run: (error: unknown) => boolean): boolean {
  try {
    nodeProcess.kill(pid, 0);
    return true;
  } catch (error) {
    return does_run(error);
  }
}

/** More than any version of Linux writes into `/proc/<pid>/stat`; longer files are cut. */
const MOST_BYTES = 4096;

const decoder = new TextDecoder();

/** Reads the beginning of a file in `/proc` at once; undefined where it is gone. */
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

/** Asks `ps` for a field of a process; undefined where it has ended. */
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

/** A process as described by a file that it left. */
export interface NotedProcess {
  pid: number;
  /** Start of the process, as {@linkcode processStart} returned it. */
  start?: string;
  /** A time at which the process was running, in milliseconds since 1970. */
  seen?: number;
}

/**
 * True while a noted process runs. After its end another process may get its number: that one began
 * at another time. False where the system does not tell if a process runs.
 */
export async function isRunning({ pid, start, seen }: NotedProcess): Promise<boolean> {
  if (await processState(pid) === undefined) return false;
  const began = processStart(pid);
  if (began === undefined) return true;
  if (start !== undefined) return start === began;
  return seen === undefined || startTime(began) <= seen + CLOCK_STEP_MS;
}

/** Ticks per second in `/proc`, whatever the kernel's own. */
const TICKS = 100;
/** Tolerated error: the clock may have been set since. */
const CLOCK_STEP_MS = 5000;

/** Returns when the machine was started, in milliseconds since 1970; a second may be missing. */
export function bootTime(): number {
  return Date.now() - builtin("node:os").uptime() * 1000;
}

/** Returns the milliseconds since 1970 of a start, as {@linkcode processStart} returned it. */
export function startTime(ticks: string): number {
  return bootTime() + Number(ticks) / TICKS * 1000;
}

/** The place of a process's start among its fields. */
const START_FIELD = 22 - 3;

/**
 * Returns when a process began, in the system's own unit: two with one number never have the same.
 * Undefined where the system does not tell, or the process has ended.
 */
export function processStart(pid: number): string | undefined {
  return operatingSystem === "linux" ? statFields(pid)?.[START_FIELD] : undefined;
}
