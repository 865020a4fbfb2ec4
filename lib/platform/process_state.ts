/** Tells if a process runs or was stopped, and when it began. */
import { startProgram } from "./child_process.ts";
import { readFile } from "./files.ts";
import { nodeProcess, operatingSystem } from "./runtime.ts";
import { isForbiddenByRuntime, isPermissionDenied } from "./system_error.ts";

/** Returns the state of a process; undefined if it is unknown. */
export async function processState(pid: number): Promise<"running" | "stopped" | undefined> {
  if (operatingSystem === "windows") return runsAtAll(pid);
  const letter = operatingSystem === "linux" ? await stateInProc(pid) : await stateOfPs(pid);
  // A zombie has ended, and its parent has not asked for its status yet.
  if (letter === undefined || letter === "Z" || letter === "X") return undefined;
  return letter === "T" ? "stopped" : "running";
}

/** Tells if a process runs, on any system; undefined if it is unknown. */
export function runsAtAll(pid: number): "running" | undefined {
  return answersSignal(pid, isPermissionDenied) ? "running" : undefined;
}

/** True unless it is certain that a process has ended. */
export function mayRun(pid: number): boolean {
  return answersSignal(pid, (error) => isPermissionDenied(error) || isForbiddenByRuntime(error));
}

/** Sends the signal 0, which reaches only a process that runs; another user's refuses it. */
function answersSignal(pid: number, does_run: (error: unknown) => boolean): boolean {
  try {
    nodeProcess.kill(pid, 0);
    return true;
  } catch (error) {
    return does_run(error);
  }
}

async function stateInProc(pid: number): Promise<string | undefined> {
  try {
    const text = new TextDecoder().decode(await readFile(`/proc/${pid}/stat`));
    // A program's name stands in parentheses before it, and may hold any character.
    return text.at(text.lastIndexOf(")") + 2);
  } catch {
    // It has ended, or /proc is not there.
    return undefined;
  }
}

async function stateOfPs(pid: number): Promise<string | undefined> {
  try {
    const options = { stdin: "null", stdout: "piped", stderr: "null" } as const;
    const ps = startProgram("/bin/ps", { args: ["-o", "state=", "-p", `${pid}`], ...options });
    const text = await new Response(ps.stdout).text();
    await ps.status;
    return text.trim().at(0);
  } catch {
    // No such program here.
    return undefined;
  }
}

/** A process as a file that it left describes it. */
export interface NotedProcess {
  pid: number;
  /** Start of the process, as {@linkcode processStart} returned it. */
  start?: string;
  /** Milliseconds since 1970: a time at which it was running. */
  seen?: number;
}

/**
 * True while a noted process runs. After its end another process may get its number: that one began
 * at another time. False where the system does not tell if a process runs.
 */
export async function isRunning({ pid, start, seen }: NotedProcess): Promise<boolean> {
  if (await processState(pid) === undefined) return false;
  const began = await processStart(pid);
  if (began === undefined) return true;
  if (start !== undefined) return start === began;
  return seen === undefined || await startTime(began) <= seen + CLOCK_STEP_MS;
}

/** Ticks of a second in `/proc`, whatever the kernel's own. */
const TICKS = 100;
/** The clock may have been set since. */
const CLOCK_STEP_MS = 5000;

/** Returns the milliseconds since 1970 of a start, as {@linkcode processStart} returned it. */
export async function startTime(ticks: string): Promise<number> {
  const text = new TextDecoder().decode(await readFile("/proc/stat"));
  const booted = Number(/^btime (\d+)$/m.exec(text)?.[1]);
  return (booted + Number(ticks) / TICKS) * 1000;
}

/** Behind the name of a program: the state is the third field of `/proc/<pid>/stat`, this the 22nd. */
const START_FIELD = 22 - 3;

/**
 * Returns when a process began, in the system's own unit: two with one number never have the same.
 * Undefined where the system does not tell, or the process has ended.
 */
export async function processStart(pid: number): Promise<string | undefined> {
  if (operatingSystem !== "linux") return undefined;
  try {
    const text = new TextDecoder().decode(await readFile(`/proc/${pid}/stat`));
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[START_FIELD];
  } catch {
    // It has ended, or /proc is not there.
    return undefined;
  }
}
