import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { claudeAgent } from "../../../lib/agents/claude/claude_agent.ts";
import { claudeFormat } from "../../../lib/agents/claude/claude_format.ts";
import { indexFile } from "../../../lib/agents/engine/tree/index_file.ts";
import { linkRepeated } from "../../../lib/agents/engine/tree/parent_link.ts";
import { DAMAGED, hasFlag, LINK, REPEATED } from "../../../lib/agents/engine/tree/record_index.ts";
import { queuedEnd } from "../../../lib/agents/claude/index/prompt_queue.ts";
import { progressAgents } from "../../../lib/agents/claude/threads.ts";
import { subagentFiles } from "../../../lib/agents/claude/subagent_files.ts";
import { sourceFiles } from "../../../lib/agents/engine/files/session_files.ts";
import { contentFor } from "../../../lib/core/event/audience.ts";
import { contentText } from "../../../lib/core/event/message.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import type { SessionThread } from "../../../lib/core/projection/session_thread.ts";
import {
  locateAll,
  makeHome,
  onlySession,
  payloadsOf,
  readAll,
} from "../../_support/agent_contract.ts";
import { recordingsBelow, sampleUrl, testRecorded } from "../../_support/samples.ts";

const FIXTURES = fileURLToPath(new URL("../../../testdata/agents/claude", import.meta.url));
const SAMPLES = fileURLToPath(sampleUrl("claude-code"));
const PROJECT = ".claude/projects/-home-dev-src-app";
const ID = "c0ffee00-0000-4000-8000-000000000031";

function fixture(name: string): URL {
  return new URL(`../../../testdata/agents/claude/${name}.jsonl`, import.meta.url);
}

async function session(name: string): Promise<AgentSession> {
  return await onlySession(claudeAgent, fileURLToPath(fixture(name)));
}

async function threadsOf(given: AgentSession): Promise<SessionThread[]> {
  return await claudeAgent.open(given).threads();
}

/** What is said in a thread. */
async function said(given: AgentSession, thread?: string): Promise<string[]> {
  const { events } = await readAll(claudeAgent, given, thread === undefined ? {} : { thread });
  return [...payloadsOf(events, "user_message"), ...payloadsOf(events, "assistant_message")]
    .map(({ content }) => contentText(contentFor(content, "user"))).filter((text) => text !== "");
}

function inShort({ id, kind, parent, title, records }: SessionThread): string {
  const from = parent === undefined ? "" : ` of ${parent.thread}`;
  return `${kind} ${id}${from}: ${title ?? "-"} (${records})`;
}

Deno.test("other roots, other answers and sub-agents are threads, the live branch is the main one", async () => {
  const given = await session("roots");
  assert.deepEqual((await threadsOf(given)).map(inShort), [
    "main main: - (6)",
    "subagent k1: Look around (2)",
    "branch a2 of main: - (1)",
    "branch u1: Plan it (2)",
  ]);
  const main = ["Implement the plan", "Second try", "ok"];
  assert.deepEqual(await said(given), main);
  assert.deepEqual(await said(given, "main"), main);
  assert.deepEqual(await said(given, "u1"), ["Plan it", "The plan"]);
  assert.deepEqual(await said(given, "a2"), ["Implement the plan", "First try"]);
  assert.deepEqual(await said(given, "k1"), ["Look around", "Nothing"]);
  assert.deepEqual(await said(given, "k2"), ["Look around", "Nothing"]);
});

Deno.test("title, list and resume speak of the root that is live", async () => {
  const given = await session("roots");
  const quick = await claudeAgent.open(given).summarize();
  const exact = await claudeAgent.open(given).summarize({ exact: true });
  assert.equal(quick?.title, "Implement the plan");
  assert.equal(exact?.title, "Implement the plan");
});

