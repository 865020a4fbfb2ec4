import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { piAgent } from "../../../lib/agents/pi/pi_agent.ts";
import type { Message } from "../../../lib/event/message.ts";
import type { EventKind, PayloadByKind } from "../../../lib/event/payload.ts";
import { SessionError } from "../../../lib/event/session_error.ts";
import { conversation } from "../../../lib/projection/conversation/conversation.ts";
import { foldBatches, foldEvents } from "../../../lib/projection/projection.ts";
import { usage, usageRows } from "../../_support/usage.ts";
import {
  type AgentRead,
  codesOf,
  locateAll,
  makeHome,
  payloadsOf,
  responseParts,
} from "../../_support/agent_contract.ts";
import { Reading } from "../_reading.ts";
import { withDirectory } from "../../_support/temp_directory.ts";
import { messageInShort } from "../../_support/message_in_short.ts";
import { pi } from "../../../lib/agents/pi/descriptor.ts";

const reading = new Reading(piAgent);

function path(name: string): string {
  return fileURLToPath(new URL(`../../../testdata/agents/pi/${name}.jsonl`, import.meta.url));
}

async function read(name: string, options: { thread?: string } = {}): Promise<AgentRead> {
  return await reading.read(await reading.only(path(name)), options);
}

async function messages(name: string): Promise<Message[]> {
  return (await reading.conversation(await reading.only(path(name)))).messages;
}

/** A conversation in short: who says what. */
async function said(name: string): Promise<string[]> {
  return (await messages(name)).map(messageInShort);
}

function payloads<Kind extends EventKind>(
  { events }: AgentRead,
  kind: Kind,
): PayloadByKind[Kind][] {
  return payloadsOf(events, kind);
}

const COMPACTED =
  "user: The conversation history before this point was compacted into the following summary:" +
  "\n\n<summary>\n";

