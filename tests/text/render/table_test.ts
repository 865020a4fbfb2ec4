import assert from "node:assert/strict";
import { createStyle } from "../../../lib/text/render/style.ts";
import { renderTable, type TableColumn } from "../../../lib/text/render/table.ts";
import { textWidth } from "../../../lib/text/render/text_width.ts";

const PLAIN = createStyle(false);
const COLUMNS: TableColumn[] = [
  { name: "id", cells: ["a1", "b2"] },
  { name: "size", cells: ["7 B", "1.2 KB"], align: "right", weight: 1 },
  { name: "note", cells: ["", "new"], weight: 2 },
  { name: "title", cells: ["A long title", "日本語のタイトル"] },
];

Deno.test("columns are as wide as they must be, and the last takes what is left", () => {
  assert.deepEqual(renderTable(COLUMNS, { width: Infinity, style: PLAIN }), [
    "id    size  note  title",
    "a1     7 B        A long title",
    "b2  1.2 KB  new   日本語のタイトル",
  ]);
  assert.deepEqual(renderTable(COLUMNS, { width: 26, style: PLAIN }), [
    "id    size  note  title",
    "a1     7 B        A long…",
    "b2  1.2 KB  new   日本語…",
  ]);
});

Deno.test("the lightest columns go first where the last one would get too little", () => {
  const names = (least_last: number): string | undefined =>
    renderTable(COLUMNS, { width: 26, style: PLAIN, least_last })[0]?.replaceAll(/ +/g, " ");
  assert.deepEqual([8, 9, 17, 99].map(names), [
    "id size note title",
    "id note title",
    "id title",
    "id title",
  ]);
});

Deno.test("no line is wider than the terminal, as long as what always stays fits", () => {
  for (let width = 4; width < 40; width++) {
    for (const line of renderTable(COLUMNS, { width, style: PLAIN, least_last: 5 })) {
      assert.ok(textWidth(line) <= width, `${width}: ${line}`);
    }
  }
});

Deno.test("a number in the last column is never cut, other columns go", () => {
  const columns: TableColumn[] = [
    { name: "model", cells: ["gpt-5"] },
    { name: "cache", cells: ["0"], align: "right", weight: 1 },
    { name: "cost", cells: ["~$0.02"], align: "right" },
  ];
  const [, line = ""] = renderTable(columns, { width: 18, style: PLAIN });
  assert.equal(line, "gpt-5  ~$0.02");
});

Deno.test("a last column of numbers stands right, and a table needs no names", () => {
  const columns: TableColumn[] = [
    { name: "by", cells: ["all"] },
    { name: "cost", cells: ["$1.20"], align: "right" },
  ];
  assert.deepEqual(renderTable(columns, { width: Infinity, style: PLAIN }), [
    "by    cost",
    "all  $1.20",
  ]);
  const options = { width: Infinity, style: PLAIN, with_names: false };
  assert.deepEqual(renderTable(columns, options), ["all  $1.20"]);
  assert.deepEqual(renderTable([], options), []);
});
