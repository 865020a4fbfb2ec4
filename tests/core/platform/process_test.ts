import assert from "node:assert/strict";

/** What a process says of itself, in which nothing else works. */
const ALONE = `
const { usedCpuTime } = await import("${
  new URL("../../../lib/core/platform/process.ts", import.meta.url).href
}");
const begun = usedCpuTime();
await new Promise((resolve) => setTimeout(resolve, 1000));
const waited = usedCpuTime() - begun;
while (usedCpuTime() < begun + waited + 20);
console.log(waited);
`;

Deno.test("CPU time grows with work, and not with waiting", async () => {
  const { stdout, success } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", "--no-lock", "--no-check", "--ext=ts", ALONE],
    stdout: "piped",
  }).output();
  assert.ok(success);
  const waited = Number(new TextDecoder().decode(stdout));
  assert.ok(waited >= 0 && waited < 500, `${waited}`);
});
