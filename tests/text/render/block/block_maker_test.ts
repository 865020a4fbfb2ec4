import assert from "node:assert/strict";
import type { Output } from "../../../../lib/core/event/message.ts";
import type { TranscriptItem } from "../../../../lib/core/projection/transcript/item.ts";
import type { Block } from "../../../../lib/text/render/block/block.ts";
import {
  BlockMaker,
  blockOfItem,
  parentName,
} from "../../../../lib/text/render/block/block_maker.ts";
import { blockText } from "../../../../lib/text/render/block/block_text.ts";
import { createStyle } from "../../../../lib/text/render/style.ts";
import { printBlock } from "../../../../lib/text/render/terminal.ts";
import { SAMPLE_ITEMS } from "../_sample_items.ts";

const BASE = { seq: 7, integrity: "verified" } as const;
const VIEW = { width: 40, style: createStyle(false) };

function call(input: unknown, output: Output = "", seq = 7): TranscriptItem {
  return { type: "tool", ...BASE, seq, call_id: "c", name: "read", input, status: "ok", output };
}

function textOf(block: Block | undefined): string {
  assert.ok(block !== undefined);
  return printBlock(block, VIEW).join("\n");
}

Deno.test("every block names its event, says in doubt that it is, and has a text to copy", () => {
  for (const item of SAMPLE_ITEMS) {
    const block = blockOfItem({ ...item, integrity: "salvaged" });
    assert.equal(block?.seq, item.seq);
    assert.equal(block?.end_seq, item.end_seq);
    assert.equal(block?.doubt, "salvaged");
    assert.notEqual(block === undefined ? "" : blockText(block), "", item.type);
    assert.equal(blockOfItem(item)?.doubt, undefined);
  }
});

Deno.test("blocks are plain data", () => {
  for (const item of SAMPLE_ITEMS) {
    const block = blockOfItem(item);
    assert.deepEqual(JSON.parse(JSON.stringify(block)), block);
  }
});

Deno.test("copied text is the message without marks", () => {
  const texts = SAMPLE_ITEMS.map((item) => blockText(blockOfItem(item) as Block));
  for (
    const text of [
      "Please fix the flaky test.\n\n[image image/png 12.3 KB shot.png]",
      "deno test\nFAILED | 2 passed | 1 failed\nexited",
      "The test has to be read first.",
      "Context compacted · 123k → 8.1k tokens · auto\nThe login was fixed.",
    ]
  ) assert.ok(texts.includes(text), texts.join("\n---\n"));
});

Deno.test("paths are seen from the session's directory, and a long one loses its middle", () => {
  const maker = new BlockMaker();
  const session = { session_id: "s", created_at: "", cwd: "/home/ana/app/" };
  maker.blockOf({ type: "session", ...BASE, session });
  const shown = (path: string): string =>
    textOf(maker.blockOf(call({ path }))).replace(/^→ read (.*) · ok$/, "$1");
  assert.equal(shown("/home/ana/app/src/a.ts"), "src/a.ts");
  assert.equal(shown("/home/ana/app"), ".");
  assert.equal(shown("/home/ana/apple/a.ts"), "/home/ana/apple/a.ts");
  assert.equal(
    shown("/home/ana/app/src/deep/and/deeper/down/file.ts"),
    "src/deep/…eeper/down/file.ts",
  );
  const path = "/home/ana/app/a.ts";
  assert.equal(textOf(maker.blockOf({ type: "diff", ...BASE, path, lines: [] })), "± a.ts");
});

Deno.test("a reminder that was shown before is named, not shown again", () => {
  const reminder = "<system-reminder>\nKeep the list.\n</system-reminder>";
  const maker = new BlockMaker();
  assert.equal(
    textOf(maker.blockOf(call({}, `out\n${reminder}`, 3))),
    "→ read · ok\n    out\n    system reminder\n      Keep the list.",
  );
  const content = `${reminder}Go on`;
  const prompt = { type: "message", role: "user", ...BASE, content } as const;
  assert.equal(
    textOf(maker.blockOf(prompt)),
    "▌ user #7\n▌ system reminder, the same as at #3\n▌\n▌ Go on",
  );
  assert.equal(
    textOf(maker.blockOf({ ...prompt, content: "<system-reminder>not closed" })),
    "▌ user #7\n▌ <system-reminder>not closed",
  );
});

Deno.test("a reminder in the middle of a line is quoted by what stands around it", () => {
  const output = 'log.jsonl:3:{"text":"<system-reminder>a</system-reminder>"}';
  assert.equal(textOf(blockOfItem(call({}, output))).split("\n").length, 3);
  const two = "<system-reminder>a</system-reminder><system-reminder>b</system-reminder>";
  assert.equal(
    textOf(blockOfItem(call({}, two))),
    "→ read · ok\n    system reminder\n      a\n    system reminder\n      b",
  );
});

Deno.test("outputs are folded by what they are", () => {
  const output = Array.from({ length: 40 }, (_, at) => `line ${at}`).join("\n");
  const rows = (item: TranscriptItem): string[] => textOf(blockOfItem(item)).split("\n");
  assert.equal(rows(call({ path: "a.ts" }, output)).at(-1)?.includes("34 more lines"), true);
  const command = { type: "bash", ...BASE, call_id: "c", command: "make", status: "ok" } as const;
  assert.deepEqual(rows({ ...command, output }).slice(4, 8), [
    "    line 3",
    "    … 28 more lines (217 B)",
    "    line 32",
    "    line 33",
  ]);
});

Deno.test("a reader folds blocks to one line", () => {
  const folded = new Set(["call", "thinking"] as const);
  const line = (item: TranscriptItem): string[] =>
    printBlock(blockOfItem(item) as Block, { ...VIEW, folded });
  assert.deepEqual(line(call({ path: "a.ts" }, "one\ntwo")), ["→ read a.ts · ok"]);
  assert.deepEqual(line({ type: "reasoning", ...BASE, text: "First\nthen" }), ["thinking · First"]);
});

Deno.test("a fork names the event of its parent; a merge, whose number is its own, names none", () => {
  assert.equal(parentName({ session_id: "a1", seq: 7, reason: "fork" }), "a1#7");
  assert.equal(parentName({ session_id: "a1", seq: 7, reason: "merge" }), "a1");
  assert.equal(parentName({ session_id: "a1", reason: "compact" }), "a1");
});
