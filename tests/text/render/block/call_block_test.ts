import assert from "node:assert/strict";
import { blockText } from "../../../../lib/text/render/block/block_text.ts";
import { callBlock, commandBlock } from "../../../../lib/text/render/block/call_block.ts";
import { Reminders } from "../../../../lib/text/render/block/reminders.ts";
import { createStyle } from "../../../../lib/text/render/style.ts";
import { printBlock } from "../../../../lib/text/render/terminal.ts";

Deno.test("a plan stands below its call", () => {
  const input = { plan: "## Plan\n\n- Look\n- Fix" };
  const item = {
    type: "tool",
    seq: 1,
    integrity: "verified",
    call_id: "c",
    name: "exit_plan_mode",
  } as const;
  const block = callBlock({ ...item, input, status: "ok" }, { seq: 1 }, {
    reminders: new Reminders(),
  });
  const rows = printBlock(block, { width: 60, style: createStyle(false) });
  assert.deepEqual(rows, ["→ exit_plan_mode · ok", "    ## Plan", "", "    • Look", "    • Fix"]);
});

Deno.test("the agent's last line about a call stands above its output", () => {
  const captions = ["Reading a.ts", "Read `a.ts`"];
  const item = { seq: 1, integrity: "verified", call_id: "c", status: "ok", captions } as const;
  const context = { reminders: new Reminders() };
  const tool = { ...item, type: "tool", name: "read", output: "one" } as const;
  const bash = { ...item, type: "bash", command: "cat a.ts" } as const;
  const read = callBlock(tool, { seq: 1 }, context).content;
  const ran = commandBlock(bash, { seq: 1 }, context).content;
  assert.deepEqual(read.map(blockText), ["Read `a.ts`", "one"]);
  assert.deepEqual(ran.map(blockText), ["Read `a.ts`"]);
});

Deno.test("an output has its file's language only where it is that file", () => {
  const item = { type: "tool", seq: 1, integrity: "verified", call_id: "c", status: "ok" } as const;
  const languageOf = (name: string): unknown => {
    const whole = { ...item, name, input: { path: "a.ts" }, output: "const a = 1" };
    const [block] = callBlock(whole, { seq: 1 }, { reminders: new Reminders() }).content;
    return block?.type === "code" ? block.language : block;
  };
  assert.equal(languageOf("read"), "ts");
  assert.equal(languageOf("edit"), undefined);
});

Deno.test("a question stands in the line of its call", () => {
  const item = { type: "tool", seq: 1, integrity: "verified", call_id: "c", status: "ok" } as const;
  const input = { questions: [{ question: "Which port?", header: "Port", options: [] }] };
  const block = callBlock({ ...item, name: "AskUserQuestion", input }, { seq: 1 }, {
    reminders: new Reminders(),
  });
  assert.equal(block.summary.subject, "Which port?");
});
