import assert from "node:assert/strict";
import { usedCpuTime } from "../../lib/platform/process.ts";

Deno.test("CPU time grows with work, and not with waiting", async () => {
  const begun = usedCpuTime();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const waited = usedCpuTime() - begun;
  assert.ok(waited >= 0 && waited < 300, `${waited}`);
  const least = begun + waited + 20;
  while (usedCpuTime() < least);
});
