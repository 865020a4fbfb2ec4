import assert from "node:assert/strict";
import { spokenArguments } from "../../../../lib/text/render/block/spoken_arguments.ts";

function textsOf(input: unknown, tool = "any"): string[] {
  return spokenArguments(tool, input, { seq: 1 }).blocks.map(({ text }) => text);
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
  const { rest } = spokenArguments("any", { plan: "Look", path: "a" }, { seq: 1 });
  assert.deepEqual(rest, { path: "a" });
});

Deno.test("an argument of another form stays one", () => {
  for (
    const input of [{ plan: 7 }, { todos: ["Look"] }, { question: "" }, { plans: "x" }, {
      prompt: 7,
    }, "plan"]
  ) {
    assert.deepEqual(spokenArguments("task", input, { seq: 1 }), { blocks: [], rest: input });
  }
});

Deno.test("an argument that its tool defines as prose is Markdown, whatever the agent", () => {
  const text = "Look at `a.ts`:\n\n- one\n- two";
  for (
    const [tool, argument] of [
      ["Task", "prompt"],
      ["spawn_agent", "message"],
      ["sessions_spawn", "task"],
      ["notify_user", "Message"],
      ["update_todo_list", "todos"],
      ["attempt_completion", "result"],
      ["git_commit", "message"],
      ["mcp__git__git_commit", "message"],
      ["github__create_pull_request", "body"],
      ["report_progress", "prDescription"],
    ] as const
  ) {
    const input = { title: "Look", [argument]: text };
    const { blocks, rest } = spokenArguments(tool, input, { seq: 1 });
    assert.deepEqual(blocks.map((block) => [block.text, block.markup]), [[text, "markdown"]], tool);
    assert.deepEqual(rest, { title: "Look" });
  }
  // A program's message is no prose, nor is an argument without a name.
  assert.deepEqual(textsOf({ message: text, prompt: text, "": text }, "bash"), []);
});
