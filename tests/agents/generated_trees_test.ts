import assert from "node:assert/strict";
import { claudeAgent } from "../../lib/agents/claude/claude_agent.ts";
import { claudeFormat } from "../../lib/agents/claude/claude_format.ts";
import { piAgent } from "../../lib/agents/pi/pi_agent.ts";
import { piFormat } from "../../lib/agents/pi/pi_format.ts";
import { qwenAgent, qwenFormat } from "../../lib/agents/qwen/qwen_agent.ts";
import type { LogEvent } from "../../lib/core/event/envelope.ts";
import { deriveReader } from "../../lib/agents/engine/session_reader.ts";
import { openThreadsOfTree } from "../../lib/agents/engine/tree/open_threads.ts";
import { accountSum } from "../_support/account_sum.ts";
import type { Agent, AgentSession, OpenThreads } from "../../lib/agents/contract/agent.ts";
import { onlySession, readAll } from "../_support/agent_contract.ts";
import { mulberry32 } from "../_support/mulberry32.ts";
import { ALL_TORTURE } from "../_support/torture.ts";
import { tempFile } from "../_support/temp_file.ts";

interface Node {
  id: string;
  parent: string | null;
  kind: "prompt" | "answer" | "aside" | "compaction";
  /** Ids that a compaction keeps, from and to. */
  kept?: [string, string] | undefined;
  text: string;
  time: string;
  /** True for a record of a subagent. */
  side: boolean;
  /** The number of the response that it is part of. */
  response: number;
}

interface TreeCase {
  agent: Agent;
  openThreads(session: AgentSession): Promise<OpenThreads>;
  /** The lines of a file, of which `head` are no records. */
  write(nodes: readonly Node[]): { head: string[]; lines: string[] };
  /** True where records with one id are parts of one. */
  joins: boolean;
}

const KINDS = ["prompt", "answer", "answer", "aside", "compaction"] as const;

function uuid(number: number): string {
  return `${number.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`;
}

/** A tree with forks, lost parents, cycles, ids that repeat, and compactions. */
function makeTree(seed: number): Node[] {
  const unit = mulberry32(seed);
  const below = (end: number): number => Math.floor(unit() * end);
  const count = 2 + below(24);
  const nodes: Node[] = [];
  const sides = [0, 0, 0.3, 1][below(4)] ?? 0;
  let response = 0;
  let ms = Date.parse("2026-02-03T10:00:00.000Z");
  for (let at = 0; at < count; at++) {
    const any = (end: number): string => nodes[below(end)]?.id ?? uuid(below(count));
    const chance = unit();
    let parent = nodes[at - 1]?.id ?? null;
    if (chance < 0.15) parent = any(at);
    else if (chance < 0.2) parent = null;
    else if (chance < 0.32) parent = uuid(1000 + at);
    else if (chance < 0.37) parent = uuid(below(count));
    const kind = KINDS[below(KINDS.length)] ?? "prompt";
    const kept = kind === "compaction" && unit() < 0.5 ? [any(at), any(at)] as const : undefined;
    const id = at > 0 && unit() < 0.06 ? any(at) : uuid(at);
    ms += below(8) * 1000;
    const time = new Date(ms).toISOString();
    if (unit() < 0.8) response++;
    const text = `<t${at}>`;
    const side = unit() < sides;
    nodes.push({ id, parent, kind, kept: kept && [...kept], text, time, side, response });
  }
  return nodes;
}

function claudeLine({ id, parent, kind, kept, text, time, side, response }: Node): string {
  const frame = { isSidechain: side, cwd: "/home/dev", sessionId: "s", version: "2.1.29" };
  const ends = { uuid: id, timestamp: time };
  const message = kind === "prompt" ? { role: "user", content: text } : {
    id: `msg_${response}`,
    type: "message",
    role: "assistant",
    model: "m",
    content: [{ type: "text", text }],
    usage: { input_tokens: 1, output_tokens: 1 },
  };
  const type = kind === "prompt" ? "user" : "assistant";
  if (kind === "prompt" || kind === "answer") {
    return JSON.stringify({ parentUuid: parent, ...frame, type, message, ...ends });
  }
  const told = { type: "system", content: text, ...ends };
  if (kind === "aside") {
    return JSON.stringify({ parentUuid: parent, ...frame, subtype: "turn_duration", ...told });
  }
  const [headUuid, tailUuid] = kept ?? [];
  return JSON.stringify({
    parentUuid: null,
    logicalParentUuid: parent,
    ...frame,
    subtype: "compact_boundary",
    compactMetadata: kept === undefined
      ? {}
      : { preservedSegment: { headUuid, tailUuid, anchorUuid: id } },
    ...told,
  });
}

