import assert from "node:assert/strict";
import { join } from "node:path";
import { clineAgent, clineFormat } from "../../../lib/agents/cline/cline_agent.ts";
import { kiloCode, roo } from "../../../lib/agents/cline/family.ts";
import { readEdits } from "../../../lib/blame/session_changes.ts";
import { contentText } from "../../../lib/event/message.ts";
import { loadLocator } from "../../../lib/library/locators.ts";
import { descriptorOf } from "../../../lib/library/registry.ts";
import type { Agent, AgentSession } from "../../../lib/source/agent.ts";
import {
  type AgentHome,
  codesOf,
  conversationOf,
  makeHome,
  onlySession,
  payloadsOf,
  responseParts,
  testAgentContract,
} from "../../_support/agent_contract.ts";
import { inShort } from "../_in_short.ts";
import { Reading } from "../_reading.ts";
import { clineFiles, clineHome, PLACES } from "./_cline_home.ts";

const cline = new Reading(clineAgent, { format: clineFormat });

const CORE = "1795793566583_ahli1";
const LEAD = "1795793698514_c7jgc";
const NATIVE = "1767225600000";
const TAGGED = "1734567890123";
const PORT = "0199c0de-0000-7000-8000-000000000001";
const CHILD = "0199c0de-0000-7000-8000-000000000002";
const HISTORY = "api_conversation_history.json";

async function core(home: AgentHome, id: string): Promise<AgentSession> {
  return await cline.onlyIn(home, PLACES.core, id, `${id}.messages.json`);
}

async function task(
  home: AgentHome,
  id: string,
  { form = "extension", agent = clineAgent }: { form?: keyof typeof PLACES; agent?: Agent } = {},
): Promise<AgentSession> {
  return await onlySession(agent, join(home.path, PLACES[form], "tasks", id, HISTORY));
}

/** A session of a list of messages that lies alone. */
async function taskOf(home: AgentHome, messages: unknown): Promise<AgentSession> {
  const path = join(home.path, HISTORY);
  Deno.writeTextFileSync(path, JSON.stringify(messages));
  return await cline.only(path);
}

cline.testContract("cline", {
  fork: null,
  files: clineFiles("core"),
  ids: ["1795793566583_ahli1", "1795793698514_c7jgc"],
  id: "1795793698514_c7jgc",
  cwd: "/home/dev/my-app",
  all_or_nothing: true,
});

cline.testContract("cline's extension", {
  fork: null,
  files: clineFiles("extension"),
  ids: ["1767225600000", "1734567890123"],
  cwd: "/home/dev/old-app",
  all_or_nothing: true,
});

testAgentContract("roo", {
  agent: await roo.loadReader(),
  files: clineFiles("roo"),
  ids: ["0199c0de-0000-7000-8000-000000000001"],
  cwd: "/home/dev/port",
  all_or_nothing: true,
});

Deno.test("each record of Cline becomes what it says, in all its forms", async () => {
  await using home = await clineHome("core", "extension", "roo");
  const sessions = {
    core: await core(home, CORE),
    native: await task(home, NATIVE),
    tagged: await task(home, TAGGED),
    roo: await task(home, PORT, { form: "roo" }),
    child: await task(home, CHILD, { form: "roo" }),
  };
  for (const [name, session] of Object.entries(sessions)) {
    await cline.assertGolden(session, name);
  }
});

Deno.test("Cline goes on from its compaction as its requests do", async () => {
  await using home = await clineHome("core");
  const session = await core(home, CORE);
  const messages = await cline.messages(session);
  assert.deepEqual(messages.map(({ role }) => role), [
    ...["user", "assistant", "tool", "assistant", "user", "assistant", "user", "assistant"],
  ]);
  assert.match(contentText(messages[0]?.content ?? ""), /^Context summary:\n\nok/);
  const compaction = session.path.replace(".messages.json", ".compaction.json");
  const state = JSON.parse(Deno.readTextFileSync(compaction));
  Deno.writeTextFileSync(
    compaction,
    JSON.stringify({ ...state, source_last_message_key: "id:gone" }),
  );
  const all = await cline.conversation(session);
  assert.equal(all.messages[0]?.content, "Change one to two in a.txt");
});

