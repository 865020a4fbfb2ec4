/**
 * Converts `response_item` records, the input and output of the model
 * (codex-rs/protocol/src/models.rs, ResponseItem; core/src/context_manager/history.rs).
 */
import { partFor } from "../../core/event/audience.ts";
import { asList, asName, asObject, asText, present } from "../engine/json.ts";
import {
  contentTexts,
  isContextual,
  isShown,
  partsFor,
  readUserCommand,
  shownPrompt,
  toParts,
  type UserCommand,
} from "./item_content.ts";
import { echoItem } from "./turn_event.ts";
import type { ReasoningPart } from "../../core/event/message.ts";
import { holdCall, holdText, holdThought } from "./held_answer.ts";
import { dropOldPrompts } from "./kept_prompts.ts";
import {
  emit,
  emitExtension,
  endWaiting,
  FEW_PROMPTS,
  hold,
  originOf,
  responseFields,
  type Rollout,
} from "./rollout.ts";
import type { RolloutRecord } from "./rollout_record.ts";
import { sealedHistory } from "../../core/event/sealed_history.ts";
import {
  type Disposition,
  settleCall,
  startCall,
  startLocalShell,
  startToolCall,
} from "./tool_call.ts";

export function applyResponseItem(
  rollout: Rollout,
  record: RolloutRecord,
): Disposition | undefined {
  switch (record.payload.type) {
    case "message":
      return message(rollout, record);
    case "reasoning":
      return reasoning(rollout, record);
    case "function_call":
    case "custom_tool_call":
      return startToolCall(rollout, record);
    case "local_shell_call":
      return startLocalShell(rollout, record);
    case "tool_search_call":
      return startCall(rollout, record, {
        call_id: asText(record.payload.call_id) ?? "",
        name: "tool_search",
        input: record.payload.arguments ?? {},
      });
    case "function_call_output":
    case "custom_tool_call_output":
    case "local_shell_call_output":
    case "tool_search_output":
      return settleCall(rollout, record);
    case "web_search_call":
      return hostedCall(rollout, record, "web_search", record.payload.action);
    case "image_generation_call":
      return imageGeneration(rollout, record);
    case "compaction":
    case "compaction_summary":
    case "context_compaction":
      return sealed(rollout, record);
    case "agent_message":
      return agentMessage(rollout, record);
    // Snapshots for /undo; Codex drops them when it loads a thread.
    case "ghost_snapshot":
      return "side";
    default:
      return undefined;
  }
}

function message(rollout: Rollout, record: RolloutRecord): Disposition {
  const { role, content, id } = record.payload;
  // Calls without an output so far get their output after this message.
  endWaiting(rollout);
  const parts = toParts(content);
  if (typeof content !== "string" && parts.length < asList(content).length) {
    emitExtension(rollout, record);
  }
  if (role === "assistant") {
    if (record.metadata.compaction_output === true) return compactionOutput(rollout, record);
    echoItem(rollout, "assistant");
    const origin = originOf(rollout, record, asName(id));
    holdText(rollout.held, parts, responseFields(rollout), origin);
    return "event";
  }
  if (role === "developer" || role === "system") return instruction(rollout, record);
  if (role !== "user") return extension(rollout, record);
  if (!isContextual(content)) return userMessage(rollout, record);
  if (isShown(contentTexts(content))) return sayToModel(rollout, record, (text) => text);
  return contextual(rollout, record);
}

/** Keeps an unfinished summary (0.169) as an extension, because a finished one replaces it. */
function compactionOutput(rollout: Rollout, record: RolloutRecord): Disposition {
  const type = "compaction_output";
  const data = record.payload;
  hold(rollout, "extension", { agent: "codex", type, data }, originOf(rollout, record));
  return "event";
}

function extension(rollout: Rollout, record: RolloutRecord): Disposition {
  emitExtension(rollout, record);
  return "event";
}

function userMessage(rollout: Rollout, record: RolloutRecord): Disposition {
  const { content } = record.payload;
  echoItem(rollout, "user");
  rollout.uncounted = false;
  rollout.prompts.push(contentTexts(content));
  if (rollout.prompts.length >= rollout.most_prompts) {
    dropOldPrompts(rollout.prompts);
    rollout.most_prompts = 2 * rollout.prompts.length + FEW_PROMPTS;
  }
  return sayToModel(rollout, record, shownPrompt);
}

function sayToModel(
  rollout: Rollout,
  record: RolloutRecord,
  shownOf: (text: string) => string,
): Disposition {
  const { content, id } = record.payload;
  const said = { content: partsFor(toParts(content), shownOf) };
  emit(rollout, "user_message", said, originOf(rollout, record, asName(id)));
  return "event";
}

