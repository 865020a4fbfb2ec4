/** Tells which lines of a rollout may stay unparsed for a request, by their first bytes. */
import type { EventKind } from "../../event/payload.ts";
import { lineType, looksWhole } from "./rollout_line.ts";

/** Says nothing that another record does not, whoever asks. */
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

/** Of no account for what the model gets. */
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
 * Makes a scanner that names the type of a line which tells nothing that is wanted.
 *
 * @param said The kinds that are wanted, where only what the model gets of them is.
 */
export function skipsFor(
  said: ReadonlySet<EventKind> | undefined,
): (line: Uint8Array) => string | undefined {
  const types = new Set(said === undefined ? NEVER : [...NEVER, ...unsaid(said)]);
  return (line) => {
    const type = lineType(line);
    return type !== undefined && types.has(type) && looksWhole(line) ? type : undefined;
  };
}

function unsaid(said: ReadonlySet<EventKind>): readonly string[] {
  return [
    ...NOT_FOR_MODEL,
    ...(said.has("reasoning_message") ? [] : ["response_item/reasoning"]),
    ...(said.has("tool_start") || said.has("tool_end") ? [] : CALLS),
  ];
}
