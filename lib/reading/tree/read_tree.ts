/** Reads a branch of a session as events: its head, then its records from the root on. */
import type { LogEvent } from "../../event/envelope.ts";
import type { EventKind } from "../../event/payload.ts";
import { count, countSide } from "../../source/source_account.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { EventWriter } from "../events/event_writer.ts";
import { readRecordsAt, type RecordPlace } from "../records/records_at.ts";
import type { SourceRecord } from "../records/source_record.ts";
import type { FormatReading } from "../session_format.ts";
import { type BranchPart, type BranchStart, writerAt } from "./branch_starts.ts";
import { findPath, type FoundPath, reportBroken } from "./live_path.ts";
import { placesOf, type RecordNode, type TreeFormat } from "./tree_format.ts";

/** Reads a session; see {@linkcode SessionReader.read}. */
export async function* readTree<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const found = await findPath(format, session, options);
  accountFor(format, found, options);
  const { path } = found;
  const from = options.in_force ? await format.inForce?.(session, path) ?? 0 : 0;
  yield* readPart(format, session, options, found, { walk: found, nodes: path.slice(from) });
}

/** Yields the events of the part of a branch that is still to be read. */
export async function* readPart<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  options: AgentReadOptions,
  found: FoundPath<Head>,
  part:
    & Pick<BranchPart<RecordNode, Saved>, "walk" | "nodes">
    & Partial<BranchPart<RecordNode, Saved>>,
): AsyncGenerator<readonly LogEvent[]> {
  const { walk, nodes, start, pass } = part;
  const { report } = options;
  const path = { ...walk, index: found.index };
  reportBroken(path, report);
  if (path.path.length === 0 && !format.hasHead(found.index.head)) return;
  const needs = start === undefined ? options.needs : new Set<EventKind>();
  const first = readingOf(session, new EventWriter(session, needs), report);
  const begun = await format.begin(first, path);
  const head = first.writer.seq;
  const reading = start === undefined
    ? first
    : readingOf(session, writerAt(session, options, start, head), report);
  const state = start === undefined ? begun : format.restoreState(start.state, reading, begun);
  const { writer } = reading;
  const reached = (): BranchStart<Saved> => ({
    ...{ state: format.saveState(state), writer, seq: writer.seq, head },
  });
  // In a thorough look all damage was reported already.
  const sink = found.thorough ? {} : { report };
  const records = recordsOf(session.path, nodes, { ...sink, signal: options.signal });
  for await (const batch of records) {
    for (const { node, records } of batch) {
      if (records.length > 0) format.emit(records, node, state);
      pass?.(node, reached);
    }
    const events = writer.take();
    if (events.length > 0) yield events;
  }
  const rest = writer.take();
  if (rest.length > 0) yield rest;
}

function readingOf(
  session: AgentSession,
  writer: EventWriter,
  report: AgentReadOptions["report"],
): FormatReading {
  return { session, thread: MAIN_THREAD, writer, report };
}

/** Yields the events of some records by themselves, as of a branch without what it left. */
export async function* readNodes<Head, State, Saved>(
  format: TreeFormat<Head, State, Saved>,
  session: AgentSession,
  nodes: readonly RecordNode[],
  needs: ReadonlySet<EventKind>,
): AsyncGenerator<readonly LogEvent[]> {
  const reading = readingOf(session, new EventWriter(session, needs), undefined);
  const state = format.restoreState(undefined, reading);
  for await (const batch of recordsOf(session.path, nodes)) {
    for (const { node, records } of batch) {
      if (records.length > 0) format.emit(records, node, state);
    }
    yield reading.writer.take();
  }
  yield reading.writer.take();
}

/** A record with all its pieces. */
interface NodeRecords {
  node: RecordNode;
  records: SourceRecord[];
}

interface PiecePlace extends RecordPlace {
  node: RecordNode;
  /** True for the node's last piece. */
  last: boolean;
}

/** Reads records at their places, in the order of the nodes; those of a damaged line are left out. */
export async function* recordsOf(
  path: string,
  nodes: readonly RecordNode[],
  sink: Parameters<typeof readRecordsAt>[2] = {},
): AsyncGenerator<NodeRecords[]> {
  let pieces: SourceRecord[] = [];
  for await (const batch of readRecordsAt(path, piecesOf(nodes), sink)) {
    const whole: NodeRecords[] = [];
    for (const { place: { node, last }, record } of batch) {
      if (record !== undefined) pieces.push(record);
      if (!last) continue;
      whole.push({ node, records: pieces });
      pieces = [];
    }
    yield whole;
  }
}

function piecesOf(nodes: readonly RecordNode[]): PiecePlace[] {
  const whole = nodes.filter(({ damaged }) => !damaged);
  return whole.flatMap((node) => {
    const places = placesOf(node);
    return places.map((place, at): PiecePlace => {
      const { offset, length, line, salvaged } = place;
      return { offset, length, line, salvaged, node, last: at === places.length - 1 };
    });
  });
}

/**
 * Counts the records of a file: on the branch or on another one. The damaged were counted, and of
 * records with one id the last one counts, where they are not pieces of one.
 */
function accountFor<Head, State, Saved>(
  { repeated }: TreeFormat<Head, State, Saved>,
  { index, path }: FoundPath<Head>,
  { account }: AgentReadOptions,
): void {
  if (account === undefined) return;
  const live = new Set(path);
  for (const node of index.nodes) {
    if (node.damaged) continue;
    if (repeated === "last" && index.tree.get(node.id) !== node) {
      countSide(account, "repeated", node.length);
    } else {
      for (const { length } of placesOf(node)) {
        count(account, live.has(node) ? "events" : "dead", length);
      }
    }
  }
}
