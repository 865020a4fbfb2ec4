/** The threads of a session: what rollbacks took, and what its agents started. Nothing is hidden. */
import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { codexAgent } from "../../../lib/agents/codex/codex_agent.ts";
import { SessionError } from "../../../lib/core/event/session_error.ts";
import { conversation } from "../../../lib/core/projection/conversation/conversation.ts";
import { foldEvents } from "../../../lib/core/projection/projection.ts";
import type { AgentSession } from "../../../lib/agents/contract/agent.ts";
import type { SessionThread } from "../../../lib/core/projection/session_thread.ts";
import { locateAll, makeHome, onlySession, readAll } from "../../_support/agent_contract.ts";
import { inShort } from "../_in_short.ts";
import { CODEX_FILES, fixture } from "./_codex_home.ts";
import { writeRollout } from "./_rollout.ts";
import { recordingsBelow, sampleUrl, testRecorded } from "../../_support/samples.ts";

async function threadsOf(session: AgentSession): Promise<SessionThread[]> {
  return await codexAgent.open(session).threads();
}

async function said(session: AgentSession, thread: string): Promise<unknown> {
  const { events } = await readAll(codexAgent, session, { thread });
  return inShort(foldEvents(conversation(), events).messages);
}

Deno.test("lists a rolled-back part as a thread of its own", async () => {
  const session = await onlySession(codexAgent, fileURLToPath(fixture("rolled_back.jsonl")));
  const [main, taken, ...more] = await threadsOf(session);
  assert.deepEqual(more, []);
  assert.deepEqual(taken, {
    id: "turn-2",
    kind: "replaced",
    parent: { thread: "main" },
    title: "Drop this.",
    records: 8,
    updated_at: "2026-03-01T09:00:14.114Z",
  });
  const lines = (await Deno.readTextFile(session.path)).trimEnd().split("\n").length;
  assert.deepEqual(main, { id: "main", kind: "main", records: lines - 8 });
  assert.deepEqual(await said(session, "main"), await said(session, "msg_i"));
  assert.deepEqual(await said(session, "turn-2"), await said(session, "msg_d"));
  assert.deepEqual(await said(session, "turn-"), await said(session, "turn-2"));
});