Deno.test("tells parts that a rewind cut off from other branches", async () => {
  const kinds = async (name: string): Promise<string[]> =>
    (await threadsOf(await session(name))).map(inShort);
  assert.deepEqual(await kinds("branches"), ["main main: - (4)", "replaced u2 of main: q2 (3)"]);
  assert.deepEqual(await kinds("rewound"), ["main main: - (2)", "replaced u2 of main: q2 (2)"]);
});

Deno.test("files of sub-agents are threads of their session, whichever version wrote them", async () => {
  await using home = await makeHome({
    [`${PROJECT}/${ID}.jsonl`]: fixture("roots"),
    [`${PROJECT}/${ID}/subagents/agent-abc.jsonl`]: fixture("subagent"),
    [`${PROJECT}/${ID}/subagents/agent-abc.meta.json`]: '{"description":"Zebra hunt"}',
    [`${PROJECT}/agent-def.jsonl`]: fixture("subagent"),
    [`${PROJECT}/agent-lost.jsonl`]: fixture("small"),
    [`${PROJECT}/c0ffee00-0000-4000-8000-000000000099/subagents/agent-ghi.jsonl`]: fixture(
      "subagent",
    ),
  });
  const located = await locateAll(claudeAgent, home.environment);
  assert.deepEqual(located.map(({ id }) => id), [ID, "agent-lost", "agent-ghi"]);
  const [given] = located;
  assert.ok(given !== undefined);
  assert.deepEqual((await threadsOf(given)).slice(-2).map(inShort), [
    "subagent abc of main: Zebra hunt (2)",
    "subagent def of main: Find the zebra (2)",
  ]);
  const zebra = ["Find the zebra", "In the fish"];
  for (const thread of ["abc", "ab", "z2", "def"]) {
    assert.deepEqual(await said(given, thread), zebra, thread);
  }
  const folder = join(home.path, PROJECT);
  const files = [
    join(folder, `${ID}.jsonl`),
    join(folder, ID, "subagents", "agent-abc.jsonl"),
    join(folder, "agent-def.jsonl"),
  ];
  assert.deepEqual((await claudeAgent.open(given).files())?.paths, files);
  const kept = await sourceFiles(claudeAgent, given);
  for (const file of files) assert.ok(kept.includes(file), file);
  await assert.rejects(
    readAll(claudeAgent, given, { thread: "nothing" }),
    (error) => error instanceof SessionError && error.code === "not-found",
  );
});

Deno.test("records behind a lost parent are read in the thread that lists them", async () => {
  const given = await session("islands");
  assert.deepEqual((await threadsOf(given)).map(inShort), [
    "main main: - (2)",
    "branch a1: on the island (6)",
  ]);
  assert.deepEqual(await said(given), ["far behind", "last"]);
  // Before a compaction, the record written before stands in for a lost parent.
  for (const thread of ["a1", "b1", "a2"]) {
    const all = ["on the island", "between two compactions", "before", "quickly"];
    assert.deepEqual(await said(given, thread), all, thread);
  }
});

Deno.test("a subagent's file without its hook records is one thread, and each gap is reported", async () => {
  await using home = await makeHome({
    [`${PROJECT}/${ID}.jsonl`]: fixture("roots"),
    [`${PROJECT}/agent-a259702.jsonl`]: Deno.readTextFileSync(fixture("subagent_no_hooks"))
      .replaceAll("c0ffee00-0000-4000-8000-000000000042", ID),
  });
  const [given] = await locateAll(claudeAgent, home.environment);
  assert.ok(given !== undefined);
  assert.equal(
    (await threadsOf(given)).map(inShort).at(-1),
    "subagent a259702 of main: Build it (6)",
  );
  const { events, found } = await readAll(claudeAgent, given, { thread: "a259702" });
  assert.deepEqual(found.map(({ code, detail }) => `${code}: ${detail}`), [
    "missing-parent: the parent h3 of record s6 is not in the file",
    "missing-parent: the parent h2 of record s5 is not in the file",
    "missing-parent: the parent h1 of record s4 is not in the file",
  ]);
  const outputs = payloadsOf(events, "tool_end").map(({ call_id, output }) => [call_id, output]);
  assert.deepEqual(outputs, [["t1", "a.c"], ["t2", "built"]]);
  assert.deepEqual(await said(given, "a259702"), ["Build it", "It is built"]);
});

