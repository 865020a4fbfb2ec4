/** What the model gets and nobody was shown: it is in the conversation, and attached in the transcript. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { codexAgent } from "../../../lib/agents/codex/codex_agent.ts";
import { conversation } from "../../../lib/core/projection/conversation/conversation.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import { transcript } from "../../../lib/core/projection/transcript/transcript.ts";
import { conversationOf, onlySession, payloadsOf, readAll } from "../../_support/agent_contract.ts";
import { inShort } from "../_in_short.ts";
import { fixture } from "./_codex_home.ts";
import { writeRollout } from "./_rollout.ts";

function message(role: string, text: string): unknown {
  return { type: "message", role, content: [{ type: "input_text", text }] };
}

function call(call_id: string): unknown {
  return { type: "function_call", name: "update_plan", arguments: "{}", call_id };
}

function output(call_id: string): unknown {
  return { type: "function_call_output", call_id, output: `Done ${call_id}.` };
}

/** The conversation, which is the same whoever asks; only compactions that happened are told. */
async function conversationIn(path: string, compactions = 0): Promise<unknown> {
  const session = await onlySession(codexAgent, path);
  const { events } = await readAll(codexAgent, session);
  const { messages } = foldEvents(conversation({ reasoning: "include" }), events);
  assert.deepEqual((await conversationOf(codexAgent, session)).messages, messages);
  const { needs } = conversation();
  const in_force = [];
  for await (const batch of codexAgent.open(session).read({ needs, in_force: true })) {
    in_force.push(...batch);
  }
  assert.deepEqual(foldEvents(conversation(), in_force).messages, messages);
  const seqs = [];
  for await (const batch of codexAgent.open(session).read({ needs: new Set(["user_message"]) })) {
    seqs.push(...batch.map(({ seq }) => seq));
  }
  assert.deepEqual(seqs, events.map(({ seq }) => seq));
  const items = foldEvents(transcript(), events);
  const spoken = JSON.stringify(items.filter(({ type }) => type !== "attached"));
  assert.equal(items.filter(({ type }) => type === "compaction").length, compactions);
  assert.equal(payloadsOf(events, "compaction_applied").length, compactions);
  assert.ok(!events.some(({ kind }) => kind === "conversation_replaced"));
  assert.ok(!spoken.includes(CONTEXT) && !spoken.includes(ABORTED));
  const told = JSON.stringify(messages).includes(CONTEXT);
  assert.equal(items.some((item) => item.type === "attached" && item.content === CONTEXT), told);
  return inShort(messages);
}

const CONTEXT = "<environment_context><cwd>/w</cwd></environment_context>";
const ABORTED = "<turn_aborted>The user stopped it.</turn_aborted>";

Deno.test("shows the context before the first prompt once, in its place", async () => {
  const path = await writeRollout([
    message("developer", "Be brief."),
    message("user", CONTEXT),
    message("user", "Hello."),
    message("assistant", "Hi."),
    message("user", "Bye."),
  ]);
  assert.deepEqual(await conversationIn(path), [
    ["system", "Be brief."],
    ["user", CONTEXT],
    ["user", "Hello."],
    ["assistant", "Hi."],
    ["user", "Bye."],
  ]);
});

Deno.test("shows later context in its place", async () => {
  const path = await writeRollout([
    message("user", "Hello."),
    message("assistant", "Hi."),
    message("user", ABORTED),
    message("developer", "Be quick."),
    message("user", "Bye."),
  ]);
  assert.deepEqual(await conversationIn(path), [
    ["user", "Hello."],
    ["assistant", "Hi."],
    ["user", ABORTED],
    ["system", "Be quick."],
    ["user", "Bye."],
  ]);
});

Deno.test("instructions between calls and their outputs come behind these", async () => {
  const path = await writeRollout([
    message("user", "Hello."),
    call("a"),
    call("b"),
    output("a"),
    message("developer", "Be quick."),
    output("b"),
    message("assistant", "Done."),
    call("c"),
    message("developer", "Stop."),
    message("user", "Bye."),
  ]);
  assert.deepEqual(await conversationIn(path), [
    ["user", "Hello."],
    ["assistant", ["tool_call", "tool_call"]],
    ["tool", ["tool_result", "tool_result"]],
    ["system", "Be quick."],
    ["assistant", ["text", "tool_call"]],
    ["tool", ["tool_result"]],
    ["system", "Stop."],
    ["user", "Bye."],
  ]);
});

