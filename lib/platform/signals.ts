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

/** Sends a signal to a process; to a group, by a negative number. */
export function sendSignal(pid: number, signal: Signal): void {
  if (isDeno) Deno.kill(pid, signal);
  else nodeProcess.kill(pid, signal);
}

/** Calls listeners at their signals: on Windows at SIGINT alone. Returns a function that ends it. */
export function onSignals(listeners: Partial<Record<Signal, () => void>>): () => void {
  const known = (Object.entries(listeners) as [Signal, () => void][])
    .filter(([name]) => operatingSystem !== "windows" || name === "SIGINT");
  for (const [name, listener] of known) {
    if (isDeno) Deno.addSignalListener(name, listener);
    else nodeProcess.on(name, listener);
  }
  return () => {
    for (const [name, listener] of known) {
      if (isDeno) Deno.removeSignalListener(name, listener);
      else nodeProcess.off(name, listener);
    }
  };
}
