/**
 * Each folder `testdata/cases/<agent>/<case>` is a home of an agent, and what its reader must make of
 * it. `deno task cases` writes anew what is expected: read the difference before you commit it. Slow:
 * some 160 homes are made and read whole.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { allCases, homeOf } from "./_case.ts";
import { toldOf } from "./_told.ts";

const UPDATE = process.argv.includes("--update");

for (const given of allCases()) {
  Deno.test(`${given.name}: ${given.proves.join("; ")}`, async () => {
    await using home = await homeOf(given);
    const told = await toldOf(given, home);
    if (UPDATE) await Deno.writeTextFile(given.expected, told);
    assert.equal(told, await Deno.readTextFile(given.expected));
  });
}
