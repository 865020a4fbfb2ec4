/**
 * A session of Qwen Code as events: the records of the live branch, from its root on.
 */
import type { LogEvent } from "../../event/envelope.ts";
import { type Diagnostic, isDamage } from "../../log/diagnostic.ts";
import type { EventKind } from "../../event/payload.ts";
import type { AgentReadOptions, AgentSession, SourceAccount } from "../../source/agent.ts";
import { type BranchPart, type BranchStart, writerAt } from "../../reading/tree/branch_starts.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { copyCalls } from "../../reading/genai/genai_calls.ts";
import { readRecords } from "../../reading/records/jsonl_records.ts";
import { readRecordsAt, type RecordPlace } from "../../reading/records/records_at.ts";
import { chosenThread } from "../../reading/tree/side_branches.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { count } from "../../source/source_account.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { startEmission } from "./header.ts";
import { branchesOf, findLivePath, reportBroken } from "./live_path.ts";
import { type Emission, emitRecord } from "./record_events.ts";
import { addRecord, emptyIndex, type RecordIndex, type RecordNode } from "./record_index.ts";
import { subagentsOf } from "./subagents.ts";

/** Reads a session; see {@linkcode Agent.read}. */
export async function* readSession(
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const { thread, ...rest } = options;
  if (thread === undefined || thread === MAIN_THREAD) return yield* readFile(session, rest);
  const agents = subagentsOf(session);
  const name = await namedThread(session, thread, agents.map(({ id }) => id));
  const agent = agents.find(({ id }) => id === name);
  if (agent === undefined) yield* readFile(session, { ...rest, thread: name });
  else yield* readFile({ ...session, path: agent.path }, rest);
}

/** The id of a thread: as it is named, else the one that begins so. */
async function namedThread(
  { path }: AgentSession,
  name: string,
  agents: readonly string[],
): Promise<string> {
  if (agents.includes(name)) return name;
  const index = await indexFile(path, {});
  if (index.tree.has(name)) return name;
  const branches = branchesOf(index, findLivePath(index).path);
  return chosenThread(name, [...branches.map(({ id }) => id), ...agents]);
}

async function* readFile(
  session: AgentSession,
  options: AgentReadOptions,
): AsyncGenerator<readonly LogEvent[]> {
  const { account, thread: branch, in_force } = options;
  const index = await indexFile(session.path, options);
  const walk = findLivePath(index, branch);
  countRecords(index, walk.path, account);
  const from = in_force ? walk.path.findLastIndex(({ compaction }) => compaction) : 0;
  const nodes = walk.path.slice(Math.max(0, from));
  yield* readPart(session, options, index, { walk, nodes, pass: (): void => {} });
}

/** What is carried from record to record of a branch. */
export type RecordState = Pick<Emission, "turn_id" | "calls">;

/** Yields the events of the part of a branch that is still to be read. */
export async function* readPart(
  session: AgentSession,
  options: AgentReadOptions,
  index: RecordIndex,
  { walk, nodes, start, pass }: BranchPart<RecordNode, RecordState>,
): AsyncGenerator<readonly LogEvent[]> {
  reportBroken(index, walk, options.report);
  if (index.first.length === 0) return;
  const needs = start === undefined ? options.needs : new Set<EventKind>();
  const first = new EventWriter(session, needs);
  const started = startEmission({ session, writer: first, index, path: walk.path });
  const head = first.seq;
  const writer = start === undefined ? first : writerAt(session, options, start, head);
  const emission = { ...started, ...start?.state, writer };
  const reached = (): BranchStart<RecordState> => {
    const { turn_id, calls } = emission;
    return { state: { turn_id, calls: copyCalls(calls) }, writer, seq: writer.seq, head };
  };
  yield* eventsOf(session, nodes, emission, options.signal, (node) => pass(node, reached));
}

/** The events of records that are at hand, and those that were made before. */
export async function* eventsOf(
  session: AgentSession,
  path: readonly RecordNode[],
  emission: Emission,
  signal?: AbortSignal,
  pass: (node: RecordNode) => void = () => {},
): AsyncGenerator<readonly LogEvent[]> {
  const { writer } = emission;
  let fragments: SourceRecord[] = [];
  for await (const batch of readRecordsAt(session.path, placesOf(path), { signal })) {
    for (const { place: { node, last }, record } of batch) {
      if (record !== undefined) fragments.push(record);
      if (!last) continue;
      emitRecord(emission, node, fragments);
      fragments = [];
      pass(node);
    }
    const events = writer.take();
    if (events.length > 0) yield events;
  }
  const rest = writer.take();
  if (rest.length > 0) yield rest;
}

interface FragmentPlace extends RecordPlace {
  node: RecordNode;
  /** The node's last one. */
  last: boolean;
}

function placesOf(path: readonly RecordNode[]): FragmentPlace[] {
  return path.flatMap((node) =>
    node.fragments.map((place, at) => ({ ...place, node, last: at === node.fragments.length - 1 }))
  );
}

/** Indexes a file of records. */
export async function indexFile(
  path: string,
  { report, account, signal }: AgentReadOptions,
): Promise<RecordIndex> {
  const index = emptyIndex();
  const note = (diagnostic: Diagnostic): void => {
    if (isDamage(diagnostic.code)) index.damage.push(diagnostic.offset);
    report?.(diagnostic);
  };
  for await (const records of readRecords(path, { report: note, account, signal })) {
    for (const record of records) addRecord(index, record, account);
  }
  return index;
}

function countRecords(
  { nodes }: RecordIndex,
  path: readonly RecordNode[],
  account: SourceAccount | undefined,
): void {
  const live = new Set(path);
  for (const node of nodes) {
    for (const { length } of node.fragments) {
      count(account, live.has(node) ? "events" : "dead", length);
    }
  }
}
