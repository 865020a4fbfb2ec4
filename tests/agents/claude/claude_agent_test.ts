import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { claudeAgent } from "../../../lib/agents/claude/claude_agent.ts";
import { mayHold } from "../../../lib/agents/claude/locate.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { conversation } from "../../../lib/core/projection/conversation/conversation.ts";
import { toMessages } from "../../../lib/text/shape/message_shape.ts";
import { foldBatches } from "../../../lib/core/projection/projection.ts";
import { usage } from "../../_support/usage.ts";
import {
  type AgentRead,
  codesOf,
  conversationOf,
  onlySession,
  payloadsOf,
  readAll,
  testAgentContract,
  transcriptOf,
} from "../../_support/agent_contract.ts";
import { messageInShort } from "../../_support/message_in_short.ts";
import { inDirectory } from "../../_support/temp_directory.ts";
import { claude } from "../../../lib/agents/claude/descriptor.ts";

function path(name: string): string {
  return fileURLToPath(new URL(`../../../testdata/agents/claude/${name}.jsonl`, import.meta.url));
}

async function read(name: string, options: { thread?: string } = {}): Promise<AgentRead> {
  return await readAll(claudeAgent, await onlySession(claudeAgent, path(name)), options);
}

/** A conversation in short: who says what. */
async function said(name: string): Promise<string[]> {
  const session = await onlySession(claudeAgent, path(name));
  return (await conversationOf(claudeAgent, session)).messages.map(messageInShort);
}

/** A transcript in short. */
async function shown(name: string): Promise<unknown[]> {
  const session = await onlySession(claudeAgent, path(name));
  const items = await transcriptOf(claudeAgent, session);
  return items.map((item) => item.type === "message" ? item.content : item.type);
}

async function titleOf(name: string): Promise<string | undefined> {
  const session = await onlySession(claudeAgent, path(name));
  const quick = await claudeAgent.open(session).summarize();
  const exact = await claudeAgent.open(session).summarize({ exact: true });
  assert.equal(quick?.title, exact?.title);
  return quick?.title;
}

