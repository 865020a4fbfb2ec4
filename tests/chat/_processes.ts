/** Processes that a command of a chat has started. */
import assert from "node:assert/strict";

/** Whether a process runs. One that nobody has waited for yet has ended all the same. */
export function isRunning(pid: number): boolean {
  const state = Deno.build.os === "linux" ? stateOnLinux(pid) : stateOf(pid);
  return state !== "" && !state.startsWith("Z");
}

/** A process that was killed is gone a moment later. */
export async function assertGone(pid: number): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (!isRunning(pid)) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  assert.fail(`process ${pid} still runs`);
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
