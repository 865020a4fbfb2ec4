/** What Codex itself would send on resume, by its own rules. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { codexAgent } from "../../../lib/agents/codex/codex_agent.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import type { Message } from "../../../lib/core/event/message.ts";
import { conversation } from "../../../lib/core/projection/conversation/conversation.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import {
  type AgentHome,
  conversationOf,
  locateAll,
  makeHome,
  onlySession,
  readAll,
} from "../../_support/agent_contract.ts";
import { toMessages } from "../../../lib/text/shape/message_shape.ts";
import { inShort } from "../_in_short.ts";
import { CODEX_FILES, fixture } from "./_codex_home.ts";
import { writeRollout } from "./_rollout.ts";

async function messagesOf(name: string): Promise<Message[]> {
  const session = await onlySession(codexAgent, fileURLToPath(fixture(name)));
  return (await conversationOf(codexAgent, session)).messages;
}

const FORK = "01a1aaaa-0000-7000-8000-000000000007";
const PARENT = "01a1aaaa-0000-7000-8000-000000000006";

async function located(home: AgentHome, id: string): Promise<AgentSession> {
  const session = (await locateAll(codexAgent, home.environment)).find((one) => one.id === id);
  assert.ok(session !== undefined);
  return session;
}

/** What Codex says first, in the user's place. */
const CONTEXT = [
  "user",
  "<environment_context>\n  <cwd>/home/ada/src/ledger</cwd>\n  <shell>bash</shell>\n" +
  "</environment_context>",
];

Deno.test("a thought goes before the call that it led to", async () => {
  assert.deepEqual(inShort(await messagesOf("legacy.jsonl")), [
    CONTEXT,
    ["user", "Count the files."],
    ["assistant", ["reasoning", "tool_call"]],
    ["tool", ["tool_result"]],
    ["assistant", "Twelve."],
  ]);
});

Deno.test("a replacement history takes the place of all before it, as it is", async () => {
  const summary =
    "Another language model started to solve this problem and produced a summary of " +
    "its thinking process.\nThey asked first, I said one.";
  assert.deepEqual(await messagesOf("compacted.jsonl"), [
    { role: "user", content: "First." },
    { role: "system", content: "<skills_instructions>none</skills_instructions>" },
    {
      role: "user",
      content: "<environment_context>\n  <cwd>/home/ada/src/ledger</cwd>\n  <shell>bash</shell>\n" +
        "</environment_context>",
    },
    { role: "user", content: summary },
    { role: "user", content: "And then?" },
    { role: "assistant", content: "Two." },
  ]);
});

Deno.test("an encrypted compaction goes back to its provider, and to no other", async () => {
  const said = (role: string, text: string) => ({
    type: "message",
    role,
    content: [{ type: role === "user" ? "input_text" : "output_text", text }],
  });
  const sealed = { type: "compaction", id: "cmp_1", encrypted_content: "gAAAA-sealed" };
  const replacement_history = [said("user", "First."), sealed];
  const path = await writeRollout([
    said("user", "First."),
    said("assistant", "One."),
    { type: "compacted", payload: { message: "", replacement_history } },
    said("user", "And then?"),
    said("assistant", "Two."),
    { type: "context_compaction", encrypted_content: "gAAAA-later" },
    said("user", "And now?"),
  ]);
  const { messages } = await conversationOf(codexAgent, await onlySession(codexAgent, path));
  assert.deepEqual(toMessages(messages, "openai-responses").input, [
    { role: "user", content: [{ type: "input_text", text: "First." }] },
    { type: "compaction", encrypted_content: "gAAAA-sealed" },
    { role: "user", content: [{ type: "input_text", text: "And then?" }] },
    { role: "assistant", content: "Two." },
    { type: "context_compaction", encrypted_content: "gAAAA-later" },
    { role: "user", content: [{ type: "input_text", text: "And now?" }] },
  ]);
  assert.deepEqual(toMessages(messages, "openai").messages, [
    { role: "user", content: "First.\n\nAnd then?" },
    { role: "assistant", content: "Two." },
    { role: "user", content: "And now?" },
  ]);
  await Deno.remove(path);
});

Deno.test("an old compaction keeps what the user said, then its summary", async () => {
  assert.deepEqual(inShort(await messagesOf("compacted_old.jsonl")), [
    ["user", "First."],
    ["user", "Second."],
    ["user", "First one, then two."],
    ["user", "Third."],
    ["assistant", "Three."],
  ]);
});

Deno.test("leaves out a rolled-back part unless it is asked for", async () => {
  const session = await onlySession(codexAgent, fileURLToPath(fixture("rolled_back.jsonl")));
  const live = [
    CONTEXT,
    ["user", "Keep this."],
    ["assistant", "Kept."],
    ["user", "Instead."],
    ["assistant", "Done."],
  ];
  assert.deepEqual(inShort((await conversationOf(codexAgent, session)).messages), live);
  const { account } = await readAll(codexAgent, session);
  assert.ok(account.dead > 1000);
  for (const branch of ["msg_d", "call_d", "turn-2"]) {
    const { events, account } = await readAll(codexAgent, session, { thread: branch });
    const { messages } = foldEvents(conversation(), events);
    assert.deepEqual(inShort(messages), [
      ...live.slice(0, 3),
      ["user", "Drop this."],
      ["assistant", ["tool_call"]],
      ["tool", ["tool_result"]],
      ["assistant", "Dropped."],
    ]);
    assert.ok(account.dead > 0);
  }
  await assert.rejects(
    () => readAll(codexAgent, session, { thread: "nowhere" }),
    (error) => error instanceof SessionError && error.code === "not-found",
  );
});

