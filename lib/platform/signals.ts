/** Signals that the process gets and sends. */
import { isDeno, nodeProcess, operatingSystem } from "./runtime.ts";

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

/** Calls listeners at their signals: on Windows at SIGINT alone. Returns a function that ends it. */
export function onSignals(listeners: Partial<Record<Signal, () => void>>): () => void {
  const named = Object.entries(listeners) as [Signal, () => void][];
  const known = named.filter(([name]) => operatingSystem !== "windows" || name === "SIGINT");
  for (const [name, listener] of known) addSignalListener(name, listener);
  return () => {
    for (const [name, listener] of known) removeSignalListener(name, listener);
  };
}