function piLine({ id, parent, kind, kept, text, time }: Node): string {
  const frame = { id, parentId: parent, timestamp: time };
  const content = [{ type: "text", text }];
  if (kind === "compaction") {
    const firstKeptEntryId = kept?.[0] ?? id;
    return JSON.stringify({
      type: "compaction",
      ...frame,
      summary: text,
      firstKeptEntryId,
      tokensBefore: 1,
    });
  }
  if (kind === "aside") {
    return JSON.stringify({ type: "custom", ...frame, customType: "x", data: { text } });
  }
  const message = kind === "prompt"
    ? { role: "user", content }
    : { role: "assistant", content, model: "m", stopReason: "stop" };
  return JSON.stringify({ type: "message", ...frame, message });
}

function qwenLine({ id, parent, kind, text, time }: Node): string {
  const frame = { uuid: id, parentUuid: parent, sessionId: "s", timestamp: time, cwd: "/home/dev" };
  if (kind === "prompt" || kind === "answer") {
    const role = kind === "prompt" ? "user" : "model";
    const type = kind === "prompt" ? "user" : "assistant";
    return JSON.stringify({ ...frame, type, message: { role, parts: [{ text }] } });
  }
  const systemPayload = kind === "aside" ? { text } : {
    info: {},
    compressedHistory: [{ role: "user", parts: [{ text: "<state_snapshot>" }] }],
  };
  const subtype = kind === "aside" ? "notification" : "chat_compression";
  return JSON.stringify({ ...frame, type: "system", subtype, systemPayload });
}

const PI_HEAD = { type: "session", version: 3, id: "s", timestamp: "2026-02-03T10:00:00.000Z" };
const CASES: TreeCase[] = [
  {
    agent: claudeAgent,
    openThreads: (session) => openThreadsOfTree(claudeFormat, session, {}),
    joins: false,
    write: (nodes) => ({ head: [], lines: nodes.map(claudeLine) }),
  },
  {
    agent: piAgent,
    openThreads: (session) => openThreadsOfTree(piFormat, session, {}),
    joins: false,
    write: (nodes) => ({
      head: [JSON.stringify({ ...PI_HEAD, cwd: "/home/dev" })],
      lines: nodes.map(piLine),
    }),
  },
  {
    agent: qwenAgent,
    openThreads: (session) => openThreadsOfTree(qwenFormat, session, {}),
    joins: true,
    write: (nodes) => ({ head: [], lines: nodes.map(qwenLine) }),
  },
];

/** The ids of the records that events tell of, without what a compaction repeats. */
function toldIn(events: readonly LogEvent[], nodes: readonly Node[]): Set<string> {
  const ids = new Set<string>();
  for (const event of events) {
    if (event.form !== "known" || event.kind === "session_started") continue;
    if (event.source?.id !== undefined) ids.add(event.source.id);
    if (event.kind === "compaction_applied") continue;
    const text = JSON.stringify(event.payload);
    for (const node of nodes) if (text.includes(node.text)) ids.add(node.id);
  }
  return ids;
}

/** The agent without its way to read all threads at once. */
function oneByOne({ open, ...agent }: Agent): Agent {
  return {
    ...agent,
    open: deriveReader({
      summarize: (session) => open(session).summarize(),
      read: (session, options) => open(session).read(options),
      threads: (session) => open(session).threads(),
    }),
  };
}

/** What reading all threads gives, in short. */
async function readOnce(agent: Agent, session: AgentSession): Promise<string[]> {
  const read: string[] = [];
  for await (const { thread, events } of agent.open(session).readThreads()) {
    for (const event of events) read.push(`${thread} ${JSON.stringify(event)}`);
  }
  return read;
}