const IN_PARENT = [["user", "In the parent."], ["assistant", "Parent here."]];
const IN_FORK = [["user", "In the fork."], ["assistant", "Fork here."]];

Deno.test("a fork goes on from its parent's bytes, also when that is archived", async () => {
  await using home = await makeHome(CODEX_FILES);
  const fork = await located(home, FORK);
  assert.match((await located(home, PARENT)).path, /archived_sessions/);
  const { events, found, account } = await readAll(codexAgent, fork);
  assert.deepEqual(found, []);
  const { messages } = foldEvents(conversation(), events);
  assert.deepEqual(inShort(messages), [CONTEXT, ...IN_PARENT, ...IN_FORK]);
  assert.equal(account.total, Deno.statSync(fork.path).size, "the parent's bytes are its own");
  const [head] = events;
  assert.ok(head?.form === "known" && head.kind === "session_started");
  assert.deepEqual(head.payload.parent, { session_id: PARENT, reason: "fork" });
  assert.equal((await codexAgent.open(fork).summarize())?.title, "In the fork.");
  const tail = await codexAgent.open(fork).readTail({ messages: 3 });
  const said = foldEvents(conversation(), tail ?? []).messages;
  assert.deepEqual(inShort(said), [CONTEXT, ...IN_PARENT, ...IN_FORK].slice(-said.length));
  assert.ok(said.length >= 3);
});

Deno.test("a fork whose parent is gone is read as far as it goes, and says so", async () => {
  const files = Object.entries(CODEX_FILES).filter(([name]) => !name.includes(PARENT));
  await using home = await makeHome(Object.fromEntries(files));
  const fork = await located(home, FORK);
  const { events, found } = await readAll(codexAgent, fork);
  assert.deepEqual(found.map(({ code }) => code), ["missing-parent"]);
  assert.deepEqual(inShort(foldEvents(conversation(), events).messages), IN_FORK);
});

Deno.test("a fork that begins behind the end of its parent is read on its own, and its lost part told", async () => {
  const text = await Deno.readTextFile(fixture("fork.jsonl"));
  const [name = ""] = Object.keys(CODEX_FILES).filter((path) => path.includes(FORK));
  for (const end of ["5000", "1000000000000000", "1e308"]) {
    const content = text.replace(/("end_byte_offset":)\d+/, `$1${end}`);
    await using home = await makeHome({ ...CODEX_FILES, [name]: content });
    const fork = await located(home, FORK);
    const { events, found } = await readAll(codexAgent, fork);
    assert.deepEqual(found.map(({ code }) => code), ["missing-parent"], end);
    const said = inShort(foldEvents(conversation(), events).messages);
    assert.deepEqual([said.slice(1, 3), said.slice(-2)], [IN_PARENT, IN_FORK], end);
    assert.ok((await codexAgent.open(fork).readTail({ messages: 3 }))?.length);
  }
});

Deno.test("a fork of itself ends", async () => {
  const text = await Deno.readTextFile(fixture("fork.jsonl"));
  const name = `.codex/sessions/2026/03/02/rollout-2026-03-02T09-00-00-${FORK}.jsonl`;
  await using home = await makeHome({ [name]: text.replaceAll(PARENT, FORK) });
  const { events, found } = await readAll(codexAgent, await located(home, FORK));
  assert.deepEqual(found.map(({ code }) => code), ["parent-cycle"]);
  assert.deepEqual(inShort(foldEvents(conversation(), events).messages), IN_FORK);
});

Deno.test("a fork of a compacted parent needs nothing from before the compaction", async () => {
  const parent = await Deno.readTextFile(fixture("compacted.jsonl"));
  const fork = await Deno.readTextFile(fixture("fork.jsonl"));
  const id = "01a1aaaa-0000-7000-8000-000000000003";
  const end = new TextEncoder().encode(parent).length;
  const folder = ".codex/sessions/2026/03/02/rollout-2026-03-02T09-00-00-";
  await using home = await makeHome({
    [`${folder}${id}.jsonl`]: parent,
    [`${folder}${FORK}.jsonl`]: fork.replaceAll(PARENT, id)
      .replace(/"end_byte_offset":\d+/, `"end_byte_offset":${end}`),
  });
  const session = await located(home, FORK);
  const { messages } = await conversationOf(codexAgent, session);
  assert.deepEqual(inShort(messages.slice(-4)), [
    ["user", "And then?"],
    ["assistant", "Two."],
    ...IN_FORK,
  ]);
  const { events } = await readAll(codexAgent, session);
  assert.deepEqual(foldEvents(conversation(), events).messages, messages);
});
