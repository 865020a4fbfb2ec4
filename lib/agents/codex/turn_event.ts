/**
 * Converts `event_msg` records, the events that people saw (codex-rs/protocol, EventMsg). Codex
 * stores only some events (codex-rs/rollout/src/policy.rs). Legacy rollouts have a type for each
 * event. Paginated rollouts (0.169) have `item_completed` with the finished item.
 */
import { asName, asObject, asText } from "../engine/json.ts";
import { contentTexts } from "./item_content.ts";
import { addUsage, emit, emitExtension, endAnswer, originOf, type Rollout } from "./rollout.ts";
import type { RolloutRecord } from "./rollout_record.ts";
import { readUsage } from "./token_counts.ts";
import { type Disposition, recordedDiffs, wasSettled } from "./tool_call.ts";

/** Types of records that repeat another record, or report only the program's state. */
const SIDE: ReadonlySet<string> = new Set([
  "agent_reasoning",
  "agent_reasoning_raw_content",
  "agent_reasoning_section_break",
  "context_compacted",
  "exec_command_begin",
  "exec_command_output_delta",
  "image_generation_begin",
  "image_generation_end",
  "item_completed/ContextCompaction",
  "item_completed/DynamicToolCall",
  "item_completed/HookPrompt",
  "item_completed/ImageGeneration",
  "item_completed/ImageView",
  "item_completed/Reasoning",
  "item_completed/WebSearch",
  "item_started",
  "mcp_tool_call_begin",
  "patch_apply_begin",
  "plan_update",
  "raw_response_item",
  "session_configured",
  "thread_settings_applied",
  "turn_diff",
  "view_image_tool_call",
  "web_search_begin",
  "web_search_end",
]);

export function applyTurnEvent(rollout: Rollout, record: RolloutRecord): Disposition {
  const type = record.type.slice("event_msg/".length);
  const { payload } = record;
  switch (type) {
    case "task_started":
    case "turn_started":
      return startTurn(rollout, record);
    case "task_complete":
    case "turn_complete":
      return completeTurn(rollout, record);
    case "turn_aborted": {
      const message = asText(payload.reason) ?? "";
      emit(rollout, "turn_failed", { reason: "cancelled", message }, originOf(rollout, record));
      return "event";
    }
    case "error": {
      const message = asText(payload.message) ?? "";
      emit(rollout, "turn_failed", { reason: "error", message }, originOf(rollout, record));
      return "event";
    }
    // The removed records are not read. An answer before the rollback has ended.
    case "thread_rolled_back":
      endAnswer(rollout);
      return "side";
    case "token_count": {
      const usage = readUsage(rollout.usage, type, payload);
      if (usage !== undefined) addUsage(rollout, usage, record);
      return "side";
    }
    case "user_message":
    case "item_completed/UserMessage":
      return echoEvent(rollout, "user", record);
    case "agent_message":
    case "item_completed/AgentMessage":
      return echoEvent(rollout, "assistant", record);
    case "exec_command_end":
      return commandRecord(rollout, record, payload.call_id);
    case "item_completed/CommandExecution":
      return commandRecord(rollout, record, asObject(payload.item).id);
    case "patch_apply_end":
      return fileChanges(rollout, record, { ...payload, id: payload.call_id });
    case "item_completed/FileChange":
      return fileChanges(rollout, record, asObject(payload.item));
    case "mcp_tool_call_end": {
      const failed = "Err" in asObject(payload.result);
      return toolRecord(rollout, payload.call_id, failed);
    }
    case "item_completed/McpToolCall": {
      const { id, status } = asObject(payload.item);
      return toolRecord(rollout, id, status === "failed");
    }
    default:
      if (SIDE.has(type)) return "side";
      return tell(rollout, record, type);
  }
}

function tell(rollout: Rollout, record: RolloutRecord, type: string): Disposition {
  const { message, item } = record.payload;
  const text = asName(message) ?? asName(contentTexts(asObject(item).content));
  if (text === undefined) emitExtension(rollout, record);
  else {
    const title = type.replaceAll("_", " ");
    const level = type.endsWith("error") ? { level: "error" } as const : {};
    const notice = { audience: "user", title, text, ...level } as const;
    emit(rollout, "notice", notice, originOf(rollout, record));
  }
  return "event";
}