const FOLDER = ".claude/projects/-home-dev-src-app";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/claude/${name}.jsonl`, import.meta.url);
}

function id(number: number): string {
  return `c0ffee00-0000-4000-8000-0000000000${String(number).padStart(2, "0")}`;
}

/** Fixtures that are sessions of their own, by the number in their id. */
const SESSIONS: Readonly<Record<number, string>> = {
  1: "turn",
  2: "small",
  3: "compaction",
  4: "preserved_segment",
  5: "preserved_relinked",
  6: "preserved_messages",
  7: "rewound",
  8: "rewound_and_on",
  9: "branches",
  10: "sidechain",
  11: "progress",
  12: "missing_parent",
  15: "interrupted",
  16: "images",
  17: "titles",
  18: "ai_title",
  19: "last_prompt",
  20: "caveat_first",
  21: "queued",
  22: "fork",
  23: "minimal",
  24: "commands",
  25: "progress_lost",
  26: "unknown_link",
  27: "compaction_lost",
  28: "fork_compacted",
  29: "mention",
  30: "local_command",
  31: "roots",
  32: "title_preamble",
  33: "task_notification",
  34: "notices",
  35: "queued_lost",
  36: "advisor",
};

testAgentContract("claude", {
  agent: claudeAgent,
  files: {
    ...Object.fromEntries(
      Object.entries(SESSIONS).map(([number, name]) => [
        `${FOLDER}/${id(Number(number))}.jsonl`,
        fixture(name),
      ]),
    ),
    [`${FOLDER}/agent-c0ffee00.jsonl`]: fixture("small"),
    [`${FOLDER}/${id(1)}/subagents/agent-5678.jsonl`]: fixture("small"),
    [`${FOLDER}/sessions-index.json`]: "{}",
  },
  ids: Object.keys(SESSIONS).map((number) => id(Number(number))),
  cwd: "/home/dev/src/app",
  id: id(2),
});

testAgentContract("claude, elsewhere", {
  agent: claudeAgent,
  files: { [`other/projects/-x/${id(21)}.jsonl`]: fixture("queued") },
  ids: [id(21)],
  variables: { CLAUDE_CONFIG_DIR: "~/other" },
});

Deno.test("the records of an answer are one answer, and its calls get their results", async () => {
  assert.deepEqual(await said("turn"), [
    "user: Fix the bug",
    'assistant: Look first. | I look. | Read({"file_path":"x.ts"}) | ' +
    'Bash({"command":"ls","description":"list"})',
    "tool: ok let x | error Exit code 2\nno such file",
    'assistant: Edit({"file_path":"x.ts","old_string":"let","new_string":"const"})',
    "tool: ok Updated.",
    "assistant: Fixed.",
  ]);
});

Deno.test("dates a session by its first record, also with context before the prompt", async () => {
  const [started] = payloadsOf((await read("notices")).events, "session_started");
  assert.equal(started?.created_at, "2026-02-06T10:00:01.000Z");
});

Deno.test("counts an answer's usage once, by its last record", async () => {
  const { events } = await read("turn");
  const answers = payloadsOf(events, "assistant_message");
  assert.deepEqual(answers.map((answer) => answer.usage?.output), [9, 5, 5]);
  assert.deepEqual(answers[0]?.usage, { input: 3, output: 9, cache_read: 20, cache_write: 7 });
  assert.deepEqual(answers.map((answer) => answer.model), ["claude-m1", "claude-m1", "claude-m1"]);
  const session = await onlySession(claudeAgent, path("turn"));
  const [row] = await foldBatches(usage(), claudeAgent.open(session).read());
  assert.equal(row?.messages, 3);
  assert.equal(row?.usage.output, 19);
});

Deno.test("a changed file is a diff, and a result that is written twice settles once", async () => {
  const { events } = await read("turn");
  assert.deepEqual(payloadsOf(events, "diff"), [{
    call_id: "t3",
    path: "x.ts",
    lines: [
      { kind: "hunk", content: "@@ -1,2 +1,2 @@" },
      { kind: "removed", old: 1, content: "let x" },
      { kind: "added", new: 1, content: "const x" },
      { kind: "context", old: 2, new: 2, content: "y" },
    ],
  }]);
  const ends = payloadsOf(events, "tool_end").map(({ call_id }) => call_id);
  assert.deepEqual(ends, ["t1", "t2", "t3"]);
  const extensions = payloadsOf(events, "extension").map(({ type }) => type);
  assert.deepEqual(extensions, ["repeated_result", "system/turn_duration"]);
});

Deno.test("every byte is accounted for by what it is", async () => {
  const { account } = await read("turn");
  assert.deepEqual(Object.keys(account.side), ["file-history-snapshot", "custom-title"]);
  const { account: side } = await read("sidechain");
  assert.deepEqual(Object.keys(side.side), ["sidechain"]);
  assert.equal(side.dead, 0);
  const { account: progress } = await read("progress");
  assert.deepEqual(Object.keys(progress.side), ["progress"]);
});

Deno.test("the model gets what follows the last compaction, a person sees all", async () => {
  assert.deepEqual(await said("compaction"), ["user: Sum 2", "user: q4"]);
  assert.deepEqual(await shown("compaction"), [
    "session",
    "q1",
    "a1",
    "q2",
    "a2",
    "compaction",
    "attached",
    "q3",
    "a3",
    "compaction",
    "q4",
  ]);
  const { events } = await read("compaction");
  const triggers = payloadsOf(events, "compaction_applied").map(({ trigger }) => trigger);
  assert.deepEqual(triggers, ["manual", "auto"]);
});

Deno.test("puts kept records behind the compaction's anchor, wherever the next record leads", async () => {
  const kept = ["user: Sum", "user: q2", "assistant: a2", "user: q3", "assistant: a3"];
  const seen = ["session", "q1", "a1", "q2", "a2", "compaction", "q3", "a3"];
  for (const name of ["preserved_segment", "preserved_relinked"]) {
    assert.deepEqual(await said(name), kept, name);
    assert.deepEqual(await shown(name), seen, name);
  }
  assert.deepEqual(await said("preserved_messages"), [
    "user: q2",
    'assistant: Read({"file_path":"x"})',
    "tool: ok x",
    "user: Sum",
    "assistant: a3",
  ]);
});

Deno.test("the live branch is the one that was last spoken on, not last written to", async () => {
  const live = ["user: q1", "assistant: a1", "user: q2, edited", "assistant: a3"];
  assert.deepEqual(await said("branches"), live);
  const { account } = await read("branches");
  assert.ok(account.dead > 0);
});

Deno.test("another branch is read by the id of a record on it", async () => {
  const { events } = await read("branches", { thread: "u2" });
  assert.deepEqual(payloadsOf(events, "user_message").map(({ content }) => content), ["q1", "q2"]);
  const { events: agent } = await read("sidechain", { thread: "x1" });
  assert.deepEqual(payloadsOf(agent, "assistant_message").map(({ content }) => content), [
    "hi",
    "late",
  ]);
  const session = await onlySession(claudeAgent, path("branches"));
  await assert.rejects(
    readAll(claudeAgent, session, { thread: "none" }),
    (error) => error instanceof SessionError && error.code === "not-found",
  );
});

Deno.test("a rewind holds, until something is said from there", async () => {
  assert.deepEqual(await said("rewound"), ["user: q1", "assistant: a1"]);
  assert.deepEqual(await said("rewound_and_on"), [
    "user: q1",
    "assistant: a1",
    "user: q2, again",
    "assistant: a2, again",
  ]);
});

Deno.test("sub-agents come in by their results alone", async () => {
  assert.deepEqual(await said("sidechain"), [
    "user: q1",
    'assistant: Task({"prompt":"say hi"})',
    "tool: ok hi",
    "assistant: They said hi.",
  ]);
});

Deno.test("records of progress lead on, and are no part of the talk", async () => {
  assert.deepEqual(await said("progress"), ["user: q1", "assistant: a1"]);
});

Deno.test("a record whose parent is lost follows the one just before it", async () => {
  const whole = ["user: q1", "assistant: a1", "user: q2", "assistant: a2"];
  assert.deepEqual(codesOf(await read("missing_parent")), ["missing-parent"]);
  assert.deepEqual(await said("missing_parent"), whole);
  assert.deepEqual(codesOf(await read("missing_parent_far")), ["missing-parent"]);
  assert.deepEqual(await said("missing_parent_far"), whole.slice(2));
});

Deno.test("a cycle ends the branch, and is reported", async () => {
  assert.deepEqual(codesOf(await read("cycle")), ["parent-cycle"]);
  assert.deepEqual(await said("cycle"), [
    "user: q1",
    "assistant: a1",
    "user: q2",
    "assistant: a2",
  ]);
});

Deno.test("shows interrupted, refused and failed calls as such", async () => {
  const interrupted = await read("interrupted");
  const { events } = interrupted;
  assert.deepEqual(payloadsOf(events, "assistant_interrupted"), [
    { content: "Half an ans", message_id: "m1" },
    {
      content: [{
        type: "reasoning",
        text: "Hm",
        provider_data: { signature: "s" },
        audience: "user",
      }],
      message_id: "m4",
    },
  ]);
  assert.deepEqual(payloadsOf(events, "tool_end").map(({ status }) => status), ["skipped"]);
  assert.deepEqual(payloadsOf(events, "turn_failed"), [
    { reason: "error", message: "API Error: 529 overloaded" },
  ]);
  assert.deepEqual(payloadsOf(events, "extension"), []);
});

Deno.test("neither failures nor mere thoughts are sent again; a dangling call gets a result", async () => {
  assert.deepEqual((await said("interrupted")).slice(-6), [
    "user: [Request interrupted by user for tool use]",
    "user: q3",
    "user: q4",
    "user: q5",
    'assistant: Bash({"command":"sleep 9"})',
    "tool: error [Tool call interrupted: the session ended before this call's result was " +
    "recorded, so its outcome is unknown. Check whether it took effect before relying on it or " +
    "running it again.]",
  ]);
});

Deno.test("images are attachments; those of a tool stand in its result", async () => {
  const image = "[image/png, 70 bytes]";
  assert.deepEqual(await said("images"), [
    `user: What is it? | ${image}`,
    "assistant: Shot({})",
    `tool: ok taken + ${image}`,
    'assistant: web_search({"query":"dot"})',
    'tool: ok [{"title":"Dot"}]',
    "assistant: A dot.",
  ]);
});

Deno.test("sends an image that is all of a result inside the result", async () => {
  const session = await onlySession(claudeAgent, path("images"));
  const { messages } = toMessages(
    (await conversationOf(claudeAgent, session)).messages,
    "anthropic",
  );
  const blocks = messages.flatMap(({ content }) => content as { type: string }[]);
  const results = blocks.flatMap((block) =>
    block.type === "tool_result" ? [(block as { content?: unknown }).content] : []
  );
  const images = results.filter((content) => JSON.stringify(content).includes('"image"'));
  assert.equal(images.length, 1);
  assert.ok(!JSON.stringify(results).includes("(no output)"));
});

Deno.test("a session is called as Claude Code calls it", async () => {
  assert.equal(await titleOf("turn"), "Bug hunt");
  assert.equal(await titleOf("ai_title"), "By the model");
  assert.equal(await titleOf("titles"), "Of this session");
  assert.equal(await titleOf("last_prompt"), "q2");
  assert.equal(await titleOf("caveat_first"), "The real question");
  assert.equal(await titleOf("small"), "Hé");
});

Deno.test("sends Claude Code's messages in the user's name to the model, and shows them as it does", async () => {
  assert.deepEqual(await shown("commands"), [
    "session",
    "attached",
    "/model m1",
    "attached",
    "! git status",
    "attached",
    "What changed?",
    "attached",
    "Nothing.",
  ]);
  assert.deepEqual(await said("commands"), [
    "user: Caveat: The messages below were generated by the user",
    "user: <command-name>/model</command-name>\n            <command-message>model</command-message>\n            <command-args>m1</command-args>",
    "user: <local-command-stdout>Set model to \u001b[1mm1\u001b[22m</local-command-stdout>",
    "user: <bash-input>git status</bash-input>",
    "user: <bash-stdout>clean</bash-stdout><bash-stderr></bash-stderr>",
    "user: What changed? | <system-reminder>No todos</system-reminder>",
    "assistant: Nothing.",
  ]);
  assert.equal(await titleOf("commands"), "What changed?");
});

Deno.test("a prompt that was queued while the model worked is a message", async () => {
  assert.deepEqual(await said("queued"), ["user: q1", "user: And this", "assistant: Both."]);
});

Deno.test("a queued prompt that no record holds is a message where it was taken, else a notice", async () => {
  const items = await transcriptOf(
    claudeAgent,
    await onlySession(claudeAgent, path("queued_lost")),
  );
  const told = items.flatMap((item) => {
    if (item.type === "notice") return [`${item.title}: ${item.text}`];
    return item.type === "message" ? [String(item.content)] : [];
  });
  assert.deepEqual(told, [
    ...["q1", "taken zebra", "recorded okapi", "a1", "/context", "q2", "named quokka"],
    ...["a2", "again narwhal, please", "a3"],
    "queued, not sent: unsent giraffe",
  ]);
  const sent = (await said("queued_lost")).filter((line) => line.startsWith("user: "));
  assert.ok(sent.includes("user: taken zebra") && sent.includes("user: named quokka"));
  assert.ok(!sent.some((line) => /tapir|giraffe/.test(line)));
});

Deno.test("words behind an advice stay behind it", async () => {
  assert.deepEqual(await said("advisor"), [
    "user: q1",
    "assistant: I ask. | advisor({})",
    'tool: ok {"type":"advisor_result","text":"Use a map."}',
    "assistant: It says a map.",
    "user: q2",
  ]);
  const session = await onlySession(claudeAgent, path("advisor"));
  const row = await claudeAgent.open(session).summarize();
  assert.equal(row?.last_error, "API Error: 529 Overloaded zebra");
});

Deno.test("iFlow CLI's records follow each other, and an answer that grows is there once", async () => {
  assert.deepEqual(await said("iflow"), [
    "user: Set the variable",
    "assistant: I look first.",
    'assistant: read_file({"absolute_path":"/home/dev/src/app/x"})',
    "tool: ok let x",
    'assistant: I change it. | replace({"file_path":"/home/dev/src/app/x"}) | ' +
    'read_file({"absolute_path":"/home/dev/src/app/y"})',
    "tool: ok Modified. | error File not found",
    "assistant: It is set.",
    "user: Thanks",
    "assistant: Gladly.",
  ]);
});

inDirectory.test("iFlow CLI's records follow each other, however they are written", async (directory) => {
  const copy = join(directory, basename(path("iflow")));
  const expected = await said("iflow");
  const ways: ((record: object) => string)[] = [
    (record) => JSON.stringify(record).replaceAll('":', '": '),
    (record) => JSON.stringify(Object.fromEntries(Object.entries(record).reverse())),
    (record) => JSON.stringify(record).replace('"session-', '"\\u0073ession-'),
  ];
  for (const written of ways) {
    const lines = (await Deno.readTextFile(path("iflow"))).trimEnd().split("\n");
    const others = lines.map((line) => `${written(JSON.parse(line) as object)}\n`);
    await Deno.writeTextFile(copy, others.join(""));
    const session = await onlySession(claudeAgent, copy);
    const { messages } = await conversationOf(claudeAgent, session);
    assert.deepEqual(messages.map(messageInShort), expected, others[0]);
  }
});

Deno.test("a task notification reaches the model with a note that it is automatic", async () => {
  const note = (task: string, summary: string) =>
    `<task-notification>\n<task-id>${task}</task-id>\n<status>completed</status>\n` +
    `<summary>${summary}</summary>\n</task-notification>`;
  const [first, second] = [note("t1", "Folder a is clean"), note("t2", "Folder b is clean")];
  const session = await onlySession(claudeAgent, path("task_notification"));
  const { messages } = await conversationOf(claudeAgent, session);
  const told = messages.filter(({ role }) => role === "user").map(({ content }) => String(content));
  assert.equal(told[0], "Lint both folders.");
  for (const [index, text] of [first, second].entries()) {
    const sent = told[index + 1] ?? "";
    assert.match(sent, /^<system-reminder>\n\[SYSTEM NOTIFICATION - NOT USER INPUT\]\n/);
    assert.ok(sent.endsWith(`approval or consent.\n\n${text}\n</system-reminder>`), sent);
  }
  assert.deepEqual((await shown("task_notification")).slice(1), [
    "Lint both folders.",
    "Two agents are at it.",
    "attached",
    "One is done.",
    "attached",
    "Both are clean.",
  ]);
});

Deno.test("a fork says what it was forked from, and how much of it is a copy", async () => {
  const { events } = await read("fork");
  const [started] = payloadsOf(events, "session_started");
  assert.equal(started?.parent?.session_id, "c0ffee00-0000-4000-8000-000000000001");
  const own = events.filter(({ seq }) => seq > (started?.parent?.seq ?? 0));
  assert.deepEqual(own.map(({ kind }) => kind), ["user_message", "assistant_message"]);
});

Deno.test("records without ids follow each other", async () => {
  assert.deepEqual(await said("minimal"), ["user: q1", "assistant: a1", "user: q2"]);
});

Deno.test("damage costs its own record alone", async () => {
  assert.deepEqual(codesOf(await read("glued")), ["glued-line", "missing-parent"]);
  assert.deepEqual(await said("glued"), ["user: q1", "user: q2", "assistant: a2"]);
  assert.deepEqual(codesOf(await read("torn_tail")), ["torn-tail"]);
  assert.deepEqual(await said("torn_tail"), ["user: q1", "assistant: a1"]);
});

Deno.test("keeps or counts what later versions add, and reads the rest", async () => {
  const newer = await read("newer");
  assert.deepEqual(codesOf(newer), []);
  assert.deepEqual(Object.keys(newer.account.side), ["api-request-blob", "made-up"]);
  assert.deepEqual(payloadsOf(newer.events, "notice"), [
    { audience: "user", title: "hologram", text: "?" },
  ]);
  assert.deepEqual(payloadsOf(newer.events, "extension").map(({ type }) => type), [
    "content_block/hologram",
  ]);
  assert.deepEqual(await said("newer"), ["user: q1", "assistant: a1"]);
});

Deno.test("the part in force gives the same conversation as the whole", async () => {
  for (const { name } of Deno.readDirSync(path("turn").replace(/turn\.jsonl$/, ""))) {
    const session = await onlySession(claudeAgent, path(name.replace(/\.jsonl$/, "")));
    const projection = conversation({ reasoning: "include" });
    const { needs } = projection;
    const part = await foldBatches(
      projection,
      claudeAgent.open(session).read({ needs, in_force: true }),
    );
    assert.deepEqual(part.messages, (await conversationOf(claudeAgent, session)).messages, name);
    assert.ok(part.messages.length > 0, name);
  }
});

Deno.test("Qwen Code's sessions, which look alike, are not taken for Claude Code's", () => {
  const qwen = {
    uuid: "u1",
    parentUuid: null,
    sessionId: "s1",
    type: "user",
    message: { role: "user", parts: [{ text: "hi" }] },
  };
  const head = new TextEncoder().encode(`${JSON.stringify(qwen)}\n`);
  assert.equal(claudeAgent.recognize("x.jsonl", head), false);
  for (const name of ["turn", "small", "titles", "minimal"]) {
    assert.ok(claudeAgent.recognize("x.jsonl", Deno.readFileSync(path(name))), name);
  }
});

Deno.test("a folder may hold a directory's sessions by its name, cut or whole", () => {
  assert.ok(mayHold("-home-dev-src-app", "/home/dev/src/app"));
  assert.ok(mayHold("-home-dev-src-app", "/home/dev/src.app"));
  assert.ok(!mayHold("-home-dev-src-app", "/home/dev/src/app2"));
  const long = `/${"a".repeat(300)}`;
  assert.ok(mayHold(`-${"a".repeat(199)}-1x2y3z`, long));
});

Deno.test("Claude Code goes on with a session by its id", async () => {
  const session = await onlySession(claudeAgent, path("turn"));
  assert.deepEqual(claude.resumeCommand(session)?.argv, ["claude", "--resume", session.id]);
});

Deno.test("a lost parent behind records of progress is reported, and what came before is kept", async () => {
  assert.deepEqual(codesOf(await read("progress_lost")), ["missing-parent"]);
  const whole = ["user: q1", "assistant: a1", "user: q2", "assistant: a2"];
  assert.deepEqual(await said("progress_lost"), whole);
  assert.equal((await read("progress_lost")).account.dead, 0);
});

Deno.test("records of unknown types lead from their child to their parent", async () => {
  const { found, account } = await read("unknown_link");
  assert.deepEqual(found, []);
  assert.deepEqual(Object.keys(account.side), ["hologram"]);
  assert.deepEqual(await said("unknown_link"), [
    "user: q1",
    "assistant: a1",
    "user: q2",
    "assistant: a2",
  ]);
});

Deno.test("a compaction whose last record is lost follows the one just before it", async () => {
  assert.deepEqual(codesOf(await read("compaction_lost")), ["missing-parent"]);
  assert.deepEqual(await said("compaction_lost"), ["user: Sum", "user: q2", "assistant: a2"]);
  assert.deepEqual(await shown("compaction_lost"), [
    "session",
    "q1",
    "a1",
    "compaction",
    "q2",
    "a2",
  ]);
});

Deno.test("a fork of a compacted session is whole, with kept messages once", async () => {
  assert.deepEqual(codesOf(await read("fork_compacted")), []);
  assert.deepEqual(await said("fork_compacted"), [
    "user: Sum",
    "assistant: a1",
    "user: q2",
    "assistant: a2",
  ]);
  assert.deepEqual(await shown("fork_compacted"), ["session", "compaction", "a1", "q2", "a2"]);
});

Deno.test("sends mentioned files to the model, and attaches them for people", async () => {
  const [file, folder, image, edited, prompt, answer] = await said("mention");
  // What it brought in stands before the prompt in the request (2.1.330).
  assert.equal(prompt, "user: explain @plan.txt and @src/");
  assert.match(file ?? "", /Called the Read tool.*"file_path":"\/home\/dev\/src\/app\/plan.txt"/);
  assert.match(file ?? "", /Result of calling the Read tool:\n1\tzebrafish\n2\tmigration\n/);
  assert.match(folder ?? "", /Result of calling the Bash tool:\nmain.ts\n/);
  assert.match(image ?? "", /\[image\/png, 70 bytes\]$/);
  assert.equal(edited, "user: <system-reminder>\nNote: b.ts was modified.\n</system-reminder>");
  assert.equal(answer, "assistant: It is a plan.");
  const items = await transcriptOf(claudeAgent, await onlySession(claudeAgent, path("mention")));
  const attached = items.flatMap((item) => item.type === "attached" ? [item] : []);
  assert.deepEqual(attached.map(({ name, content }) => [name, content]).slice(0, 2), [
    ["/home/dev/src/app/plan.txt", "1\tzebrafish\n2\tmigration"],
    ["/home/dev/src/app/src", "main.ts"],
  ]);
  assert.deepEqual(attached.slice(2).map(({ name }) => name), [
    "/home/dev/src/app/dot.png",
    "/home/dev/src/app/b.ts",
    "skill listing",
  ]);
  assert.equal(await titleOf("mention"), "explain @plan.txt and @src/");
});

Deno.test("shows the output of a local command, and sends it to the model as recorded", async () => {
  const name = "<command-name>/cost</command-name>";
  assert.deepEqual(await said("local_command"), [
    "user: q1",
    "assistant: a1",
    `user: ${name}\n<command-message>cost</command-message>\n<command-args></command-args>`,
    "user: <local-command-stdout>Total cost: \u001b[1m$0.03\u001b[22m</local-command-stdout>",
    "user: q2",
    "assistant: a2",
  ]);
  assert.deepEqual(await shown("local_command"), [
    "session",
    "q1",
    "a1",
    "/cost",
    "attached",
    "q2",
    "a2",
  ]);
});

Deno.test("shows notices to those who got them, and does not send them again", async () => {
  const session = await onlySession(claudeAgent, path("notices"));
  const items = await transcriptOf(claudeAgent, session);
  const attached = items.flatMap((item) => item.type === "attached" ? [item] : []);
  assert.deepEqual(attached.map(({ name }) => name), [
    "/home/dev/src/app/lib/CLAUDE.md",
    "invoked skills",
    "ide selection",
    "hook additional context",
    "diagnostics",
    "command output",
  ]);
  for (const word of ["narwhal", "quokka", "axolotl", "pangolin", "okapi"]) {
    assert.equal(attached.filter(({ content }) => String(content).includes(word)).length, 1, word);
  }
  const notices = items.flatMap((item) => item.type === "notice" ? [item] : []);
  assert.deepEqual(notices.map(({ title, text, level }) => [title, text, level]), [
    ["API error, try 3 of 10", "529 Overloaded", "error"],
    ["API error, try 10 of 10", "ConnectionRefused", "error"],
  ]);
  const sent = (await said("notices")).join("\n");
  for (const word of ["axolotl", "pangolin", "Overloaded", "tapir", "coding agent"]) {
    assert.ok(!sent.includes(word), word);
  }
  assert.match(sent, /Continue to follow these guidelines:\n\n### Skill: [^]*okapi/);
});

Deno.test("a session begins with its first record, not with the notes before its prompt", async () => {
  const session = await onlySession(claudeAgent, path("notices"));
  for (const exact of [false, true]) {
    const row = await claudeAgent.open(session).summarize({ exact });
    assert.equal(row?.created_at, "2026-02-06T10:00:01.000Z");
  }
});

Deno.test("a response of mere thoughts is shown as interrupted, and not sent again", async () => {
  const items = await transcriptOf(claudeAgent, await onlySession(claudeAgent, path("notices")));
  const at = items.findIndex(({ type }) => type === "reasoning");
  const [thought, cut] = items.slice(at);
  assert.equal(thought?.type === "reasoning" && thought.text, "Where is the tapir?");
  assert.equal(cut?.type === "message" && cut.interrupted, true);
});

Deno.test("a session's file is opened twice for its messages: to index it, and to read them", async () => {
  const session = await onlySession(claudeAgent, path("turn"));
  const { openSync } = Deno;
  let opened = 0;
  Deno.openSync = (file, options) => {
    if (file === session.path) opened++;
    return openSync(file, options);
  };
  try {
    const messages = (await Array.fromAsync(claudeAgent.open(session).messages())).flat();
    assert.ok(messages.length > 0);
  } finally {
    Deno.openSync = openSync;
  }
  assert.equal(opened, 2);
});
