/**
 * Applies pi's edits of the context: entries that change or remove earlier entries for the model.
 * The transcript stays unchanged. The edited conversation replaces the model's conversation.
 */
import { asList, asName, asObject, asText, type Json } from "../engine/json.ts";
import type { KnownEvent, LogEvent } from "../../core/event/envelope.ts";
import type { Message } from "../../core/event/message.ts";
import { pairCalls } from "../../core/projection/conversation/paired_messages.ts";
import { buildMessages } from "../../core/projection/conversation/responses.ts";
import { EventWriter } from "../engine/events/event_writer.ts";
import type { TreeRecord } from "../engine/tree/tree_format.ts";
import type { TreePath } from "../engine/tree/path_format.ts";
import { readEach, type ReadRecord, readRow } from "../engine/tree/read_steps.ts";
import { DAMAGED, hasFlag, rowOf, type TreeIndex } from "../engine/tree/record_index.ts";
import { rowOfStep, type Steps } from "../engine/tree/steps.ts";
import type { AgentSession } from "../contract/agent.ts";
import { compactionText, emitEntry, startEmission } from "./entry_events.ts";
import { firstKept, isBoundary, isWholeOf, type PiHead } from "./entry_index.ts";
import { UNANSWERED } from "./header.ts";

export interface BranchInForce {
  /** Index in the branch of the first entry that the model still gets after a compaction. */
  from: number;
  /** The edited conversation. It replaces the model's conversation after the row `behind`. */
  edited?: { behind: number; messages: Message[] } | undefined;
}

/** The new content of an entry. Null if the entry is removed. */
type Replacement = Json | null;

export async function findInForce(
  session: AgentSession,
  { index, steps }: TreePath<PiHead>,
): Promise<BranchInForce> {
  const compaction = steps.findLastIndex((step) =>
    isBoundary(index, rowOfStep(step)) && !hasFlag(index, rowOfStep(step), DAMAGED)
  );
  const from = compaction < 0 ? 0 : keptFrom(session, index, steps, compaction);
  const edit = steps.findLastIndex((step) => isWholeOf(index, rowOfStep(step), "context_edit"));
  if (edit < from) return { from };
  const entries = await Array.fromAsync(readEach({}, session.path, index, steps.subarray(from)));
  const last = rowOfStep(steps[Math.max(edit, compaction)] as number);
  const edited = editConversation(session, entries, last);
  return edited === undefined ? { from } : { from, edited };
}

/** Returns the index in `steps` of the first entry that the compaction kept, else `compaction`. */
function keptFrom(
  session: AgentSession,
  index: TreeIndex<PiHead>,
  steps: Steps,
  compaction: number,
): number {
  const record = readRow({}, session.path, index, rowOfStep(steps[compaction] as number));
  const row = rowOf(index, record && firstKept(record.value));
  const from = steps.findIndex((step) => rowOfStep(step) === row);
  return from >= 0 && from < compaction ? from : compaction;
}

function editConversation(
  session: AgentSession,
  entries: readonly ReadRecord[],
  last: number,
): BranchInForce["edited"] {
  const edits = latestEdits(entries);
  if (!entries.some(({ node }) => edits.has(node.id))) return undefined;
  const end = settledEnd(entries, entries.findIndex(({ node }) => node.row === last));
  const behind = entries[end]?.node.row;
  if (behind === undefined) return undefined;
  const writer = new EventWriter(session);
  const emission = startEmission(writer);
  const base: Message[] = [];
  const compaction = entries.findLastIndex(({ node }) => node.type === "compaction");
  for (const [index, entry] of entries.slice(0, end + 1).entries()) {
    const record = applyEdit(entry, edits.get(entry.node.id));
    if (record === undefined) continue;
    if (entry.node.type !== "compaction") emitEntry(emission, entry.node, record);
    else if (index === compaction) base.push(summaryMessage(record));
  }
  const events = writer.take().filter(isKnown);
  return {
    behind,
    messages: pairCalls([...base, ...buildMessages(events, UNANSWERED).messages], UNANSWERED),
  };
}

function summaryMessage({ value }: TreeRecord): Message {
  return { role: "user", content: compactionText(asText(value.summary) ?? "") };
}

function isKnown(event: LogEvent): event is KnownEvent {
  return event.form === "known";
}

function latestEdits(entries: readonly ReadRecord[]): Map<string, Replacement> {
  const edits = new Map<string, Replacement>();
  for (const { node, record: { value } } of entries) {
    const target = asName(value.targetId);
    if (node.type !== "context_edit" || target === undefined) continue;
    edits.set(target, value.replacement === null ? null : asObject(value.replacement));
  }
  return edits;
}

/** Returns the first index from `at` on after which no call is open, else the last index. */
function settledEnd(entries: readonly ReadRecord[], at: number): number {
  const open = new Set<unknown>();
  for (const [index, { record }] of entries.entries()) {
    const { role, content, toolCallId } = asObject(record.value.message);
    if (role === "user") open.clear();
    if (role === "toolResult") open.delete(toolCallId);
    if (role === "assistant") {
      for (const block of asList(content).map(asObject)) {
        if (block.type === "toolCall") open.add(block.id);
      }
    }
    if (index >= at && open.size === 0) return index;
  }
  return entries.length - 1;
}

const EDITED_ROLES = new Set(["user", "assistant", "toolResult", "custom"]);

function applyEdit(
  { node, record }: ReadRecord,
  replacement: Replacement | undefined,
): TreeRecord | undefined {
  if (replacement === undefined) return record;
  if (replacement === null) return undefined;
  const { value } = record;
  const { content } = replacement;
  if (node.type === "custom_message") return { ...record, value: { ...value, content } };
  const message = asObject(value.message);
  if (!EDITED_ROLES.has(asText(message.role) ?? "")) return record;
  return { ...record, value: { ...value, message: { ...message, content } } };
}