const FOLDER = ".pi/agent/sessions/--home-dev-src-app--";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/pi/${name}.jsonl`, import.meta.url);
}

function file(id: number | string): string {
  return `2026-03-01T10-00-00-000Z_0195a000-0000-7000-8000-00000000000${id}.jsonl`;
}

function id(number: number | string): string {
  return `0195a000-0000-7000-8000-00000000000${number}`;
}

reading.testContract("pi", {
  files: {
    [`${FOLDER}/${file(1)}`]: fixture("turn"),
    [`${FOLDER}/${file(2)}`]: fixture("small"),
    [`${FOLDER}/${file(3)}`]: fixture("tree"),
    [`${FOLDER}/${file(4)}`]: fixture("context_edit"),
    [`${FOLDER}/${file(5)}`]: fixture("compaction_chained"),
    [`.pi/agent/sessions/--home-dev-other--/${file(6)}`]: fixture("title_elsewhere"),
    [`.pi/agent/sessions/--home-dev-other--/${file(7)}`]: fixture("interrupted"),
    ".pi/agent/sessions/2025-11-01T10-00-00-000Z_old-1.jsonl": fixture("v1"),
    [`.pi/agent/sessions/--home-dev-src-app--/${file(9)}`]: fixture("extension_first"),
    ".pi/agent/sessions/--home-dev-src-app--/notes.txt": "no session",
    ".pi/agent/settings.json": "{ broken",
  },
  ids: [...[1, 2, 3, 4, 5, 6, 7, 9].map(id), "old-1"],
  cwd: "/home/dev/src/app",
  id: id(2),
});

reading.testContract("pi, by its tree", {
  files: { [`elsewhere/sessions/--x--/${file(3)}`]: fixture("tree") },
  ids: [id(3)],
  variables: { PI_CODING_AGENT_DIR: "~/elsewhere" },
});

reading.testContract("pi, by the first version", {
  files: { "flat/2025-11-01T10-00-00-000Z_old-1.jsonl": fixture("v1") },
  ids: ["old-1"],
  variables: { PI_CODING_AGENT_SESSION_DIR: "~/flat" },
  cwd: "/home/dev/src/app",
});

reading.testContract("pi, by its settings", {
  files: {
    ".pi/agent/settings.json": '{ "sessionDir": "~/flat" }',
    [`flat/${file("a")}`]: fixture("context_edit_amid_calls"),
  },
  ids: [id("a")],
});

Deno.test("a turn becomes reasoning, text, calls with their results, and a diff", async () => {
  const turn = await read("turn");
  assert.deepEqual(turn.events.map(({ kind }) => kind), [
    "session_started",
    "user_message",
    "assistant_message",
    "tool_start",
    "bash_start",
    "tool_end",
    "bash_end",
    "assistant_message",
    "tool_end",
    "diff",
    "assistant_message",
    "session_renamed",
  ]);
  assert.deepEqual(payloads(turn, "diff"), [{
    call_id: "c3",
    path: "x.ts",
    lines: [
      { kind: "removed", old: 1, content: "let x" },
      { kind: "added", new: 1, content: "const x" },
    ],
  }]);
  assert.deepEqual(responseParts(turn.events, "reasoning"), [
    { type: "reasoning", text: "Look first.", provider_data: { signature: "c2ln" } },
  ]);
  const [answer] = payloads(turn, "assistant_message");
  assert.deepEqual(answer?.usage, { input: 10, output: 4, cache_read: 2, cache_write: 1 });
  assert.equal(answer?.cost_usd, 0.03);
  assert.deepEqual(payloads(turn, "session_renamed"), [{ title: "Bug hunt" }]);
  assert.ok(
    turn.events.slice(1).every((event) => event.form === "known" && event.turn_id === "a1"),
  );
});

Deno.test("the conversation gives each call its result", async () => {
  assert.deepEqual(await said("turn"), [
    "user: Fix the bug",
    'assistant: Look first. | I look. | read({"path":"x.ts"}) | bash({"command":"ls"})',
    "tool: ok let x | ok x.ts",
    'assistant: edit({"path":"x.ts","oldText":"let","newText":"const"})',
    "tool: ok Done.",
    "assistant: Fixed.",
  ]);
});

Deno.test("the live branch ends at the last entry; what it came back from is told", async () => {
  assert.deepEqual(await said("tree"), [
    "user: start",
    "assistant: r1",
    "user: The following is a summary of a branch that this conversation came back from:" +
    "\n\n<summary>\nTried B.</summary>",
    "user: Injected.",
    "user: way C",
    "assistant: C result",
  ]);
  const { account } = await read("tree");
  assert.ok(account.dead > 0);
});

Deno.test("another branch is read by the id of a record on it", async () => {
  for (const branch of ["b1", "b2"]) {
    const tree = await read("tree", { thread: branch });
    assert.deepEqual(payloads(tree, "user_message").map(({ content }) => content), [
      "start",
      "way B",
    ]);
  }
  const session = await reading.only(path("tree"));
  await assert.rejects(
    reading.read(session, { thread: "none" }),
    (error) => error instanceof SessionError && error.code === "not-found",
  );
});

Deno.test("the title that was given last counts, on whatever branch", async () => {
  const session = await reading.only(path("title_elsewhere"));
  assert.equal((await reading.summary(session))?.title, "New title");
  assert.equal((await reading.summary(session, { exact: true }))?.title, "New title");
});

Deno.test("the last of chained compactions counts, and keeps from its entry on", async () => {
  assert.deepEqual(await said("compaction_chained"), [
    `${COMPACTED}Sum 2\n</summary>`,
    "assistant: a2",
    "user: q3",
    "assistant: a3",
    "user: q4",
  ]);
  const session = await reading.only(path("compaction_chained"));
  const shown = await reading.transcript(session);
  assert.deepEqual(
    shown.flatMap((item) => item.type === "message" ? [item.content] : [item.type]),
    ["session", "q1", "a1", "q2", "a2", "compaction", "q3", "a3", "compaction", "q4"],
  );
});

Deno.test("a compaction that names itself, or no entry, keeps nothing", async () => {
  const left = [`${COMPACTED}Sum\n</summary>`, "user: q2"];
  assert.deepEqual(await said("compaction_keeps_none"), left);
  assert.deepEqual(await said("compaction_lost_entry"), left);
});

Deno.test("edits of the context change the conversation, not what was seen", async () => {
  assert.deepEqual(await said("context_edit"), [
    "user: q1, edited",
    "assistant: a1",
    "user: q2",
    "assistant: a2",
  ]);
  const session = await reading.only(path("context_edit"));
  const shown = await reading.transcript(session);
  assert.deepEqual(
    shown.flatMap((item) => item.type === "message" ? [item.content] : [item.type]),
    ["session", "q1", "a1", "q2", "half", "failure", "attached", "replaced", "a2"],
  );
  // The full view has the words that the model gets instead.
  assert.deepEqual(payloads(await read("context_edit"), "notice"), [
    { audience: "model", title: "context edit", text: "q1, edited" },
  ]);
});

Deno.test("an edit between a call and its result waits for the result", async () => {
  assert.deepEqual(await said("context_edit_amid_calls"), [
    "user: q1, edited",
    'assistant: read({"path":"x"})',
    "tool: ok x",
    "assistant: a1",
  ]);
});

Deno.test("the first version is a list; a compaction names an entry by its number", async () => {
  assert.deepEqual(await said("v1"), [
    `${COMPACTED}Sum\n</summary>`,
    "user: q2",
    "assistant: a2",
    "user: q3",
  ]);
  const [started] = payloads(await read("v1"), "session_started");
  assert.deepEqual(started?.environment, {
    provider: "anthropic",
    model: "m0",
    thinking_level: "off",
  });
});

Deno.test("the second version's hook messages are said as the user's", async () => {
  assert.deepEqual(await said("v2"), ["user: From a hook.", "user: q1", "assistant: a1"]);
});

Deno.test("entries of later versions are kept, and the rest is read", async () => {
  const newer = await read("newer");
  assert.deepEqual(codesOf(newer), []);
  assert.deepEqual(payloads(newer, "extension").map(({ type }) => type), [
    "future_thing",
    "content_block/hologram",
  ]);
  assert.deepEqual(await said("newer"), ["user: q1", "assistant: a1"]);
});

Deno.test("a cycle and a missing parent end the branch, and are reported", async () => {
  assert.deepEqual(codesOf(await read("cycle")), ["parent-cycle"]);
  assert.deepEqual(await said("cycle"), ["user: q1", "assistant: a1", "user: q2", "assistant: a2"]);
  assert.deepEqual(codesOf(await read("own_parent")), ["parent-cycle"]);
  assert.deepEqual(await said("own_parent"), ["assistant: a1"]);
  assert.deepEqual(codesOf(await read("missing_parent")), ["missing-parent"]);
  assert.deepEqual(await said("missing_parent"), ["assistant: a1", "user: q2"]);
});

Deno.test("a glued line keeps its whole entry, and the torn one leads on", async () => {
  const glued = await read("glued");
  assert.deepEqual(codesOf(glued), ["glued-line"]);
  assert.deepEqual(await said("glued"), [
    "user: q1",
    "assistant: a1",
    "assistant: whole answer",
    "user: q3",
  ]);
  const salvaged = glued.events.filter(({ integrity }) => integrity === "salvaged");
  assert.deepEqual(salvaged.map(({ kind }) => kind), ["assistant_message"]);
});

Deno.test("a damaged entry is lost, what stands before it is not", async () => {
  assert.deepEqual(codesOf(await read("damaged_parent")), ["malformed-line"]);
  assert.deepEqual(await said("damaged_parent"), ["user: q1", "user: q2"]);
});

Deno.test("a torn tail, a lost header and a byte order mark cost nothing else", async () => {
  assert.deepEqual(codesOf(await read("torn_tail")), ["torn-tail"]);
  assert.deepEqual(await said("torn_tail"), ["user: q1", "assistant: a1"]);
  assert.deepEqual(await said("headerless"), ["user: q1", "assistant: a1"]);
  assert.deepEqual(await said("bom"), ["user: q1"]);
});

Deno.test("an interrupted answer is shown and not sent again, a failed one says why", async () => {
  const interrupted = await read("interrupted");
  assert.deepEqual(payloads(interrupted, "assistant_interrupted"), [
    {
      content: [{ type: "text", text: "Half an ans", audience: "user" }],
      message_id: "a2",
      reason: "Request was aborted",
    },
  ]);
  assert.deepEqual(payloads(interrupted, "turn_failed"), [
    { reason: "error", message: "503 overloaded" },
  ]);
  assert.deepEqual(await said("interrupted"), [
    "user: q1",
    "user: Ran `ls`\n```\nx.ts\n\n```\n\nCommand exited with code 2",
    "user: go on",
  ]);
  // What the user ran with `!!` is shown, and not told.
  const shown = payloads(interrupted, "bash_start");
  assert.deepEqual(shown.map(({ audience }) => audience), ["user"]);
  assert.equal(payloads(interrupted, "bash_end").length, 1);
});

Deno.test("only the user has thoughts, texts and calls of stopped and failed answers", async () => {
  const session = await reading.only(path("unsent"));
  const messages = await reading.messages(session);
  assert.deepEqual(messages, [
    { role: "user", content: "look" },
    { role: "user", content: "again" },
    {
      role: "assistant",
      content: [{ type: "tool_call", call_id: "c3", name: "read", input: { path: "x" } }],
    },
    {
      role: "tool",
      content: [{
        type: "tool_result",
        call_id: "c3",
        name: "read",
        status: "error",
        output: "No result provided",
      }],
    },
    { role: "user", content: "and now" },
  ]);
  const shown = (await reading.transcript(session)).map((item) =>
    item.type === "message"
      ? [item.type, item.content]
      : item.type === "reasoning"
      ? [item.type, item.text]
      : [item.type]
  );
  assert.deepEqual(shown, [
    ["session"],
    ["message", "look"],
    ["reasoning", "I look"],
    ["message", "Looking"],
    ["bash"],
    ["message", "again"],
    ["message", "Half"],
    ["tool"],
    ["failure"],
    ["tool"],
    ["message", "and now"],
  ]);
});

Deno.test("images are attachments; those of a tool stand in its result", async () => {
  const image = "[image/png, 70 bytes]";
  assert.deepEqual(await said("images"), [
    `user: What is it? | ${image}`,
    'assistant: shot({}) | read({"path":"y"})',
    `tool: ok taken + ${image} | error no such file`,
    "assistant: A dot.",
  ]);
  const [prompt] = payloads(await read("images"), "user_message");
  const part = typeof prompt?.content === "string" ? undefined : prompt?.content[1];
  assert.ok(part?.type === "image");
  assert.match(part.sha256, /^[0-9a-f]{64}$/);
});

Deno.test("a fork says what it was forked from, and how much of it is a copy", async () => {
  const parent = "2026-02-01T00-00-00-000Z_0195a000-0000-7000-8000-000000000001.jsonl";
  await using home = await makeHome({
    "sessions/fork.jsonl": pathToFileURL(path("fork")),
    [`sessions/${parent}`]: pathToFileURL(path("small")),
  });
  const session = await reading.onlyIn(home, "sessions/fork.jsonl");
  const fork = await reading.read(session);
  const [started] = payloads(fork, "session_started");
  assert.equal(started?.parent?.session_id, "0195a000-0000-7000-8000-000000000001");
  const own = fork.events.filter(({ seq }) => seq > (started?.parent?.seq ?? 0));
  assert.deepEqual(own.map(({ kind }) => kind), ["user_message", "assistant_message"]);
  // Where the parent is gone, what was copied is nowhere else.
  await Deno.remove(join(home.path, "sessions", parent));
  const alone = await reading.read(session);
  assert.equal(payloads(alone, "session_started")[0]?.parent?.seq, undefined);
  assert.deepEqual(foldEvents(usage(), alone.events)[0]?.usage, {
    input: 20,
    output: 8,
    cache_read: 4,
    cache_write: 2,
  });
});

Deno.test("branches are threads of their own, called by their label or their first prompt", async () => {
  const session = await reading.only(path("tree"));
  const threads = await piAgent.open(session).threads();
  assert.deepEqual(
    threads?.map(({ id, kind, parent, title, records }) => [
      id,
      kind,
      parent?.thread,
      title,
      records,
    ]),
    [
      ["main", "main", undefined, undefined, 7],
      ["b1", "branch", "main", "way B", 2],
    ],
  );
  assert.deepEqual(threads?.[1]?.usage, { input: 10, output: 4, cache_read: 2, cache_write: 1 });
  const whole = await read("tree", { thread: "b1" });
  assert.deepEqual((await read("tree", { thread: "b2" })).events, whole.events);
  assert.deepEqual((await read("tree", { thread: "main" })).events, (await read("tree")).events);
  await assert.rejects(read("tree", { thread: "zz" }), { code: "not-found" });
});

Deno.test("the responses of all branches are told, each with its thread", async () => {
  const session = await reading.only(path("tree"));
  const told = (await Array.fromAsync(piAgent.open(session).usage())).flat();
  assert.deepEqual(
    told.map(({ thread, model, usage }) => [thread, model, usage.input]),
    [[undefined, "m1", 10], ["b1", "m1", 10], [undefined, "", 10], [undefined, "m1", 10]],
  );
  const [copy] = (await Array.fromAsync(
    piAgent.open(await reading.only(path("fork"))).usage(),
  )).flat();
  assert.equal(copy?.key, told[0]?.key, "a fork's copies are known by their keys");
});

Deno.test("responses that share a provider's id are counted each, and a fork's copies once", async () => {
  const session = await reading.only(path("repeated_id"));
  const told = (await Array.fromAsync(piAgent.open(session).usage())).flat();
  assert.deepEqual(usageRows(told).map(({ usage }) => usage.output), [1003]);
  const copies = structuredClone(told);
  assert.deepEqual(usageRows([...told, ...copies]).map(({ usage }) => usage.output), [1003]);
});

Deno.test("equal responses of entries that were written at once are counted each", async () => {
  const timestamp = "2026-01-01T10:00:00.000Z";
  const answers = ["a1", "a2"].map((id, at) => {
    const message = { role: "assistant", content: [], usage: { input: 1, output: 2 } };
    return { type: "message", id, timestamp, message: { ...message, timestamp: 1e12 + at } };
  });
  const lines = [{ type: "session", version: 3, id: "s1", timestamp, cwd: "/work" }, ...answers];
  await withDirectory(async (directory) => {
    const file = join(directory, "s1.jsonl");
    await Deno.writeTextFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const told = await Array.fromAsync(piAgent.open(await reading.only(file)).usage());
    assert.deepEqual(usageRows(told.flat()).map(({ usage }) => usage.output), [4]);
  });
});

Deno.test("a session is called by what the user wrote, not by what an extension said", async () => {
  const session = await reading.only(path("extension_first"));
  assert.equal((await reading.summary(session))?.title, "The real question");
});

Deno.test("records in force give the same conversation as the whole", async () => {
  for (const { name } of Deno.readDirSync(path("turn").replace(/turn\.jsonl$/, ""))) {
    const session = await reading.only(path(name.replace(/\.jsonl$/, "")));
    const projection = conversation({ reasoning: "include" });
    const { needs } = projection;
    const part = await foldBatches(
      projection,
      piAgent.open(session).read({ needs, in_force: true }),
    );
    assert.deepEqual(part.messages, (await reading.conversation(session)).messages, name);
  }
});

Deno.test("an id that a program chose may have an underscore", async () => {
  await using home = await makeHome({
    ".pi/agent/sessions/--w--/2026-11-21T20-40-14-943Z_my.custom_id-1.jsonl": "",
  });
  const found = await locateAll(piAgent, home.environment);
  assert.deepEqual(found.map(({ id }) => id), ["my.custom_id-1"]);
});

Deno.test("fen's sessions, which look alike, are not taken for pi's", () => {
  const fen =
    '{"type":"session","version":2,"id":"x","timestamp":"2026-08-01T10-00-00","cwd":"/a"}\n';
  assert.equal(piAgent.recognize("x.jsonl", new TextEncoder().encode(fen)), false);
  for (const name of ["turn", "v1", "headerless", "bom"]) {
    assert.ok(piAgent.recognize("x.jsonl", Deno.readFileSync(path(name))), name);
  }
});

Deno.test("pi goes on with a session by its path", async () => {
  const session = await reading.only(path("turn"));
  assert.deepEqual(pi.resumeCommand(session)?.argv, ["pi", "--session", path("turn")]);
});

Deno.test("a branch is called by what the user wrote on it, not by what pi says in the user's name", async () => {
  const lines = (await Deno.readTextFile(path("tree"))).trimEnd().split("\n");
  const entry = (id: string, parentId: string, value: unknown): string =>
    JSON.stringify({ id, parentId, timestamp: "2026-03-01T10:00:02.500Z", ...value as object });
  // Two branches that pi began with a summary: on one the user wrote, on the other nobody did.
  const summary = { type: "branch_summary", fromId: "b2", summary: "Tried." };
  const prompt = { type: "message", message: { role: "user", content: "written" } };
  lines.splice(
    3,
    0,
    entry("s1", "a2", summary),
    entry("s2", "s1", prompt),
    entry("z1", "a2", summary),
  );
  await using home = await makeHome({ "tree.jsonl": lines.join("\n") + "\n" });
  const session = await reading.onlyIn(home, "tree.jsonl");
  const threads = await piAgent.open(session).threads();
  const titles = new Map(threads.map(({ id, title }) => [id, title]));
  assert.equal(titles.get("s1"), "written");
  assert.equal(titles.get("z1"), undefined);
});
