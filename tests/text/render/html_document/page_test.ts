import assert from "node:assert/strict";
import { sessionTitle } from "../../../../lib/text/render/html_document/page.ts";
import type { Summary } from "../../../../lib/core/projection/summary_row.ts";

Deno.test("a title is the first sentence, without marks of Markdown", () => {
  const cases = [
    [
      "Implement the following plan: # Add `tax` ## Summary It",
      "Implement the following plan: Add tax",
    ],
    ["# Round to cents ## Why The report", "Round to cents"],
    ["The build **fails** on Windows. Paths have the wrong sign", "The build fails on Windows"],
    [
      "Why does [the import](https://a.example/b) skip a row? See",
      "Why does the import skip a row?",
    ],
    ["Update e.g. Deno", "Update e.g. Deno"],
    ["Use C# and #tags in v2.4", "Use C# and #tags in v2.4"],
    ["", "Untitled session"],
  ] as const;
  for (const [title, shown] of cases) assert.equal(sessionTitle({ title } as Summary), shown);
  assert.equal(sessionTitle({ title: "word ".repeat(60) } as Summary).length, 80);
});
