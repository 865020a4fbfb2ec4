/**
 * A pi session as events: its header, then the entries of the branch from the root on.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { EventKind } from "../../event/payload.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { type BranchPart, type BranchStart, writerAt } from "../../reading/tree/branch_starts.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { readRecordsAt } from "../../reading/records/records_at.ts";
import { count, countSide } from "../../source/source_account.ts";
import { findInForce, type InForce } from "./context_edits.ts";
import { type Emission, emitEntry, startEmission } from "./entry_events.ts";
import type { EntryNode } from "./entry_index.ts";
import { emitHeader, ownsTitle } from "./header.ts";
import { findLivePath, type LivePath, reportBroken } from "./live_path.ts";

/** Reads a session; see {@linkcode Agent.read}. */
export async function* readSession(
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const live = await findLivePath(session, options);
  accountFor(live, options);
  yield* readPath(session, options, live);
}

/** What is carried from entry to entry of a branch. */
export type EntryState = Pick<Emission, "turn_id" | "calls">;

/** Yields the events of a branch, or of the part that is still to be read. */
export async function* readPath(
  session: AgentSession,
  options: AgentReadOptions,
  live: LivePath,
  part?: BranchPart<EntryNode, EntryState>,
): AsyncGenerator<readonly LogEvent[]> {
  reportBroken(live, options.report);
  if (live.index.header === undefined && live.path.length === 0) return;
  const { emission, writer, head } = await startPath(session, options, live, part?.start);
  const in_force = part?.start === undefined ? await findInForce(session, live.path) : { from: 0 };
  const path = part?.nodes ?? live.path.slice(options.in_force ? in_force.from : 0);
  // In a thorough look all damage was reported already.
  const { signal, report } = options;
  const sink = { signal, report: live.thorough ? undefined : report };
  const places = path.filter(({ damaged }) => !damaged);
  for await (const batch of readRecordsAt(session.path, places, sink)) {
    for (const { place, record } of batch) {
      if (record !== undefined) {
        emitEntry(emission, place, record);
        emitEdited(emission, in_force, place);
      }
      part?.pass(place, () => {
        const state = { turn_id: emission.turn_id, calls: new Map(emission.calls) };
        return { state, writer, seq: writer.seq, head };
      });
    }
    const events = writer.take();
    if (events.length > 0) yield events;
  }
  const events = writer.take();
  if (events.length > 0) yield events;
}

/** Starts to make events: with the head, or behind the place where a branch leaves another. */
async function startPath(
  session: AgentSession,
  options: AgentReadOptions,
  live: LivePath,
  start: BranchStart<EntryState> | undefined,
): Promise<{ emission: Emission; writer: EventWriter; head: number }> {
  const own_titles = ownsTitle(live);
  const needs = start === undefined ? options.needs : new Set<EventKind>();
  const first = new EventWriter(session, needs);
  const emission = startEmission(first, own_titles);
  await emitHeader(session, live, emission);
  const head = first.seq;
  if (start === undefined) return { emission, writer: first, head };
  const writer = writerAt(session, options, start, head);
  return { emission: { ...emission, ...start.state, writer }, writer, head };
}

/** The conversation as the edits of its entries make it. */
function emitEdited({ writer, turn_id }: Emission, { edited }: InForce, node: EntryNode): void {
  if (edited?.behind !== node) return;
  const { messages } = edited;
  writer.emit("conversation_replaced", { messages, reason: "context edited" }, { turn_id });
}

/**
 * Every entry is on the branch or on another one. The damaged were counted, and of entries with one
 * id the last one counts.
 */
function accountFor({ index, path }: LivePath, { account }: AgentReadOptions): void {
  if (account === undefined) return;
  const live = new Set(path);
  for (const node of index.nodes) {
    if (node.damaged) continue;
    if (index.tree.get(node.id) !== node) countSide(account, "repeated", node.length);
    else count(account, live.has(node) ? "events" : "dead", node.length);
  }
}
