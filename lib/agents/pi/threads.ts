/**
 * The threads of a pi session: the live branch, and the branches that `/tree` left. A branch is called
 * by its label, if one of its entries has one, else by its first prompt.
 */
import type { LogEvent } from "../../event/envelope.ts";
import { SUMMARY_KINDS } from "../../event/policy.ts";
import { excerpt } from "../../projection/summary.ts";
import type { AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD, type SessionThread } from "../../source/session_thread.ts";
import { describedThread } from "../../reading/summary/described_thread.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { asName } from "../../reading/records/json_value.ts";
import { readRecordsAt } from "../../reading/records/records_at.ts";
import { sideBranches } from "../../reading/tree/side_branches.ts";
import { emitEntry, startEmission } from "./entry_events.ts";
import type { EntryIndex, EntryNode } from "./entry_index.ts";
import { findLivePath } from "./live_path.ts";
import { writtenText } from "./prompt.ts";

/** The threads of a session; see {@linkcode Agent.threads}. */
export async function threadsOf(session: AgentSession): Promise<SessionThread[]> {
  const { index, path } = await findLivePath(session, { needs: SUMMARY_KINDS });
  const main = { id: MAIN_THREAD, kind: "main" as const, records: path.length };
  const threads = [await describedThread(main, eventsOf(session, path.slice(-1)))];
  const branches = sideBranches(index.nodes, index.tree, { live: path });
  const labels = branches.length === 0 ? new Map<string, string>() : await labelsIn(session, index);
  for (const { id, parent: thread, path: own } of branches) {
    // What is damaged says nothing, and is reported where it lies.
    if (own.every(({ damaged }) => damaged)) continue;
    const label = own.map((node) => labels.get(node.id)).findLast((text) => text !== undefined);
    // What pi says in the user's name is no title.
    const title = excerpt(label ?? await firstPrompt(session, own) ?? "");
    const known: SessionThread = {
      id,
      kind: "branch",
      records: own.length,
      ...(thread === undefined ? {} : { parent: { thread } }),
      title,
    };
    threads.push(await describedThread(known, eventsOf(session, own)));
  }
  return threads;
}

async function firstPrompt(
  session: AgentSession,
  nodes: readonly EntryNode[],
): Promise<string | undefined> {
  const messages = nodes.filter(({ type, damaged }) => type === "message" && !damaged);
  for await (const batch of readRecordsAt(session.path, messages)) {
    for (const { record } of batch) {
      const text = record === undefined ? undefined : writtenText(record);
      if (text) return text;
    }
  }
  return undefined;
}

async function* eventsOf(
  session: AgentSession,
  nodes: readonly EntryNode[],
): AsyncGenerator<readonly LogEvent[]> {
  const writer = new EventWriter(session, SUMMARY_KINDS);
  const emission = startEmission(writer, false);
  const whole = nodes.filter(({ damaged }) => !damaged);
  for await (const batch of readRecordsAt(session.path, whole)) {
    for (const { place, record } of batch) {
      if (record !== undefined) emitEntry(emission, place, record);
    }
    yield writer.take();
  }
}

/** The label that was given last to each entry; pi takes one away by giving none. */
async function labelsIn(
  session: AgentSession,
  { nodes }: EntryIndex,
): Promise<Map<string, string>> {
  const labels = new Map<string, string>();
  const given = nodes.filter(({ type, damaged }) => type === "label" && !damaged);
  for await (const batch of readRecordsAt(session.path, given)) {
    for (const { record } of batch) {
      const target = asName(record?.value.targetId);
      const label = asName(record?.value.label);
      if (target === undefined) continue;
      if (label === undefined) labels.delete(target);
      else labels.set(target, label);
    }
  }
  return labels;
}
