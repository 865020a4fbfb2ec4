import { eventually } from "../../_support/eventually.ts";
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { processState } from "../../../lib/core/platform/process_state.ts";

const ignore = Deno.build.os === "windows";
const CHILD = fileURLToPath(new URL("_foreground_child.ts", import.meta.url));

async function endOf(script: string): Promise<Pick<Deno.CommandStatus, "code" | "signal">> {
  const { code, signal } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", "-A", CHILD, script],
    stdin: "null",
  }).output();
  return { code, signal };
}

Deno.test("a process ends as the program in its foreground: by its status, or by its signal", {
  ignore,
}, async () => {
  assert.deepEqual(await endOf("exit 9"), { code: 9, signal: null });
  assert.deepEqual(await endOf("exit 0"), { code: 0, signal: null });
  for (const [signal, code] of [["SIGINT", 130], ["SIGTERM", 143], ["SIGHUP", 129]] as const) {
    assert.deepEqual(await endOf(`kill -${signal.slice(3)} $$`), { code, signal });
  }
  // This one leaves a core: one is enough.
  assert.deepEqual(await endOf("ulimit -c 0; kill -QUIT $$"), { code: 131, signal: null });
});

Deno.test("the state of a process tells if it was stopped", { ignore }, async () => {
  const child = new Deno.Command("sleep", { args: ["600"], stdin: "null", stdout: "null" }).spawn();
  try {
    assert.equal(await processState(child.pid), "running");
    child.kill("SIGSTOP");
    await eventually(async () => await processState(child.pid) !== "running");
    assert.equal(await processState(child.pid), "stopped");
  } finally {
    child.kill("SIGKILL");
    await child.status;
  }
  assert.equal(await processState(child.pid), undefined);
});
