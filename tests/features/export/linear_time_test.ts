/** Doubled hostile texts, in every place of a session, for every form in which one is shown. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { jsonLines } from "../../_support/cli.ts";
import { FULL_SIZE } from "../../_support/full_size.ts";

const MOST_GROWTH = 2.5;
const PROGRAM = fileURLToPath(new URL("_hostile_growth.ts", import.meta.url));

// Slow: a process of its own, whose CPU time is measured, loads all renderers.
Deno.test("each form takes time in proportion to hostile texts", async () => {
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--no-lock", PROGRAM, ...(FULL_SIZE ? [] : ["few"])],
  }).output();
  assert.ok(success);
  const rows = jsonLines(new TextDecoder().decode(stdout)) as { name: string; growth: number }[];
  const steep = rows.filter(({ growth }) => growth > MOST_GROWTH);
  assert.deepEqual(steep.filter(({ name }) => name !== "square"), []);
  // Work in the square of a text is found.
  assert.ok(steep.length > 0);
  assert.ok(rows.length > 80, `${rows.length}`);
});
