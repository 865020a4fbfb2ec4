/**
 * Cases in files of `testdata/render`: `=== RULE`, the input, and below each `--- {OPTIONS}` the text
 * that it becomes. `deno task cases` writes these texts anew: read the difference before you commit it.
 */
import assert from "node:assert/strict";
import process from "node:process";
import { dataUrl } from "./_data.ts";

const UPDATE = process.argv.includes("--update");

/** Registers a test for each case of a file. */
export function testCases<Options>(
  file: string,
  render: (input: string, options: Options) => string,
): void {
  const path = dataUrl(file);
  const cases = Deno.readTextFileSync(path).split(/^=== /m).slice(1);
  for (const [at, expected] of cases.entries()) {
    const [given = "", ...views] = expected.split(/^--- (?=\{)/m);
    const [rule = ""] = given.split("\n", 1);
    Deno.test(rule, () => {
      assert.ok(views.length > 0);
      const input = given.slice(rule.length + 1, -1);
      const found = views.map((view) => {
        const [options = ""] = view.split("\n", 1);
        return `${options}\n${render(input, JSON.parse(options))}\n`;
      });
      cases[at] = [given, ...found].join("--- ");
      if (UPDATE) Deno.writeTextFileSync(path, cases.map((one) => `=== ${one}`).join(""));
      else assert.equal(cases[at], expected);
    });
  }
}
