import assert from "node:assert/strict";
import { renderBlame } from "../../../lib/text/render/blame_table.ts";

Deno.test("a terminal shows the writer of neighbouring lines once, also over commits", () => {
  const writer = { grade: "proven", agent: "pi", place: "aaaa#4", prompt: "Begin" } as const;
  const runs = [
    { ...writer, from: 1, lines: ["one", "two"] },
    // The same change, committed later.
    { ...writer, from: 3, lines: ["three"] },
    { ...writer, place: "aaaa#9", from: 4, lines: ["four"] },
  ];
  assert.equal(
    renderBlame(runs, { width: 80, color: false }),
    "1 =  pi  aaaa#4  Begin  one\n2 =                     two\n" +
      "3 =                     three\n4 =  pi  aaaa#9  Begin  four\n",
  );
  const piped = renderBlame(runs, { width: Infinity, color: false });
  assert.match(piped, /^3 proven {2}pi {2}aaaa#4 {2}Begin {2}three$/m);
});
