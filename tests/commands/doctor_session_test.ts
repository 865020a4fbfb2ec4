import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { inHome } from "../_support/cli_home.ts";

const LOGS = new URL("../../testdata/logs/", import.meta.url);

inHome.test("doctor never calls whole what it fails, nor damaged what it passes", async (home) => {
  const logs = [...Deno.readDirSync(LOGS)].filter(({ name }) => name.endsWith(".jsonl"));
  const statuses = new Set<number>();
  for (const { name } of logs) {
    const path = fileURLToPath(new URL(name, LOGS));
    const { status, stdout, stderr } = await home.run(["doctor", path]);
    const verdict = status === 0
      ? /(^|\n)whole: .*\n$/
      : /(^|\n)(damaged|changed or incomplete): .*\n$/;
    assert.equal(stderr, "", name);
    assert.match(stdout, verdict, name);
    statuses.add(status);
  }
  assert.deepEqual(statuses, new Set([0, 1]));
});