function prompt(text: string): unknown {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

function rollback(num_turns: number): unknown {
  return { type: "event_msg", payload: { type: "thread_rolled_back", num_turns } };
}

Deno.test("a rollback within what another one took is a thread of that one", async () => {
  const path = await writeRollout([
    prompt("One."),
    prompt("Two."),
    prompt("Three."),
    rollback(1),
    prompt("Again."),
    rollback(2),
    prompt("End."),
  ]);
  const session = await onlySession(codexAgent, path);
  const rows = (await threadsOf(session)).map(({ id, parent, title, records }) => [
    id,
    parent?.thread,
    title,
    records,
  ]);
  assert.deepEqual(rows, [
    ["main", undefined, undefined, 5],
    ["rolled-back-1", "rolled-back-2", "Three.", 1],
    ["rolled-back-2", "main", "Two.", 2],
  ]);
  assert.deepEqual(await said(session, "rolled-back-1"), [
    ["user", "One."],
    ["user", "Two."],
    ["user", "Three."],
  ]);
  assert.deepEqual(await said(session, "rolled-back-2"), [
    ["user", "One."],
    ["user", "Two."],
    ["user", "Again."],
  ]);
  await assert.rejects(
    () => said(session, "rolled-back"),
    (error) => error instanceof SessionError && error.code === "ambiguous",
  );
});

const PARENT = "01a1cccc-0000-7000-8000-000000000001";
const CHILD = "01a1cccc-0000-7000-8000-000000000002";
const GRANDCHILD = "01a1cccc-0000-7000-8000-000000000003";
const ORPHAN = "01a1cccc-0000-7000-8000-000000000004";

function rollout(id: string, source: unknown, ...items: unknown[]): string {
  const timestamp = "2026-03-01T09:00:00.000Z";
  const meta = { id, timestamp, cwd: "/w", cli_version: "0.169.0", source };
  const lines = [
    { timestamp, type: "session_meta", payload: meta },
    ...items.map((item) =>
      typeof item === "object" && item !== null && "payload" in item
        ? { timestamp, ...item }
        : { timestamp, type: "response_item", payload: item }
    ),
  ];
  return lines.map((line) => JSON.stringify(line) + "\n").join("");
}

function spawnedBy(parent_thread_id: string): unknown {
  return { subagent: { thread_spawn: { parent_thread_id, depth: 1, agent_nickname: "Ada" } } };
}

function file(id: string): string {
  return `.codex/sessions/2026/03/01/rollout-2026-03-01T09-00-00-${id}.jsonl`;
}

const FAMILY = {
  [file(PARENT)]: rollout(PARENT, "cli", prompt("Ask others.")),
  [file(CHILD)]: rollout(
    CHILD,
    spawnedBy(PARENT),
    prompt("Look here."),
    prompt("And there."),
    rollback(1),
  ),
  [file(GRANDCHILD)]: rollout(GRANDCHILD, spawnedBy(CHILD), prompt("Look deeper.")),
  [file(ORPHAN)]: rollout(
    ORPHAN,
    spawnedBy("01a1cccc-0000-7000-8000-00000000dead"),
    prompt("Alone."),
  ),
};

Deno.test("lists spawned threads as threads of their session, not as sessions", async () => {
  await using home = await makeHome(FAMILY);
  const sessions = await locateAll(codexAgent, home.environment);
  assert.deepEqual(sessions.map(({ id }) => id).sort(), [PARENT, ORPHAN]);
  const located = sessions.find(({ id }) => id === PARENT) as AgentSession;
  const opened = await onlySession(codexAgent, located.path);
  for (const session of [located, opened]) {
    const rows = (await threadsOf(session)).map(({ id, kind, parent, title }) => [
      id,
      kind,
      parent?.thread,
      title,
    ]);
    assert.deepEqual(rows, [
      ["main", "main", undefined, undefined],
      [CHILD, "subagent", "main", "Look here."],
      ["rolled-back-1", "replaced", CHILD, "And there."],
      [GRANDCHILD, "subagent", CHILD, "Look deeper."],
    ]);
    assert.deepEqual(await said(session, CHILD), [["user", "Look here."]]);
    assert.deepEqual(await said(session, GRANDCHILD.slice(0, -1) + "3"), [[
      "user",
      "Look deeper.",
    ]]);
    const { paths = [] } = await codexAgent.open(session).files() ?? {};
    assert.equal(paths.length, 3, "what is searched holds their words");
  }
  const orphan = sessions.find(({ id }) => id === ORPHAN) as AgentSession;
  assert.equal((await threadsOf(orphan)).length, 1);
  const row = await codexAgent.open(await onlySession(codexAgent, `${home.path}/${file(CHILD)}`))
    .summarize();
  assert.deepEqual(row?.parent, { session_id: PARENT, reason: "subagent" });
});

/** What a thread gives: the offsets of the records that its events came from, and what these say. */
async function given(
  session: AgentSession,
  thread: string,
): Promise<{ offsets: number[]; said: string }> {
  const { events } = await readAll(codexAgent, session, { thread });
  const offsets = events.flatMap(({ position }) => position === undefined ? [] : [position.offset]);
  const payloads = events.map((event) => event.form === "known" ? event.payload : undefined);
  return { offsets, said: JSON.stringify(payloads) };
}

/** What a record says that no other does: several become one event, which has the place of one. */
function wordsOf({ payload }: { payload: Record<string, unknown> }): string {
  const { content, summary } = payload;
  const [block] = [content, summary].flatMap((blocks) => Array.isArray(blocks) ? blocks : []);
  const words = payload.call_id ?? payload.id ?? payload.encrypted_content ??
    (block as { text?: unknown } | undefined)?.text ?? "";
  return JSON.stringify(words).slice(1, -1);
}

async function assertReachable(session: AgentSession): Promise<void> {
  const reached = new Set<number>();
  const said: string[] = [];
  for (const { id } of await threadsOf(session)) {
    const thread = await given(session, id);
    for (const offset of thread.offsets) reached.add(offset);
    said.push(thread.said);
  }
  let offset = 0;
  const encoder = new TextEncoder();
  for (const line of (await Deno.readTextFile(session.path)).split(/(?<=\n)/)) {
    const item =
      /^\{"timestamp":"[^"]*",(?:"ordinal":\d+,)?"type":"response_item","payload":\{"type":"(\w+)"/
        .exec(line)?.[1];
    if (item === "message" || item === "reasoning" || item?.endsWith("_call")) {
      const words = wordsOf(JSON.parse(line));
      const isThere = reached.has(offset) ||
        (words !== "" && said.some((thread) => thread.includes(words)));
      assert.ok(isThere, `no thread of ${session.path} holds ${line.slice(0, 200)}`);
    }
    offset += encoder.encode(line).length;
  }
}

/** But for what is damaged, and what was stored twice. */
Deno.test("P12 every record is on a thread", async () => {
  await using home = await makeHome({ ...CODEX_FILES, ...FAMILY });
  for (const session of await locateAll(codexAgent, home.environment)) {
    if (!/0{8}1[36]\.jsonl/.test(session.path)) await assertReachable(session);
  }
});

const SAMPLES = fileURLToPath(sampleUrl("codex/"));
const ROLLOUT = /rollout-.*\.jsonl$/;

testRecorded("P12 every record of the samples is on a thread", SAMPLES, async () => {
  for (const path of recordingsBelow(SAMPLES, ROLLOUT)) {
    await assertReachable(await onlySession(codexAgent, path));
  }
});