/** Emits a message that Codex wrote with role `user`. People see only a shell command in it. */
function contextual(rollout: Rollout, record: RolloutRecord): Disposition {
  const command = readUserCommand(contentTexts(record.payload.content));
  if (command === undefined) return sayToModel(rollout, record, () => "");
  showCommand(rollout, record, command);
  const parts = toParts(record.payload.content).map((part) => ({ ...part, name: "" }));
  const content = parts.flatMap((part) => partFor(part, undefined));
  emit(rollout, "user_message", { content }, originOf(rollout, record, asName(record.payload.id)));
  return "event";
}

/** Emits a command of the user for people only. The model gets the command as a message. */
function showCommand(
  rollout: Rollout,
  record: RolloutRecord,
  { command, output, exit_code, duration_ns }: UserCommand,
): void {
  const origin = originOf(rollout, record, asName(record.payload.id));
  const call_id = origin.id ?? "user_shell";
  const status = exit_code === undefined || exit_code === 0 ? "ok" : "error";
  emit(rollout, "bash_start", { call_id, command, origin: "user", audience: "user" }, origin);
  const end = { call_id, command, output: asName(output), exit_code, status, duration_ns } as const;
  emit(rollout, "bash_end", present(end), origin);
}

/** Emits Codex's own instruction, hidden from people, after the outputs of all open calls. */
function instruction(rollout: Rollout, record: RolloutRecord): Disposition {
  const { content, id } = record.payload;
  const origin = originOf(rollout, record, asName(id));
  const said = { content: partsFor(toParts(content), () => ""), role: "system" } as const;
  if (rollout.open.size === 0) emit(rollout, "user_message", said, origin);
  else rollout.waiting.push({ kind: "user_message", payload: said, origin });
  return "event";
}

/** Adds a thought to the answer: its summary or raw text, and encrypted data for the provider. */
function reasoning(rollout: Rollout, record: RolloutRecord): Disposition {
  const { id, summary, content, encrypted_content } = record.payload;
  const shown = asList(summary).map((item) => asText(asObject(item).text) ?? "").join("\n\n");
  const raw = asList(content).map((item) => asText(asObject(item).text) ?? "").join("\n\n");
  const provider_data = present({
    type: "reasoning",
    id: asName(id),
    content: content ?? undefined,
    encrypted_content: asName(encrypted_content),
  });
  const text = shown === "" ? raw : shown;
  const thought: ReasoningPart = { type: "reasoning", text, provider_data };
  holdThought(rollout.held, thought, originOf(rollout, record, asName(id)));
  return "event";
}

/**
 * Adds a call that the provider ran itself to the current answer. Such a call has no output record.
 */
function hostedCall(
  rollout: Rollout,
  record: RolloutRecord,
  name: string,
  input: unknown,
): Disposition {
  const call_id = asName(record.payload.id) ?? name;
  const origin = originOf(rollout, record, asName(record.payload.id));
  const failed = record.payload.status === "failed";
  const call = { call_id, name, input: input ?? {} };
  holdCall(rollout.held, { call }, responseFields(rollout), origin);
  hold(rollout, "tool_end", { call_id, name, status: failed ? "error" : "ok" }, origin);
  return "event";
}

function imageGeneration(rollout: Rollout, record: RolloutRecord): Disposition {
  const { result, revised_prompt } = record.payload;
  hostedCall(rollout, record, "image_generation", present({ prompt: asName(revised_prompt) }));
  const image = asName(result);
  if (image === undefined) return "event";
  const parts = toParts([{ type: "input_image", image_url: `data:image/png;base64,${image}` }]);
  holdText(rollout.held, parts, {}, originOf(rollout, record));
  return "event";
}

/** Adds an encrypted history to the answer, without its id. Codex does not send the id either. */
function sealed(rollout: Rollout, record: RolloutRecord): Disposition {
  const { type, id, encrypted_content } = record.payload;
  const own = type === "context_compaction" ? type : "compaction";
  const origin = originOf(rollout, record, asName(id));
  hold(rollout, "assistant_message", sealedHistory(own, encrypted_content), origin);
  return "event";
}

/** Emits a message from another agent as a prompt. */
export function agentMessage(rollout: Rollout, record: RolloutRecord): Disposition {
  const { content, id } = record.payload;
  const text = contentTexts(content);
  if (text === "") return extension(rollout, record);
  endWaiting(rollout);
  emit(rollout, "user_message", { content: text }, originOf(rollout, record, asName(id)));
  return "event";
}
