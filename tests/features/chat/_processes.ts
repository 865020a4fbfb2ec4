/** Processes that a command of a chat has started. */
import { eventually } from "../../_support/eventually.ts";

/** Whether a process runs. One that nobody has waited for yet has ended all the same. */
export function isRunning(pid: number): boolean {
  const state = Deno.build.os === "linux" ? stateOnLinux(pid) : stateOf(pid);
  return state !== "" && !state.startsWith("Z");
}

/** A process that was killed is gone a moment later. */
export async function assertGone(pid: number): Promise<void> {
  await eventually(() => !isRunning(pid), () => `process ${pid} still runs`);
}

function stateOnLinux(pid: number): string {
  try {
    return /\) (\w)/.exec(Deno.readTextFileSync(`/proc/${pid}/stat`))?.[1] ?? "";
  } catch {
    // There is no such process.
    return "";
  }
}

function stateOf(pid: number): string {
  const { stdout } = new Deno.Command("ps", { args: ["-o", "stat=", "-p", `${pid}`] }).outputSync();
  return new TextDecoder().decode(stdout).trim();
}