async function checkTree(
  { agent, write, joins }: TreeCase,
  tree: readonly Node[],
  path: string,
): Promise<void> {
  const { head, lines } = write(tree);
  await Deno.writeTextFile(path, [...head, ...lines].map((line) => `${line}\n`).join(""));
  const session: AgentSession = await onlySession(agent, path);
  const threads = await agent.open(session).threads();
  const ids = new Set(tree.map(({ id }) => id));
  const where = `${agent.name}\n${lines.join("\n")}\n${JSON.stringify(threads, undefined, 1)}`;

  const told = new Map<string, Set<string>>();
  for (const { id: thread, parent } of threads) {
    assert.ok(parent === undefined || told.has(parent.thread), `parents come first: ${where}`);
    const { events } = await readAll(agent, session, { thread });
    told.set(thread, toldIn(events, tree));
  }
  const seen = new Set<string>();
  for (const { id, records } of threads) {
    const own = [...told.get(id) ?? []].filter((one) => !seen.has(one));
    for (const one of own) seen.add(one);
    assert.equal(own.length, records, `thread ${id} has ${own}: ${where}`);
  }
  assert.deepEqual([...seen].toSorted(), [...ids].toSorted(), where);

  assert.deepEqual(await readOnce(agent, session), await readOnce(oneByOne(agent), session), where);
  const once = new Map<string, Set<string>>();
  for await (const { thread, events } of agent.open(session).readThreads()) {
    const before = once.get(thread) ?? new Set();
    once.set(thread, before.union(toldIn(events, tree)));
  }
  const all = [...once.values()].flatMap((set) => [...set]);
  assert.equal(all.length, ids.size, `each record is read in one thread: ${where}`);

  const { account } = await readAll(agent, session);
  const last = new Map(tree.map(({ id }, at) => [id, at]));
  const repeated = lines.filter((_, at) => last.get(tree[at]?.id ?? "") !== at);
  const bytes = repeated.reduce((sum, line) => sum + line.length + 1, 0);
  assert.equal(account.side.repeated ?? 0, joins ? 0 : bytes, where);
  assert.equal(accountSum(account), Deno.statSync(path).size, where);
}

const NAME = "c0ffee00-0000-4000-8000-000000000001.jsonl";
const TREES = ALL_TORTURE ? 100 : 12;

for (const given of CASES) {
  Deno.test(`P12 every record of a generated tree is in one thread: ${given.agent.name}`, async () => {
    using file = tempFile(NAME, "");
    let branches = 0;
    for (let seed = 1; seed <= TREES; seed++) {
      const tree = makeTree(seed);
      await checkTree(given, tree, file.path);
      const session = await onlySession(given.agent, file.path);
      branches += (await given.agent.open(session).threads()).length - 1;
    }
    assert.ok(branches > TREES, `only ${branches} branches`);
  });
}

for (const { agent, openThreads, write } of CASES) {
  Deno.test(`reads once the part that a hundred branches share: ${agent.name}`, async () => {
    const node = (at: number, parent: number): Node => ({
      ...{ id: uuid(at), parent: parent < 0 ? null : uuid(parent), kind: "prompt" },
      ...{ text: `<t${at}>`, time: PI_HEAD.timestamp, side: false, response: 0 },
    });
    const shared = Array.from({ length: 300 }, (_, at) => node(at, at - 1));
    const branches = Array.from({ length: 100 }, (_, at) => node(300 + at, 299));
    const { head, lines } = write([...shared, ...branches]);
    using file = tempFile(NAME, [...head, ...lines].map((line) => `${line}\n`).join(""));
    const open = await openThreads(await onlySession(agent, file.path));
    let count = 0;
    const last = new Set<string | undefined>();
    for (const id of open.ids) {
      const events = (await Array.fromAsync(open.read(id))).flat();
      count += events.length;
      const end = events.at(-1);
      last.add(end?.form === "known" ? end.source?.id : undefined);
    }
    assert.deepEqual([open.ids.length, last.size], [100, 100]);
    assert.ok(count < 800, `${count} events of 400 records`);
  });
}