Deno.test("a subagent that only progress records hold is a thread under its call's", async () => {
  const given = await session("agent_progress");
  assert.deepEqual((await threadsOf(given)).map(inShort), [
    "main main: - (4)",
    "subagent ab12cd3 of main: Find the zebra (4)",
  ]);
  assert.deepEqual(await said(given), ["q1", "Found it"]);
  for (const thread of ["ab12cd3", "ab", "z3"]) {
    assert.deepEqual(await said(given, thread), ["Find the zebra", "In the fish"], thread);
  }
  const { events } = await readAll(claudeAgent, given, { thread: "ab12cd3" });
  const outputs = payloadsOf(events, "tool_end").map(({ call_id, output }) => [call_id, output]);
  assert.deepEqual(outputs, [["t2", "a fish"]]);
  const { account } = await readAll(claudeAgent, given);
  assert.ok((account.side.sidechain ?? 0) > (account.side.progress ?? 0));
});

Deno.test("progress records repeat a subagent that has a file: the file is its thread", async () => {
  const folder = `${PROJECT}/c0ffee00-0000-4000-8000-000000000041`;
  await using home = await makeHome({
    [`${folder}.jsonl`]: fixture("agent_progress"),
    [`${folder}/subagents/agent-ab12cd3.jsonl`]: fixture("subagent"),
  });
  const [given] = await locateAll(claudeAgent, home.environment);
  assert.ok(given !== undefined);
  assert.deepEqual((await threadsOf(given)).map(inShort), [
    "main main: - (4)",
    "subagent ab12cd3 of main: Find the zebra (2)",
  ]);
  const { account } = await readAll(claudeAgent, given);
  assert.ok((account.side["progress/agent_progress"] ?? 0) > 0);
  assert.equal(account.side.sidechain, undefined);
});

Deno.test("a title is what was asked, without what stands before it", async () => {
  const given = await session("title_preamble");
  for (const exact of [false, true]) {
    assert.equal((await claudeAgent.open(given).summarize({ exact }))?.title, "Rename it to b2.ts");
  }
});

/** Each record of a session's files is in one thread, or no part of any dialogue. */
async function assertReachable(path: string): Promise<number> {
  const given = await onlySession(claudeAgent, path);
  const threads = await threadsOf(given);
  let records = 0;
  let aside = 0;
  for (const file of (await claudeAgent.open(given).files())?.paths ?? []) {
    const index = await indexFile(claudeFormat, file, {}, false);
    linkRepeated(index);
    records += index.count;
    for (let row = 0; row < index.count; row++) {
      const is_side = hasFlag(index, row, LINK | REPEATED | DAMAGED);
      if (is_side && queuedEnd(index, row) === undefined) aside++;
    }
    const agents = await progressAgents(file, index, subagentFiles(given));
    for (const { rows } of agents) aside -= rows.length;
  }
  const reached = threads.reduce((sum, thread) => sum + thread.records, 0);
  assert.equal(reached + aside, records, path);
  assert.equal(new Set(threads.map(({ id }) => id)).size, threads.length);
  for (const { id } of threads.slice(1)) {
    assert.ok((await said(given, id)).length >= 0, id);
  }
  return threads.length;
}

Deno.test("P12 each record is reachable through one thread: fixtures", async () => {
  let threads = 0;
  for (const path of recordingsBelow(FIXTURES)) threads += await assertReachable(path);
  assert.ok(threads > 40);
});

testRecorded("P12 each record is reachable through one thread: samples", SAMPLES, async () => {
  let threads = 0;
  for (const path of recordingsBelow(SAMPLES)) threads += await assertReachable(path);
  assert.ok(threads > 15);
});