function startTurn(rollout: Rollout, record: RolloutRecord): Disposition {
  endAnswer(rollout);
  endEchoes(rollout);
  rollout.turn_id = asName(record.payload.turn_id);
  return "side";
}

/** Ends a turn. In 0.169 only this record has the turn's error. */
function completeTurn(rollout: Rollout, record: RolloutRecord): Disposition {
  endAnswer(rollout);
  const { error } = record.payload;
  if (error === undefined || error === null) return "side";
  const message = asText(error) ?? asText(asObject(error).message) ?? JSON.stringify(error);
  emit(rollout, "turn_failed", { reason: "error", message }, originOf(rollout, record));
  return "event";
}

/**
 * Holds the record of a command's outcome, because the call's output usually repeats the outcome.
 * In 0.169, the output comes first if the command continues after its turn.
 */
function commandRecord(rollout: Rollout, record: RolloutRecord, id: unknown): Disposition {
  const call_id = asText(id) ?? "";
  const call = rollout.open.get(call_id);
  if (call !== undefined && call.outcome === undefined) {
    call.outcome = record;
    return "waiting";
  }
  const { item, source } = record.payload;
  const shell = asText(source) ?? asText(asObject(item).source) ?? "";
  // The message that tells the model of the user's command says the same.
  const known = call !== undefined || rollout.partial || wasSettled(rollout, call_id);
  if (known || shell.startsWith("user")) return "side";
  emitExtension(rollout, record);
  return "event";
}

function fileChanges(
  rollout: Rollout,
  record: RolloutRecord,
  item: Readonly<Record<string, unknown>>,
): Disposition {
  const call_id = asName(item.id);
  const call = rollout.open.get(call_id ?? "");
  const diffs = recordedDiffs(item.changes, call_id);
  const failed = item.success === false || item.status === "failed" || item.status === "declined";
  if (call !== undefined) call.failed ||= failed;
  if (failed || diffs.length === 0) return "side";
  if (call !== undefined) call.patch = undefined;
  for (const diff of diffs) emit(rollout, "diff", diff, originOf(rollout, record, call_id));
  return "event";
}

function toolRecord(rollout: Rollout, id: unknown, failed: boolean): Disposition {
  const call = rollout.open.get(asText(id) ?? "");
  if (call !== undefined) call.failed ||= failed;
  return "side";
}

// Events that repeat, for people, what an item said to the model: `user_message` and
// `agent_message` (legacy rollouts), `UserMessage` and `AgentMessage` (0.169). Each item is shown
// once, as the item. An event whose item never came, because Codex was stopped in between, is kept.

type Speaker = keyof Rollout["said"];

/** Counts an item of a speaker, so that the event that repeats the item is not shown. */
export function echoItem({ said }: Rollout, speaker: Speaker): void {
  said[speaker].items++;
}

/** Holds an event that repeats an item. The event is dropped once the item is read. */
function echoEvent({ said }: Rollout, speaker: Speaker, record: RolloutRecord): Disposition {
  said[speaker].waiting.push(record);
  return "waiting";
}

/** Drops each waiting event that repeats an item already read, and counts the event's record. */
export function settleEchoes({ said, count }: Rollout): void {
  if (said.user.waiting.length + said.assistant.waiting.length === 0) return;
  for (const echo of [said.user, said.assistant]) {
    while (echo.items > 0 && echo.waiting.length > 0) {
      const { source, type } = echo.waiting.shift() as RolloutRecord;
      count(source, type);
      echo.items--;
    }
  }
}

/**
 * Ends the events of a turn that wait for their items. Each becomes a notice, because the user saw
 * the event's text, but the model never got it.
 */
export function endEchoes(rollout: Rollout): void {
  settleEchoes(rollout);
  for (const echo of [rollout.said.user, rollout.said.assistant]) {
    for (const record of echo.waiting) {
      tell(rollout, record, record.type.slice("event_msg/".length));
      rollout.count(record.source);
    }
    echo.waiting = [];
    echo.items = 0;
  }
}
