/** Signals that the process gets and sends. */
import { isDeno, nodeProcess } from "./runtime.ts";

/** A signal that the program names. */
export type Signal =
  | "SIGCONT"
  | "SIGHUP"
  | "SIGINT"
  | "SIGKILL"
  | "SIGQUIT"
  | "SIGTERM"
  | "SIGTSTP"
  | "SIGWINCH"
  | "SIGXFSZ";

/** Calls the listener at each such signal, instead of what the system would do. */
export function addSignalListener(signal: Signal, listener: () => void): void {
  if (isDeno) Deno.addSignalListener(signal, listener);
  else nodeProcess.on(signal, listener);
}

/** Stops calling the listener. */
export function removeSignalListener(signal: Signal, listener: () => void): void {
  if (isDeno) Deno.removeSignalListener(signal, listener);
  else nodeProcess.off(signal, listener);
}

/** Sends a signal to a process; to a group, by a negative number. */
export function sendSignal(pid: number, signal: Signal): void {
  if (isDeno) Deno.kill(pid, signal);
  else nodeProcess.kill(pid, signal);
}
