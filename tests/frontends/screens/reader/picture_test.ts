import assert from "node:assert/strict";
import {
  hasMatch,
  markMatches,
  plainRow,
} from "../../../../lib/frontends/screens/reader/find_hit.ts";
import {
  readerRows,
  type ReaderScreen,
  renderReader,
} from "../../../../lib/frontends/screens/reader/picture.ts";
import { textWidth } from "../../../../lib/text/render/text_width.ts";

const SCREEN: ReaderScreen = {
  title: "学校のページを直す and more",
  facts: ["Claude Code", "~/work"],
  rows: ["one", "two needle", "three"],
  query: "",
  message: "",
  place: "12 % of 99",
  keys: ["? keys", "q back", "/ find"],
};

Deno.test("a screen of any size is filled, and no row is wider than it", () => {
  for (const width of [1, 3, 12, 40, 200]) {
    for (const height of [1, 2, 3, 4, 12, 40]) {
      for (const more of [{}, { prompt: { label: "Export to: ", input: "学校".repeat(30) } }]) {
        const { rows, cursor } = renderReader({ ...SCREEN, rows: [], ...more }, {
          width,
          height,
          color: false,
        });
        assert.equal(rows.length, height);
        for (const row of rows) assert.ok(textWidth(row) <= width, `${width} ${height} ${row}`);
        assert.ok((cursor?.column ?? 0) < width);
      }
    }
  }
  assert.equal(readerRows(SCREEN.title, { width: 80, height: 24 }), 21);
});

Deno.test("a long title wraps, and is cut where it would take too much of the screen", () => {
  const title = "Why does the ledger not balance after the import of the November statement?";
  const { rows } = renderReader({ ...SCREEN, title }, { width: 30, height: 24, color: false });
  assert.equal(rows.slice(0, 3).join(" "), title);
  assert.equal(rows[3], "one");
  const low = renderReader({ ...SCREEN, title }, { width: 30, height: 12, color: false });
  assert.equal(low.rows[0], "Why does the ledger not");
  assert.match(low.rows[1] ?? "", /^balance after the import.*…$/);
});

Deno.test("marks the query in any case and style", () => {
  assert.equal(markMatches("a NEEDLE b", "needle"), "a \x1b[7mNEEDLE\x1b[27m b");
  const styled = "\x1b[1mnee\x1b[22mdle \x1b[2mneedle\x1b[22m";
  const marked = markMatches(styled, "needle");
  assert.equal(plainRow(marked), "needle needle");
  assert.equal(marked.split("\x1b[7m").length, 3);
  assert.equal(marked.split("\x1b[27m").length, 3);
  assert.equal(markMatches("nothing", "needle"), "nothing");
  assert.equal(hasMatch(styled, "EDLE NE"), true);
  const colored = renderReader({ ...SCREEN, query: "needle" }, {
    width: 40,
    height: 10,
    color: true,
  });
  assert.ok(colored.rows.some((row) => row.includes("\x1b[7mneedle\x1b[27m")));
});

Deno.test("a list stands over the session, around its highlighted entry", () => {
  const entries = Array.from({ length: 100 }, (_, at) => `entry ${at}`);
  const list = { heading: "Contents", entries, cursor: 50 };
  const { rows } = renderReader({ ...SCREEN, list }, { width: 30, height: 12, color: false });
  assert.ok(rows.includes("❯ entry 50"));
  assert.ok(!rows.includes("one"));
});