Deno.test("behind a compaction its messages come first", async () => {
  const replacement_history = [message("user", "Hello."), message("developer", "Be brief.")];
  const compacted = { type: "compacted", payload: { message: "", replacement_history } };
  const start = [message("developer", "x"), message("user", "y"), compacted];
  const base = [["user", "Hello."], ["system", "Be brief."]];
  const hidden = [...start, message("user", CONTEXT), message("user", "Bye.")];
  const context = [...base, ["user", CONTEXT], ["user", "Bye."]];
  for (
    const [lines, said] of [
      [start, base],
      [[...start, message("developer", "z")], [...base, ["system", "z"]]],
      [hidden, context],
      [[...hidden, message("user", ABORTED)], [...context, ["user", ABORTED]]],
    ] as const
  ) {
    assert.deepEqual(await conversationIn(await writeRollout(lines), 1), said);
  }
});

Deno.test("hides rolled-back context", async () => {
  const rollback = { type: "event_msg", payload: { type: "thread_rolled_back", num_turns: 1 } };
  const path = await writeRollout([
    message("user", "Hello."),
    message("user", ABORTED),
    message("assistant", "Hi."),
    message("user", "Bye."),
    message("developer", "Be quick."),
    rollback,
    message("user", "Again."),
  ]);
  assert.deepEqual(await conversationIn(path), [
    ["user", "Hello."],
    ["user", ABORTED],
    ["assistant", "Hi."],
    ["user", "Again."],
  ]);
});

Deno.test("hides Codex's messages before the first prompt from people", async () => {
  const path = await writeRollout([message("developer", "x"), message("user", CONTEXT)]);
  assert.deepEqual(await conversationIn(path), [["system", "x"], ["user", CONTEXT]]);
  const row = await codexAgent.open(await onlySession(codexAgent, path)).summarize();
  assert.deepEqual([row?.title, row?.message_count], ["", 0]);
});

Deno.test("a call that has no output is told as Codex tells it", async () => {
  const path = await writeRollout([message("user", "Hello."), call("a"), message("user", "Bye.")]);
  const session = await onlySession(codexAgent, path);
  const { messages } = await conversationOf(codexAgent, session);
  const [result] = messages[2]?.content ?? [];
  assert.deepEqual(result, {
    type: "tool_result",
    call_id: "a",
    name: "update_plan",
    status: "error",
    output: "aborted",
  });
});

Deno.test("a command of the user is shown as one, and told to the model as a message", async () => {
  const text = "<user_shell_command>\n<command>\nls\n</command>\n<result>\nExit code: 0\n" +
    "Duration: 0.1 seconds\nOutput:\na\n</result>\n</user_shell_command>";
  const path = await writeRollout([message("user", "Hello."), message("user", text)]);
  assert.deepEqual(await conversationIn(path), [["user", "Hello."], ["user", text]]);
  const { events } = await readAll(codexAgent, await onlySession(codexAgent, path));
  const items = foldEvents(transcript(), events);
  assert.deepEqual(items.map(({ type }) => type), ["session", "message", "bash"]);
});

Deno.test("the model hears of a turn that was cut off; people see it cut off", async () => {
  const session = await onlySession(codexAgent, fileURLToPath(fixture("interrupted.jsonl")));
  const { messages } = await conversationOf(codexAgent, session);
  assert.ok(messages.some(({ content }) => String(content).startsWith("<turn_aborted>")));
  const { events } = await readAll(codexAgent, session);
  const items = foldEvents(transcript(), events);
  const told = items.filter((item) => JSON.stringify(item).includes("<turn_aborted>"));
  assert.deepEqual(told.map(({ type }) => type), ["attached"]);
  assert.ok(items.some(({ type }) => type === "failure"));
});

Deno.test("warnings, errors that were retried and why a command wants more are shown", async () => {
  const input = JSON.stringify({ cmd: "ls /root", justification: "May I look there?" });
  const path = await writeRollout([
    message("user", "Hello."),
    { type: "event_msg", payload: { type: "stream_error", message: "Reconnecting 1/5" } },
    { type: "event_msg", payload: { type: "warning", message: "Low on credit" } },
    { type: "function_call", name: "exec_command", arguments: input, call_id: "a" },
    output("a"),
  ]);
  const { events } = await readAll(codexAgent, await onlySession(codexAgent, path));
  assert.deepEqual(payloadsOf(events, "notice"), [
    { audience: "user", title: "stream error", text: "Reconnecting 1/5", level: "error" },
    { audience: "user", title: "warning", text: "Low on credit" },
  ]);
  const [command] = foldEvents(transcript(), events).flatMap((item) =>
    item.type === "bash" ? [item] : []
  );
  assert.equal(command?.summary, "May I look there?");
});
