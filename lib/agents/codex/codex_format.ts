/** The format of Codex's threads: how the records of a rollout become events. */
import type { EventKind } from "../../core/event/payload.ts";
import type { EventSink } from "../engine/events/event_writer.ts";
import { asName, present } from "../engine/json.ts";
import type { LineSkip } from "../engine/records/taken_lines.ts";
import { LATER, type SessionFormat } from "../engine/session_format.ts";
import { codexSource } from "./codex_source.ts";
import { endEchoes, settleEchoes } from "./turn_event.ts";
import { readLineage } from "./lineage.ts";
import { applyRecord } from "./record_events.ts";
import { isLiveBehind } from "./rollbacks.ts";
import {
  emitExtension,
  endUsage,
  endWaiting,
  FEW_PROMPTS,
  type OpenCall,
  type Rollout,
  startRollout,
} from "./rollout.ts";
import { readRolloutHead } from "./rollout_file.ts";
import { lineType, looksWhole } from "./recognized_line.ts";
import {
  isPrompt,
  isTurnStart,
  isWholeCompaction,
  ROLLED_BACK,
  type RolloutRecord,
  toRolloutRecord,
} from "./rollout_record.ts";
import { startSession, titleOf } from "./session_head.ts";
import { threadsOf, threadWith } from "./threads.ts";
import { takePlainCall } from "./tool_call.ts";
import { isContextual } from "./item_content.ts";

export const codexFormat: SessionFormat<Rollout, SavedRollout, EventSink> = {
  source: codexSource,
  skips: skipsFor,
  threads: threadsOf,
  threadWith,
  stands: async ({ path }, { offset }) => isLiveBehind(await readLineage(path), offset),
  async begin({ session, writer, count }, first): Promise<Rollout> {
    const rollout = startRollout({ session, writer, count });
    rollout.title = await titleOf(session, first?.inherited === true);
    // The head of a fork follows the records that it continues. The head of a compacted thread is
    // not read.
    const is_head = first?.inherited !== true && first?.position.offset === 0;
    rollout.meta = is_head ? undefined : await readRolloutHead(session.path);
    return rollout;
  },
  emit(source, rollout): string | typeof LATER | void {
    const record = toRolloutRecord(source);
    rollout.inherited = source.inherited === true;
    const disposition = applyRecord(rollout, record);
    settleEchoes(rollout);
    if (disposition === "waiting") return LATER;
    return disposition === "side" ? record.type : undefined;
  },
  emitPair: (call, output, rollout) => takePlainCall(rollout, call, output),
  end: endRollout,
  standsAlone(source): boolean {
    const record = toRolloutRecord(source);
    return isTurnStart(record) || isPrompt(record);
  },
  // A turn can be longer than the part that is read of an end.
  beginsAmid: (source) => AMID.test(toRolloutRecord(source).type),
  needsBefore(source): boolean {
    const record = toRolloutRecord(source);
    return record.type === "compacted" && !isWholeCompaction(record);
  },
  leavesOpen: (records) => leavesOpen(records.map(toRolloutRecord)),
  saveState: saveRollout,
  restoreState: (saved, reading) =>
    restoreRollout(Object.assign(startRollout(reading), { started: true }), saved),
  async startState(reading): Promise<Rollout> {
    const rollout = Object.assign(startRollout(reading), { started: true, partial: true });
    const head = await readRolloutHead(reading.session.path);
    rollout.provider = asName(head?.payload.model_provider);
    return rollout;
  },
};

const AMID = /^response_item\/(?:message\/assistant|reasoning|\w+_call)$/;

function endRollout(rollout: Rollout): void {
  startSession(rollout);
  endUsage(rollout);
  endWaiting(rollout);
  endEchoes(rollout);
  for (const { outcome } of rollout.open.values()) {
    if (outcome === undefined) continue;
    emitExtension(rollout, outcome);
    rollout.count(outcome.source);
  }
}

/** Record types that end a turn. True for a type that leaves the turn's work unfinished. */
const ENDED: ReadonlyMap<string, boolean> = new Map([
  ["event_msg/turn_aborted", true],
  ["event_msg/task_complete", false],
  ["event_msg/turn_complete", false],
]);
/** Types of records, besides `ENDED`, after which no turn is open. */
const SETTLED = new Set(["event_msg/error", ROLLED_BACK]);
const WORK = /^response_item\/(?:reasoning$|.*_call$|.*_output$)/;

/** True if a thread's last records leave a turn open. Undefined if the records do not show it. */
function leavesOpen(records: readonly RolloutRecord[]): boolean | undefined {
  let last: boolean | undefined;
  let prompted = false;
  for (const record of records.toReversed()) {
    // Versions that write where a turn begins decide by its marks alone.
    if (isTurnStart(record)) return true;
    const ended = ENDED.get(record.type);
    if (ended !== undefined) return prompted ? last : ended;
    const open = goesOn(record);
    prompted ||= open === true && record.type === "response_item/message/user";
    last ??= open;
  }
  return last;
}

