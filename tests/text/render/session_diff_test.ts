import assert from "node:assert/strict";
import type { DiffPart } from "../../../lib/core/projection/session_diff.ts";
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { renderDiffHead, renderDiffPart } from "../../../lib/text/render/session_diff.ts";
import { textWidth } from "../../../lib/text/render/text_width.ts";

const PLAIN = { width: 80, color: false, full: false };
const base = { seq: 7, integrity: "verified" as const };
const said: TranscriptItem = {
  type: "message",
  ...base,
  role: "assistant",
  content: "Ünïcode 文档",
};
const ran: TranscriptItem = {
  type: "bash",
  ...base,
  call_id: "c1",
  command: "deno test",
  status: "error",
  exit_code: 1,
  output: "1 failed",
};
const changed: TranscriptItem = {
  type: "diff",
  ...base,
  path: "src/parser.ts",
  lines: [{ kind: "added", content: "x" }, { kind: "added", content: "y" }],
};
const TURN: DiffPart = { type: "turn", turn: 5, same_items: 2, a: [said, ran, changed], b: [] };

Deno.test("a differing turn shows what each side did, marked, in one line a row", () => {
  assert.equal(
    renderDiffPart(TURN, PLAIN),
    [
      `── turn 5 ${"─".repeat(70)}`,
      "  identical: 2 items",
      "A assistant #7",
      "A Ünïcode 文档",
      "A $ deno test",
      "A   exit 1",
      "A ± src/parser.ts  +2 -0",
      "B nothing more",
      "",
      "",
    ].join("\n"),
  );
  assert.match(
    renderDiffPart({ type: "turn", turn: 2, same_items: 0, b: [said] }, PLAIN),
    /^A no such turn$/m,
  );
});

Deno.test("with all to be shown, outputs and changed lines are there", () => {
  const text = renderDiffPart(TURN, { ...PLAIN, full: true });
  for (const wanted of ["1 failed", "+x", "+y"]) assert.ok(text.includes(wanted), text);
});

Deno.test("equal parts and files are described in words", () => {
  const common = { type: "common", turns: 1, items: 3, same: false } as const;
  assert.equal(renderDiffPart(common, PLAIN), "Identical: 1 turn, 3 items\n\n");
  assert.equal(
    renderDiffPart({ ...common, turns: 0, items: 0 }, PLAIN),
    "The sessions differ from the first event on\n\n",
  );
  assert.equal(
    renderDiffPart({ ...common, same: true }, PLAIN),
    "The sessions are identical: 1 turn, 3 items\n",
  );
  const files = { type: "files", a: [{ path: "a.ts", added: 12, removed: 3 }], b: [] } as const;
  assert.equal(
    renderDiffPart({ ...files, a: [...files.a, { path: "", added: 0, removed: 1 }], b: [] }, PLAIN),
    "Files changed since\nA a.ts         +12 -3\nA file change  +0 -1\nB none\n",
  );
  assert.equal(renderDiffPart({ type: "files", a: [], b: [] }, PLAIN), "");
});

Deno.test("no row is wider than the terminal, however narrow, and colours change no text", () => {
  const long = "word ".repeat(60);
  const parts: DiffPart[] = [
    {
      ...TURN,
      b: [
        { ...said, content: long } as TranscriptItem,
        { ...changed, path: long } as TranscriptItem,
      ],
    },
    { type: "files", a: [{ path: long, added: 1, removed: 1 }], b: [] },
  ];
  for (const width of [20, 40, 80, 120]) {
    for (const part of parts) {
      const plain = renderDiffPart(part, { ...PLAIN, width });
      for (const row of plain.split("\n")) assert.ok(textWidth(row) <= width, `${width}: ${row}`);
      const painted = renderDiffPart(part, { ...PLAIN, width, color: true });
      assert.notEqual(painted, plain);
      // deno-lint-ignore no-control-regex -- the colours are what is taken away
      assert.equal(painted.replaceAll(/\x1b\[\d+m/g, ""), plain);
    }
  }
});

Deno.test("control characters of a session do not reach the terminal", () => {
  const hostile = "\x1b]0;owned\x07\u202e\r\n\x9b31m";
  const part: DiffPart = {
    type: "turn",
    turn: 1,
    same_items: 0,
    a: [
      { ...said, content: hostile } as TranscriptItem,
      { ...ran, command: hostile } as TranscriptItem,
      { ...changed, path: hostile } as TranscriptItem,
    ],
    b: [],
  };
  const files: DiffPart = { type: "files", a: [{ path: hostile, added: 1, removed: 0 }], b: [] };
  const text = renderDiffPart(part, PLAIN) + renderDiffPart(files, PLAIN) +
    renderDiffHead({ a: hostile, b: "fine" }, PLAIN);
  // deno-lint-ignore no-control-regex -- control characters are what is looked for
  assert.doesNotMatch(text, /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
  assert.ok(text.includes("owned") && text.includes("fine"));
});
