/** The page of runs: its sections, and the lines that it keeps of an output. */
import assert from "node:assert/strict";
import { lastLines, sectionOf, sectionsOf, type SuiteRun, withSection } from "./runs.ts";

const RUN: SuiteRun = {
  ...{ name: "test", command: "deno task test", passed: true, began: "2026-11-30T12:00:00.000Z" },
  ...{ seconds: 125.4, where: "commit 0123abcd", output: "one\nok | 3 passed\n" },
};

Deno.test("a section of the page of runs has the command, the result, the time and last lines", () => {
  const text = sectionOf(RUN, "/home/ada/reprise/");
  assert.match(text, /^## test\n\n`deno task test` passed after 2 min 5 s\. It began at 2026-/);
  assert.match(text, /on commit 0123abcd\.\n\n```text\none\nok \| 3 passed\n```\n$/);
  assert.match(sectionOf({ ...RUN, passed: false }, "/"), /\*\*failed\*\* after/);
});

Deno.test("lines of a run are kept without colours, the machine's paths and overwritten text", () => {
  const output = "\u001b[31mred\u001b[0m\n\n10 %\r100 %\n/home/ada/reprise/tests/a.ts\n";
  assert.deepEqual(lastLines(output, "/home/ada/reprise/"), ["red", "100 %", "./tests/a.ts"]);
  assert.equal(lastLines("line\n".repeat(100), "/").length, 12);
});

Deno.test("a run replaces the section of its suite alone, and keeps the order of suites", () => {
  let page = "";
  for (const name of ["ci", "test", "mutants", "test"]) {
    page = withSection(page, name, sectionOf({ ...RUN, name, output: `${name} said` }, "/"));
  }
  assert.deepEqual([...sectionsOf(page).keys()], ["test", "mutants", "ci"]);
  assert.match(page, /^# Runs\n\nThis page /);
  assert.equal(page.match(/test said/g)?.length, 1);
  assert.equal(withSection(page, "test", sectionsOf(page).get("test") ?? ""), page);
});
