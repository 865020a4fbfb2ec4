/**
 * The format of pi's sessions: a header, then a tree of entries by `id` and `parentId`. So they are
 * in pi 0.73 to 1.5.2, core/session-manager.ts. The first version had no ids: its entries follow
 * each other.
 */
import { excerpt } from "../../projection/summary.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { asName, asObject, present } from "../../reading/json_value.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import type { FormatReading } from "../../reading/session_format.ts";
import { recordsOf } from "../../reading/tree/read_tree.ts";
import type { SideBranch } from "../../reading/tree/side_branches.ts";
import type {
  RecordNode,
  TreeFormat,
  TreeIndex,
  TreePath,
} from "../../reading/tree/tree_format.ts";
import type { AgentSession } from "../../source/agent.ts";
import type { ResponseUsage } from "../../source/response_usage.ts";
import type { SessionThread } from "../../source/session_thread.ts";
import type { StartedCall } from "./assistant_events.ts";
import { findInForce, type InForce } from "./context_edits.ts";
import { type Emission, emitEntry, startEmission } from "./entry_events.ts";
import { firstKept, indexEntry, isSynthetic, type PiHead, scanEntry } from "./entry_index.ts";
import { emitHeader, ownsTitle } from "./header.ts";
import { writtenText } from "./prompt.ts";
import { usageOf } from "./usage.ts";

/** An emission, and the conversation that edits make of it. */
type PiState = Emission & Pick<InForce, "edited">;

/** The state that a branch takes over from the one that it leaves. */
interface SavedEmission {
  turn_id: string | undefined;
  calls: Map<string, StartedCall>;
}

/** The format of pi's sessions. */
export const piFormat: TreeFormat<PiHead, PiState, SavedEmission> = {
  repeated: "last",
  head: () => ({ linear: false }),
  hasHead: ({ header }) => header !== undefined,
  index: indexEntry,
  scan: scanEntry,
  begin,
  emit([record], node, state): void {
    if (record === undefined) return;
    emitEntry(state, node, record);
    if (state.edited?.behind !== node) return;
    const { writer, turn_id, edited: { messages } } = state;
    writer.emit("conversation_replaced", { messages, reason: "context edited" }, { turn_id });
  },
  saveState: ({ turn_id, calls }) => ({ turn_id, calls: new Map(calls) }),
  restoreState(saved, { writer }, begun): PiState {
    if (saved === undefined) return { ...startEmission(writer, false), amid_turn: true };
    return { ...begun ?? startEmission(writer), ...saved, writer };
  },
  inForce: async (session, path) => (await findInForce(session, path)).from,
  isPrompt: ({ type }) => type === "message",
  isCompaction: ({ type }) => type === "compaction",
  firstKept: ({ value }) => firstKept(value),
  editsBefore: ({ type }) => type === "context_edit",
  isUnnamed: isSynthetic,
  responses: responsesOf,
  usage_mark: '"usage"',
  describe: describeBranches,
  // An edit of the context changes what a branch has in force, so that each is read by itself.
  isReadWhole: ({ nodes }) => nodes.some(({ type }) => type === "context_edit"),
};

async function begin(
  { session, writer }: FormatReading,
  path: TreePath<PiHead>,
): Promise<PiState> {
  const emission = startEmission(writer, ownsTitle(path));
  await emitHeader(session, path, emission);
  const is_edited = path.path.some(({ type }) => type === "context_edit");
  const { edited } = is_edited ? await findInForce(session, path.path) : {};
  return { ...emission, edited };
}

/** A branch is called by its label, if one of its entries has one, else by its first prompt. */
async function describeBranches(
  session: AgentSession,
  { nodes }: TreeIndex<PiHead>,
): Promise<(branch: SideBranch<RecordNode>) => Promise<Partial<SessionThread>>> {
  const labels = await labelsIn(session, nodes);
  return async ({ path }) => {
    const label = path.map(({ id }) => labels.get(id)).findLast((text) => text !== undefined);
    // What pi says in the user's name is no title.
    return { title: excerpt(label ?? await firstPrompt(session, path) ?? "") };
  };
}

async function firstPrompt(
  session: AgentSession,
  nodes: readonly RecordNode[],
): Promise<string | undefined> {
  const messages = nodes.filter(({ type }) => type === "message");
  for await (const batch of recordsOf(session.path, messages)) {
    for (const { records: [record] } of batch) {
      const text = record === undefined ? undefined : writtenText(record);
      if (text) return text;
    }
  }
  return undefined;
}

/** The label that was given last to each entry; pi takes one away by giving none. */
async function labelsIn(
  session: AgentSession,
  nodes: readonly RecordNode[],
): Promise<Map<string, string>> {
  const labels = new Map<string, string>();
  const given = nodes.filter(({ type }) => type === "label");
  for await (const batch of recordsOf(session.path, given)) {
    for (const { records: [record] } of batch) {
      const target = asName(record?.value.targetId);
      const label = asName(record?.value.label);
      if (target === undefined) continue;
      if (label === undefined) labels.delete(target);
      else labels.set(target, label);
    }
  }
  return labels;
}

/**
 * An entry tells of a call itself, or the message in it does. Forks copy entries with their times. A
 * response is known by its id and time, because Ollama repeats ids, or by its time and usage.
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
  { responseId, provider }: Readonly<Record<string, unknown>>,
  time: string | undefined,
  taken: string,
): string | undefined {
  const id = asName(responseId);
  if (id !== undefined) return `${id}\n${asName(provider) ?? ""} ${time ?? taken}`;
  return time === undefined ? undefined : `${time}\n${taken}`;
}
