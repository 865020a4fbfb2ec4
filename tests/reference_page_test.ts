/** The parts of pages that come from the program, and the words of the reference. */
import assert from "node:assert/strict";
import { programTable } from "../commands/_program_table.ts";
import { ROOT } from "./_support/source_code.ts";
import { PARTS, withPart } from "./reference.ts";

Deno.test("the tables of commands and agents are those of the program: deno task reference", () => {
  for (const [name, mark, text] of PARTS) {
    const page = Deno.readTextFileSync(new URL(name, ROOT));
    assert.equal(page, withPart(page, mark, text), `${name}: run deno task reference`);
    assert.ok(text.split("\n").length > 40, name);
  }
});

Deno.test("the reference has a row for each command", async () => {
  const page = Deno.readTextFileSync(new URL(".github/REFERENCE.md", ROOT));
  const names = Object.keys((await programTable()).commands ?? {});
  assert.ok(names.length > 40, `${names.length}`);
  for (const name of names) {
    assert.match(page, new RegExp(`^\\| \`reprise ${name}[ \`]`, "m"), name);
  }
});

Deno.test("a page without its marks gets no part", () => {
  assert.throws(() => withPart("text", "commands", "x"), /no <!-- commands -->/);
});
