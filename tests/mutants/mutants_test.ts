/** The mutants fit the code that they change: one that matches nothing would prove nothing. */
import assert from "node:assert/strict";
import { readMutants, withChange } from "./mutant.ts";

const ROOT = new URL("../../", import.meta.url);

Deno.test("each mutant changes its file in one place, and its tests are there", () => {
  const mutants = readMutants();
  for (const mutant of mutants) {
    const source = Deno.readTextFileSync(new URL(mutant.file, ROOT));
    assert.notEqual(withChange(source, mutant), source, mutant.name);
    for (const path of mutant.tests) assert.ok(Deno.statSync(new URL(path, ROOT)), mutant.name);
  }
  assert.equal(new Set(mutants.map(({ name }) => name)).size, mutants.length);
});

Deno.test("a mutant that matches nothing, or twice, is refused", () => {
  const mutant = { name: "a name", file: "a.ts", from: "one", to: "two", tests: [] };
  assert.equal(withChange("one;", mutant), "two;");
  assert.throws(() => withChange("other;", mutant), /Cannot change a\.ts \("a name"\): found 0/);
  assert.throws(() => withChange("one; one;", mutant), /found 2 times/);
});