Deno.test("a message of Cline that is only shown is not sent", async () => {
  await using home = await clineHome("core");
  const session = await core(home, LEAD);
  const document = JSON.parse(Deno.readTextFileSync(session.path));
  document.messages[3].metadata = { displayOnly: true };
  Deno.writeTextFileSync(session.path, JSON.stringify(document));
  const messages = await cline.messages(session);
  assert.equal(messages.at(-1)?.role, "tool");
  assert.equal((await cline.payloads(session, "assistant_message")).length, 2);
});

Deno.test("texts of Cline's program that look like the extension's tags are texts", async () => {
  await using home = await clineHome("core");
  const session = await core(home, LEAD);
  const document = JSON.parse(Deno.readTextFileSync(session.path));
  const texts = ["<task>a</task>", "<read_file><path>a</path></read_file>"];
  document.messages = [
    { role: "user", content: [{ type: "text", text: texts[0] }] },
    { role: "assistant", content: [{ type: "text", text: texts[1] }] },
  ];
  Deno.writeTextFileSync(session.path, JSON.stringify(document));
  const { events } = await cline.read(session);
  assert.equal(payloadsOf(events, "user_message")[0]?.content, texts[0]);
  assert.equal(payloadsOf(events, "assistant_message")[0]?.content, texts[1]);
});

Deno.test("a subagent of Cline is a thread, with its own tokens", async () => {
  await using home = await clineHome("core");
  const session = await core(home, LEAD);
  const reader = clineAgent.open(session);
  const [, child] = await reader.threads();
  assert.deepEqual([child?.kind, child?.title, child?.records], ["subagent", "Review a.txt", 4]);
  assert.deepEqual([child?.usage?.input, child?.usage?.output], [130, 13]);
  const row = await reader.summarize({ exact: true });
  assert.deepEqual([row?.usage?.input, row?.title], [130, "Have a.txt reviewed"]);
  const { events } = await cline.read(session, { thread: child?.id });
  assert.equal(payloadsOf(events, "assistant_message").at(-1)?.content, "The review is fine.");
  const found = await cline.located(home, { subagents: true });
  assert.equal(found.length, 3);
  assert.equal((await reader.files())?.paths.length, 3);
});

Deno.test("tokens of Cline count once, cached ones apart", async () => {
  await using home = await clineHome("core", "extension");
  const exact = async (session: AgentSession) => await cline.summary(session, { exact: true });
  const program = await exact(await core(home, CORE));
  assert.deepEqual(program?.usage, { input: 6565, output: 105, cache_read: 40, cache_write: 0 });
  const native = await exact(await task(home, NATIVE));
  assert.deepEqual(native?.usage, { input: 130, output: 30, cache_read: 90, cache_write: 5 });
  assert.equal(native?.cost_usd, 0.03);
  const tagged = await exact(await task(home, TAGGED));
  assert.deepEqual([tagged?.usage, tagged?.cost_usd], [{ input: 50, output: 40 }, 0.005]);
});