function goesOn({ type, payload }: RolloutRecord): boolean | undefined {
  if (SETTLED.has(type)) return false;
  if (WORK.test(type)) return true;
  if (type === "response_item/message/assistant") return payload.phase === "commentary";
  if (type !== "response_item/message/user") return undefined;
  return isContextual(payload.content) ? undefined : true;
}

interface SavedRollout extends
  Partial<
    Pick<Rollout, "cwd" | "model" | "provider" | "turn_id">
  > {
  uncounted: boolean;
  usage: Rollout["usage"];
  /** Number of message items, by speaker, that no event has repeated so far. */
  items: { user: number; assistant: number };
  prompts: string[];
  open: [string, OpenCall][];
  settled: string[];
}

/** Returns the state of a rollout. Undefined while an item or event waits for the next record. */
function saveRollout(rollout: Rollout): SavedRollout | undefined {
  const { started, held, early, waiting, said: { user, assistant } } = rollout;
  const waits = held.length + waiting.length + user.waiting.length + assistant.waiting.length;
  if (!started || early !== undefined || waits > 0) return undefined;
  const { cwd, model, provider, turn_id, uncounted, usage, prompts, open, settled } = rollout;
  return {
    ...present({ cwd, model, provider, turn_id }),
    uncounted,
    usage: { ...usage },
    items: { user: user.items, assistant: assistant.items },
    prompts: [...prompts],
    open: [...open].map(([id, call]) => [id, { ...call }]),
    settled: [...settled],
  };
}

function restoreRollout(rollout: Rollout, saved: SavedRollout): Rollout {
  const { usage, items, prompts, open, settled, ...fields } = saved;
  Object.assign(rollout, fields);
  rollout.usage = { ...usage };
  rollout.said.user.items = items.user;
  rollout.said.assistant.items = items.assistant;
  rollout.prompts = [...prompts];
  rollout.most_prompts = prompts.length + FEW_PROMPTS;
  for (const [id, call] of open) rollout.open.set(id, { ...call });
  for (const id of settled) rollout.settled.push(id);
  return rollout;
}

/** Types of records that no reader needs, because they only repeat other records. */
const NEVER: readonly string[] = [
  "world_state",
  "inter_agent_communication_metadata",
  "event_msg/agent_reasoning",
  "event_msg/agent_reasoning_raw_content",
  "event_msg/context_compacted",
  "event_msg/image_generation_end",
  "event_msg/thread_settings_applied",
  "event_msg/web_search_end",
  "event_msg/item_completed/ContextCompaction",
  "event_msg/item_completed/ImageGeneration",
  "event_msg/item_completed/Reasoning",
  "event_msg/item_completed/WebSearch",
];

const NOT_FOR_MODEL: readonly string[] = [
  "event_msg/user_message",
  "event_msg/agent_message",
  "event_msg/exec_command_end",
  "event_msg/item_completed/UserMessage",
  "event_msg/item_completed/AgentMessage",
  "event_msg/item_completed/CommandExecution",
  "turn_context",
  "token_usage_record",
  "event_msg/token_count",
  "event_msg/task_started",
  "event_msg/task_complete",
  "event_msg/turn_aborted",
  "event_msg/patch_apply_end",
  "event_msg/item_completed/FileChange",
  "event_msg/item_completed/Plan",
  "event_msg/sub_agent_activity",
  "event_msg/thread_goal_updated",
  "response_item/ghost_snapshot",
];

const CALLS: readonly string[] = [
  "response_item/function_call",
  "response_item/function_call_output",
  "response_item/custom_tool_call",
  "response_item/custom_tool_call_output",
  "response_item/local_shell_call",
  "response_item/tool_search_call",
  "response_item/tool_search_output",
  "response_item/web_search_call",
];

/**
 * Makes a filter for lines that need no parsing. It returns a skipped line's type, else undefined.
 *
 * @param said The kinds of events that the model needs. Undefined to read all events, including
 * those for people only.
 */
function skipsFor(said: ReadonlySet<EventKind> | undefined): LineSkip {
  const types = new Set(said === undefined ? NEVER : [...NEVER, ...unsaid(said)]);
  return (block, start, end) => {
    const type = lineType(block.finder.bytes, start, end, block.view);
    return type !== undefined && types.has(type) && looksWhole(block, start, end)
      ? type
      : undefined;
  };
}

function unsaid(said: ReadonlySet<EventKind>): readonly string[] {
  return [
    ...NOT_FOR_MODEL,
    ...(said.has("reasoning_message") ? [] : ["response_item/reasoning"]),
    ...(said.has("tool_start") || said.has("tool_end") ? [] : CALLS),
  ];
}
