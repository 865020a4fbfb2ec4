/** Signals that the process gets and sends. */
import { isDeno, nodeProcess, operatingSystem } from "./runtime.ts";

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

/** Sends a signal to a process, or to a process group if `pid` is negative. */
export function sendSignal(pid: number, signal: Signal): void {
  if (isDeno) Deno.kill(pid, signal);
  else nodeProcess.kill(pid, signal);
}

/** Adds signal listeners, on Windows only for SIGINT. Returns a function that removes them. */
export function onSignals(listeners: Partial<Record<Signal, () => void>>): () => void {
  const names = (Object.keys(listeners) as Signal[])
    .filter((name) => operatingSystem !== "windows" || name === "SIGINT");
  const change = (
    inDeno: "addSignalListener" | "removeSignalListener",
    inNode: "on" | "off",
  ): void => {
    for (const name of names) {
      const listener = listeners[name] as () => void;
      if (isDeno) Deno[inDeno](name, listener);
      else nodeProcess[inNode](name, listener);
    }
  };
  change("addSignalListener", "on");
  return () => change("removeSignalListener", "off");
}

let outlivesFileSizeLimit = false;

/**
 * Makes a write beyond the file size limit fail instead of killing the process. The listener is
 * never removed, because the runtime still writes its cache when the process ends.
 */
export function outliveFileSizeLimit(): void {
  if (outlivesFileSizeLimit) return;
  outlivesFileSizeLimit = true;
  onSignals({ SIGXFSZ: () => {} });
}