Deno.test("the first two messages of a task and those behind its range are sent", async () => {
  await using home = await clineHome("extension");
  const messages = await cline.messages(await task(home, TAGGED));
  assert.deepEqual(messages.map(({ role }) => role), ["user", "assistant", "user", "assistant"]);
  assert.match(contentText(messages[2]?.content ?? ""), /^\[execute_command for/);
  assert.match(contentText(messages[1]?.content ?? ""), /<write_to_file>\n<path>hello\.py/);
});

Deno.test("calls that stand in texts are shown as calls, with their results", async () => {
  await using home = await clineHome("extension");
  const session = await task(home, TAGGED);
  const { events } = await cline.read(session);
  const calls = responseParts(events, "tool_call").map(({ name, input }) => [name, input]);
  assert.deepEqual(calls, [
    ["write_to_file", { path: "hello.py", content: 'print("<path>")' }],
    ["execute_command", { command: "python hello.py", requires_approval: "false" }],
    ["attempt_completion", { result: "The world is greeted." }],
  ]);
  const [written] = payloadsOf(events, "tool_end");
  assert.equal(written?.output, "The content was successfully saved to hello.py.");
  const [edit] = await readEdits(session);
  assert.deepEqual(edit?.change, { kind: "write", content: 'print("<path>")' });
  const row = await cline.summary(session);
  assert.deepEqual([row?.status, row?.title], ["completed", "Greet the world"]);
});

Deno.test("edits of Cline are recognized in each form", async () => {
  await using home = await clineHome("core", "extension", "roo");
  const [edited] = await readEdits(await core(home, CORE));
  assert.deepEqual(edited?.change, {
    kind: "blocks",
    blocks: [{ before: [], removed: ["one"], added: ["two"], after: [] }],
    replacements: [{ all: false, new_text: "two", old_text: "one" }],
  });
  const [replaced] = await readEdits(await task(home, NATIVE));
  assert.deepEqual(replaced?.change.kind === "blocks" && replaced.change.blocks[0]?.added, [
    "def two():",
  ]);
  const [child] = await readEdits(await task(home, CHILD, { form: "roo" }));
  assert.deepEqual(child?.change, { kind: "write", content: "fn one() {}\n" });
});

Deno.test("a new file and a block of Roo Code's form are edits, too", async () => {
  await using home = await makeHome({});
  const call = (id: string, name: string, input: object): object => ({
    role: "assistant",
    content: [{ type: "tool_use", id, name, input }],
  });
  const result = (tool_use_id: string, content: unknown): object => ({
    role: "user",
    content: [{ type: "tool_result", tool_use_id, content }],
  });
  const diff = "<<<<<<< SEARCH\n:start_line:4\n-------\nold\n=======\nnew\n>>>>>>> REPLACE";
  const created = { query: "edit:/w/b", result: "File created successfully at: /w/b" };
  const session = await taskOf(home, [
    call("1", "apply_diff", { path: "a", diff }),
    result("1", "Saved."),
    call("2", "editor", { path: "/w/b", new_text: "x\ny\n" }),
    result("2", JSON.stringify({ ...created, success: true })),
    call("3", "editor", { path: "/w/b", old_text: "x", new_text: "z" }),
    result("3", [{ query: "edit:/w/b", error: "No match", success: false }]),
  ]);
  const edits = await readEdits(session);
  assert.deepEqual(edits.map(({ path, change }) => [path, change.kind === "blocks" && change]), [
    ["a", {
      kind: "blocks",
      blocks: [{ before: [], removed: ["old"], added: ["new"], after: [] }],
    }],
    ["/w/b", {
      kind: "blocks",
      blocks: [{ before: [], removed: [], added: ["x", "y"], after: [], line: 1, whole: true }],
    }],
  ]);
});

Deno.test("images of Cline are read in each form", async () => {
  await using home = await makeHome({});
  const data = "iVBORw0KGgo=";
  const images = [
    { type: "image", data, mediaType: "image/png" },
    { type: "image", source: { type: "base64", media_type: "image/png", data } },
    { type: "image", image: `data:image/png;base64,${data}` },
  ];
  const content = [{ type: "text", text: "Seen" }, ...images];
  const session = await taskOf(home, [
    { role: "user", content: images },
    { role: "assistant", content: [{ type: "tool_use", id: "1", name: "read_files", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content }] },
  ]);
  const { events } = await cline.read(session);
  const [prompt] = payloadsOf(events, "user_message");
  const [end] = payloadsOf(events, "tool_end");
  const kinds = (parts: unknown): unknown => (parts as { type: string }[]).map(({ type }) => type);
  assert.deepEqual(kinds(prompt?.content), ["image", "image", "image"]);
  assert.deepEqual(kinds(end?.output), ["text", "image", "image", "image"]);
});

Deno.test("Roo Code goes on from its last summary, without what a mark hides", async () => {
  await using home = await clineHome("roo");
  const agent = await roo.loadReader();
  const session = await task(home, PORT, { form: "roo", agent });
  assert.equal(session.agent, "roo");
  const { messages } = await conversationOf(agent, session);
  assert.deepEqual(inShort(messages).map((one) => (one as string[])[0]), [
    ...["user", "user", "user", "assistant"],
  ]);
  assert.match(contentText(messages[0]?.content ?? ""), /^## Conversation Summary/);
  assert.ok(!JSON.stringify(messages).includes("I go on."));
});

Deno.test("a task that Roo Code delegated is a thread of the task that did", async () => {
  await using home = await clineHome("roo");
  const agent = await roo.loadReader();
  const { locate } = await loadLocator("roo");
  const [session, ...more] = await Array.fromAsync(locate(home.environment));
  assert.ok(session !== undefined);
  assert.deepEqual([session.id, session.cwd, more.length], [PORT, "/home/dev/port", 0]);
  const threads = await agent.open(session).threads();
  assert.deepEqual(threads.map(({ id }) => id), ["main", CHILD]);
});

Deno.test("the extension of Kilo Code keeps the same tasks in its own folder", async () => {
  const tasks = ".vscode-server/data/User/globalStorage/kilocode.kilo-code/tasks";
  const prompt = "<task>\nHi\n</task>\n# Current Workspace Directory (/home/dev/kilo) Files\na";
  await using home = await makeHome({
    [`${tasks}/${NATIVE}/${HISTORY}`]: JSON.stringify([{ role: "user", content: prompt }]),
  });
  const { locate } = await loadLocator("kilo-code");
  const [session] = await Array.fromAsync(locate(home.environment));
  assert.ok(session !== undefined);
  const row = await (await kiloCode.loadReader()).open(session).summarize();
  assert.deepEqual([row?.ref, row?.cwd, row?.first_user_message], [
    ...[`kilo-code:${NATIVE}`, "/home/dev/kilo", "Hi"],
  ]);
});

Deno.test("a text that only the screen of a task has is a notice at its place", async () => {
  await using home = await clineHome("extension");
  const { events } = await cline.read(await task(home, NATIVE));
  const [notice] = payloadsOf(events, "notice");
  assert.deepEqual([notice?.title, notice?.text, notice?.level], [
    ...["error retry", "The provider was busy.", "error"],
  ]);
  const kinds = events.map(({ kind }) => kind);
  const at = kinds.indexOf("notice");
  assert.ok(at > kinds.indexOf("tool_end") && at < kinds.lastIndexOf("tool_end"));
});

Deno.test("a task that has lost its messages is what its screen showed", async () => {
  await using home = await makeHome({
    "tasks/1/ui_messages.json": JSON.stringify([
      { ts: 1767225600000, type: "say", say: "text", text: "Greet" },
      { ts: 1767225601000, type: "say", say: "text", text: "Hello!" },
      { ts: 1767225602000, type: "say", say: "error", text: "It broke." },
    ]),
  });
  const { events } = await cline.read(await cline.onlyIn(home, "tasks/1/ui_messages.json"));
  assert.equal(payloadsOf(events, "user_message")[0]?.content, "Greet");
  assert.equal(payloadsOf(events, "assistant_message")[0]?.content, "Hello!");
  assert.equal(payloadsOf(events, "notice")[0]?.text, "It broke.");
});

Deno.test("a document of Cline that is cut is read as far as it goes", async () => {
  await using home = await clineHome("core", "extension");
  for (const session of [await core(home, LEAD), await task(home, NATIVE)]) {
    const whole = Deno.readTextFileSync(session.path);
    Deno.writeTextFileSync(session.path, whole.slice(0, whole.length / 2));
    const read = await cline.read(session);
    assert.deepEqual(codesOf(read), ["torn-tail"]);
    assert.equal(payloadsOf(read.events, "user_message").length > 0, true);
    Deno.writeTextFileSync(session.path, "no JSON at all");
    assert.deepEqual(codesOf(await cline.read(session)), ["malformed-line"]);
  }
});

Deno.test("Cline's program resumes its sessions, and no task of the extension", async () => {
  await using home = await clineHome("core", "extension");
  const { resumeCommand } = descriptorOf("cline");
  assert.deepEqual(resumeCommand(await core(home, CORE))?.argv, ["cline", "--id", CORE]);
  assert.equal(resumeCommand(await task(home, NATIVE)), undefined);
});
