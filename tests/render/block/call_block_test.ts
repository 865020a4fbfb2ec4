import assert from "node:assert/strict";
import { blockText } from "../../../lib/render/block/block_text.ts";
import { callBlock, commandBlock, spokenArguments } from "../../../lib/render/block/call_block.ts";
import { Reminders } from "../../../lib/render/block/reminders.ts";
import { createStyle } from "../../../lib/render/style.ts";
import { printBlock } from "../../../lib/render/terminal.ts";

function textsOf(input: unknown): string[] {
  return spokenArguments(input, { seq: 1 }).blocks.map(({ text }) => text);
}

Deno.test("a plan, tasks and questions are Markdown, and other arguments are left", () => {
  assert.deepEqual(textsOf({ plan: "## Plan\n\n1. Look" }), ["## Plan\n\n1. Look"]);
  const tasks = [
    { content: "Look", status: "completed" },
    { content: "Fix", status: "in_progress" },
    { step: "Test", status: "pending" },
  ];
  assert.deepEqual(textsOf({ todos: tasks }), [
    "- [x] Look\n- [ ] Fix (in progress)\n- [ ] Test",
  ]);
  const options = [{ label: "Yes", description: "now" }, { label: "No" }];
  assert.deepEqual(textsOf({ questions: [{ question: "Go on?", options }] }), [
    "Go on?\n\n- Yes: now\n- No\n",
  ]);
  const { rest } = spokenArguments({ plan: "Look", path: "a" }, { seq: 1 });
  assert.deepEqual(rest, { path: "a" });
});

Deno.test("an argument of another form stays one", () => {
  for (
    const input of [{ plan: 7 }, { todos: ["Look"] }, { question: "" }, { plans: "x" }, "plan"]
  ) {
    assert.deepEqual(spokenArguments(input, { seq: 1 }), { blocks: [], rest: input });
  }
});

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
