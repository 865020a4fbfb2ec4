/**
 * A pi session as events: its header, then the entries of the branch from the root on.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { EventWriter } from "../event_writer.ts";
import { readRecordsAt } from "../records_at.ts";
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
  reportBroken(live, options.report);
  if (live.index.header === undefined && live.path.length === 0) return;
  const writer = new EventWriter(session, options.needs);
  const emission = startEmission(writer, ownsTitle(live));
  const in_force = await findInForce(session, live.path);
  await emitHeader(session, live, emission);
  const path = options.in_force ? live.path.slice(in_force.from) : live.path;
  // In a thorough look all damage was reported already.
  const { signal, report } = options;
  const sink = { signal, report: live.thorough ? undefined : report };
  const places = path.filter(({ damaged }) => !damaged);
  for await (const batch of readRecordsAt(session.path, places, sink)) {
    for (const { place, record } of batch) {
      if (record === undefined) continue;
      emitEntry(emission, place, record);
      emitEdited(emission, in_force, place);
    }
    const events = writer.take();
    if (events.length > 0) yield events;
  }
  const events = writer.take();
  if (events.length > 0) yield events;
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
