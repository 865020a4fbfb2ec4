/**
 * Runs another program in this terminal while this process waits. The program gets the keys, and
 * the signals that keys send. Both are in one process group, so the terminal itself stops,
 * continues and interrupts both.
 */
import { type ChildProcess, type ExitOfChild, startProgram } from "./child_process.ts";
import { unrefTimer } from "./pause.ts";
import { processId } from "./process.ts";
import { processState } from "./process_state.ts";
import { operatingSystem } from "./runtime.ts";
import { onSignals, sendSignal, type Signal } from "./signals.ts";

export interface ForegroundOptions {
  args: string[];
  cwd: string;
  env?: Record<string, string>;
}

/** Signals that end a process without a core dump. */
const ENDING: ReadonlySet<string> = new Set(["SIGHUP", "SIGINT", "SIGKILL", "SIGTERM"]);
/**
 * Milliseconds between two checks whether the program stopped itself. A stop by a key needs no
 * check.
 */
const LOOK_MS = operatingSystem === "linux" ? 250 : 2000;
/** Milliseconds to wait for this process to end by the signal that it sends to itself. */
const PATIENCE_MS = 1000;

/**
 * Runs a program to its end, with this process's input and output.
 *
 * @param program An absolute path.
 * @throws The system's error, for example if the file is not a program.
 */
export async function runInForeground(
  program: string,
  options: ForegroundOptions,
): Promise<ExitOfChild> {
  let child: ChildProcess | undefined;
  // Listen before the start: a signal just after the start would end this process alone.
  const release = passSignals((signal) => child && send(child.pid, signal));
  let stopLooking = (): void => {};
  try {
    child = startProgram(program, {
      ...options,
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
    });
    stopLooking = stopWithChild(child.pid);
    return await child.status;
  } finally {
    stopLooking();
    release();
  }
}

function passSignals(pass: (signal: Signal) => void): () => void {
  return onSignals({
    // A key signals the whole group: the program decides what it does.
    SIGINT: () => {},
    SIGQUIT: () => {},
    // These signals come to this process alone.
    SIGTERM: () => pass("SIGTERM"),
    SIGHUP: () => pass("SIGHUP"),
  });
}

function send(pid: number, signal: Signal): void {
  try {
    sendSignal(pid, signal);
  } catch {
    // The process has just ended.
  }
}

/**
 * Stops this process when the program stopped only itself, as Claude Code does at ^Z. Otherwise the
 * shell would wait for this process and never get the terminal back.
 */
function stopWithChild(pid: number): () => void {
  if (operatingSystem === "windows") return () => {};
  let timer: ReturnType<typeof setTimeout>;
  let ended = false;
  const look = async (): Promise<void> => {
    if (await processState(pid) === "stopped" && !ended) {
      send(processId(), "SIGTSTP");
      // Continuing this process continues the child, too.
      send(pid, "SIGCONT");
    }
    if (!ended) later();
  };
  const later = (): void => {
    timer = setTimeout(look, LOOK_MS);
    unrefTimer(timer);
  };
  later();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

/**
 * Ends this process by the signal that ended a program, so that its caller sees the same signal.
 */
export async function endAs({ signal }: ExitOfChild): Promise<void> {
  if (signal === null || !ENDING.has(signal) || operatingSystem === "windows") return;
  send(processId(), signal as Signal);
  await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
}
