/**
 * The format of pi's sessions: a header, then a tree of entries by `id` and `parentId`. This is the
 * format of pi 0.73 to 1.5.2 (core/session-manager.ts). The first version of the format had no ids:
 * each entry follows the previous one.
 */
import { asName, asObject, type Json, present } from "../engine/json.ts";
import { excerpt } from "../../core/projection/excerpt.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { restoredState, savedState } from "../engine/session_format.ts";
import type { Branch } from "../engine/tree/branches.ts";
import type { TreePath } from "../engine/tree/path_format.ts";
import { readEach } from "../engine/tree/read_steps.ts";
import {
  recordId,
  type RecordIndex,
  recordName,
  type TreeIndex,
} from "../engine/tree/record_index.ts";
import { type Steps, stepsOf } from "../engine/tree/steps.ts";
import type { TreeFormat, TreeReading } from "../engine/tree/tree_format.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { ResponseUsage } from "../../core/projection/response_usage.ts";
import type { SessionThread } from "../../core/projection/session_thread.ts";
import { type BranchInForce, findInForce } from "./context_edits.ts";
import { emitEntry, type EntryEmission, startEmission } from "./entry_events.ts";
import {
  allOfType,
  entryScanner,
  firstKept,
  indexEntry,
  isBoundary,
  type PiHead,
} from "./entry_index.ts";
import { emitHeader, ownsTitle } from "./header.ts";
import { writtenText } from "./prompt.ts";
import { usageOf } from "./assistant_events.ts";

type PiState = EntryEmission & Pick<BranchInForce, "edited">;

export const piFormat: TreeFormat<PiHead, PiState, unknown> = {
  repeated: "last",
  head: () => ({ linear: false }),
  hasHead: ({ header }) => header !== undefined,
  index: indexEntry,
  idOf: ({ value }) => asName(value.id),
  scanner: entryScanner,
  begin,
  emit([record]: readonly SourceRecord[], node, state): void {
    if (record === undefined) return;
    emitEntry(state, node, record);
    if (state.edited?.behind !== node.row) return;
    const { writer, turn_id, edited: { messages } } = state;
    writer.emit("conversation_replaced", { messages, reason: "context edited" }, { turn_id });
  },
  saveState: ({ turn_id, calls }) => savedState({ turn_id, calls }),
  restoreState(saved, { writer }, _path, begun = startEmission(writer, false)): PiState {
    if (saved === undefined) return { ...startEmission(writer, false), amid_turn: true };
    return { ...begun, ...restoredState<Pick<PiState, "turn_id" | "calls">>(saved), writer };
  },
  inForce: async (session, path) => (await findInForce(session, path)).from,
  isPrompt: isOfType("message"),
  isCompaction: isBoundary,
  firstKept: ({ value }) => firstKept(value),
  editsBefore: isOfType("context_edit"),
  responses: responsesOf,
  usage_mark: '"usage"',
  describe: describeBranches,
  isReadWhole: isEdited,
};

function isOfType(type: string): (index: RecordIndex, row: number) => boolean {
  return (index, row) => recordName(index, row) === type;
}

/**
 * True if any entry is edited. Each branch is then read by itself, because edits change which
 * messages the model gets.
 */
function isEdited(index: TreeIndex<PiHead>): boolean {
  return allOfType(index, "context_edit").length > 0;
}

async function begin({ session, writer }: TreeReading, path: TreePath<PiHead>): Promise<PiState> {
  const emission = startEmission(writer, ownsTitle(path));
  await emitHeader(session, path, emission);
  const { edited } = isEdited(path.index) ? await findInForce(session, path) : {};
  return { ...emission, edited };
}

async function describeBranches(
  session: AgentSession,
  index: TreeIndex<PiHead>,
): Promise<(branch: Branch) => Promise<Partial<SessionThread>>> {
  const labels = await labelsIn(session, index);
  return async ({ rows }) => {
    const given = rows.map((row) => labels.get(recordId(index, row)));
    const label = given.findLast((text) => text !== undefined);
    const messages = rows.filter((row) => recordName(index, row) === "message");
    // What pi says in the user's name is no title.
    const title = label ?? await firstPrompt(session, index, stepsOf(messages)) ?? "";
    return { title: excerpt(title) };
  };
}

async function firstPrompt(
  { path }: AgentSession,
  index: TreeIndex<PiHead>,
  steps: Steps,
): Promise<string | undefined> {
  for await (const { record } of readEach({}, path, index, steps)) {
    const text = writtenText(record);
    if (text) return text;
  }
  return undefined;
}

/** Returns the latest label of each entry. An empty label removes the previous label. */
async function labelsIn(
  { path }: AgentSession,
  index: TreeIndex<PiHead>,
): Promise<Map<string, string>> {
  const labels = new Map<string, string>();
  const given = stepsOf(allOfType(index, "label"));
  for await (const { record: { value } } of readEach({}, path, index, given)) {
    const target = asName(value.targetId);
    const label = asName(value.label);
    if (target === undefined) continue;
    if (label === undefined) labels.delete(target);
    else labels.set(target, label);
  }
  return labels;
}

/**
 * Returns the responses of an entry, from the entry or its message.
 *
 * Forks copy entries with their times, so keys of copies are equal. A key has the response's id,
 * and the entry's time because Ollama repeats ids. Without an id, a key has the usage, and the
 * times of entry and message. Several entries may have the same time.
 */
function responsesOf({ value }: SourceRecord, thread: string | undefined): ResponseUsage[] {
  const told = value.type === "message" ? asObject(value.message) : value;
  const { usage = {}, cost_usd } = usageOf(told.usage);
  if (Object.values(usage).every((tokens) => tokens === 0)) return [];
  const time = isoTime(value.timestamp) ?? isoTime(told.timestamp);
  const taken = Object.values(usage).join(" ");
  return [present({
    key: keyOf(told, time, taken),
    time,
    model: asName(told.model) ?? asName(told.responseModel) ?? "",
    thread,
    usage,
    cost_usd,
  })];
}

function keyOf(
  { responseId, provider, timestamp }: Json,
  time: string | undefined,
  taken: string,
): string | undefined {
  const id = asName(responseId);
  if (id !== undefined) return `${id}\n${asName(provider) ?? ""} ${time ?? taken}`;
  return time === undefined ? undefined : `${time} ${isoTime(timestamp) ?? ""}\n${taken}`;
}
