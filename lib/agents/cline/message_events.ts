/**
 * Converts Cline's messages to events. Their content is made of blocks of Anthropic's Messages API,
 * or of parts of the AI SDK (Roo Code 3.47). Calls may also be in the text: see `tagged_calls.ts`.
 */
import { textFor, toContent } from "../../core/event/audience.ts";
import type { Part, TextPart } from "../../core/event/message.ts";
import { blocksOf } from "../engine/events/anthropic_blocks.ts";
import type { EventTarget } from "../engine/events/event_writer.ts";
import { promptUsage } from "../engine/events/prompt_usage.ts";
import {
  addCall,
  emitResponse,
  type ResponseDraft,
  startResponse,
} from "../engine/events/response_draft.ts";
import { answerParts, callIdOf, isResultItem } from "../engine/events/sdk_items.ts";
import { handedStatus } from "../engine/handed/line.ts";
import {
  asList,
  asName,
  asNumber,
  asObject,
  asText,
  type Json,
  present,
  unreadFields,
} from "../engine/json.ts";
import { type ClineCall, emitCallResult, toShown } from "./call_results.ts";
import { resultsIn, taggedCall } from "./tagged_calls.ts";

export interface TalkState {
  /** True for a task of the editor extension, whose texts have tags of their own. */
  has_tags: boolean;
  calls: Map<string, ClineCall>;
  /** Model of the task. It is used for messages that name no model. */
  model: string | undefined;
  /** Number of calls so far, used in new ids for calls without an id, such as calls in texts. */
  tagged: number;
}

export function emitMessage(message: Json, state: TalkState, target: EventTarget): void {
  if (message.role === "assistant") emitAnswer(message, state, target);
  else if (message.type === "reasoning") emitThought(message, target);
  else emitPrompt(message, state, target);
  const { metadata, ...fields } = message;
  // Data that was written with handed-over calls is read with their results.
  const rest = asObject(metadata).reprise === undefined ? message : fields;
  target.writer.keep("message", unreadFields(rest, TAKEN), target.origin);
}

/** Fields of a message that become part of events, or decide whether the model gets a message. */
const TAKEN: ReadonlySet<string> = new Set([
  ...["id", "ts", "role", "type", "content", "model", "modelInfo", "metrics", "reasoning_content"],
  ...["isSummary", "condenseId", "condenseParent", "summary", "encrypted_content", "text"],
  ...["isTruncationMarker", "truncationId", "truncationParent"],
]);

const CALLS: ReadonlySet<unknown> = new Set(["tool_use", "tool-call"]);

function emitPrompt(message: Json, state: TalkState, target: EventTarget): void {
  const { writer, origin } = target;
  const blocks = blocksOf(message.content);
  for (const block of blocks) {
    if (isResultItem(block)) emitCallResult(block, state.calls, target);
  }
  const others = blocks.filter((block) => !isResultItem(block));
  const texts = others.map(({ type, text }) => type === "text" ? asText(text) ?? "" : "");
  const answered = state.has_tags ? resultsIn(texts, state.calls, target) : new Set();
  const parts = others.flatMap((block, index): Part[] => {
    const text = texts[index] ?? "";
    if (answered.has(index)) {
      return [{ type: "text", text, audience: "model", name: "tool result" }];
    }
    if (block.type !== "text") return toUserPart(block) ?? keep(block, target);
    return message.isSummary === true || message.isTruncationMarker === true
      ? [{ type: "text", text, audience: "model" }]
      : userText(text, state, target);
  });
  if (parts.length > 0) writer.emit("user_message", { content: toContent(parts) }, origin);
}

function keep(block: Json, { writer, origin }: EventTarget): never[] {
  writer.keepUnknown(asName(block.type) ?? "block", block, origin);
  return [];
}

/** Matches the tags around a prompt, which the extension sends with the prompt. */
const SENT_TAGS = /^<(task|feedback|answer|user_message)>\s*([\s\S]*?)\s*<\/\1>/;
/** Matches tags around a stored prompt. Cline removes them before it sends or shows the prompt. */
const STORED_TAGS = /^\s*<(user_input|user_command)\b[^>]*>([\s\S]*)<\/\1>\s*$/;
/** Matches text that the extension adds to a prompt for the model. */
const OWN_WORDS = /^\s*(?:<environment_details>|\[TASK RESUMPTION\]|# TODO LIST|# task_progress)/;

function userText(text: string, { has_tags }: TalkState, target: EventTarget): TextPart[] {
  const stored = STORED_TAGS.exec(text)?.[2];
  if (stored !== undefined) {
    target.writer.keep("user_input", text, target.origin);
    return [{ type: "text", text: stored }];
  }
  if (!has_tags) return [{ type: "text", text }];
  if (OWN_WORDS.test(text)) return [{ type: "text", text, audience: "model" }];
  const shown = SENT_TAGS.exec(text)?.[2];
  const parts = shown === undefined ? text : textFor(shown, text);
  return typeof parts === "string" ? [{ type: "text", text: parts }] : parts;
}

function toUserPart(block: Json): Part[] | undefined {
  const { type, path, content } = block;
  if (type === "file" && typeof content === "string") {
    return [
      present({ type: "text", text: content, audience: "model", name: asName(path) } as const),
    ];
  }
  const part = toShown(block);
  return part && [part];
}

function emitAnswer(message: Json, state: TalkState, target: EventTarget): void {
  const draft = startResponse();
  const thought = asName(message.reasoning_content);
  if (thought !== undefined) {
    const provider_data = { type: "reasoning_content" };
    draft.parts.push({ type: "reasoning", text: thought, provider_data });
  }
  const blocks = blocksOf(message.content);
  const has_calls = blocks.some(({ type }) => CALLS.has(type));
  for (const block of blocks) {
    if (CALLS.has(block.type)) addNativeCall(block, message, draft, state);
    else if (block.type === "text" && !has_calls) addText(asText(block.text) ?? "", draft, state);
    else {
      const parts = answerParts(block);
      for (const one of parts.length > 0 ? parts : keep(block, target)) draft.parts.push(one);
    }
  }
  const { id, modelId, provider, providerId } = asObject(message.modelInfo);
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens, cost } = asObject(
    message.metrics,
  );
  const facts = {
    message_id: asName(message.id),
    model: asName(id) ?? asName(modelId) ?? asName(message.model) ?? state.model,
    provider: asName(provider) ?? asName(providerId),
    usage: promptUsage({
      prompt: asNumber(inputTokens),
      output: asNumber(outputTokens),
      cache_read: asNumber(cacheReadTokens),
      cache_write: asNumber(cacheWriteTokens),
    }),
    cost_usd: inputTokens === undefined ? undefined : asNumber(cost),
  };
  emitResponse(target.writer, draft, present(facts), target.origin);
}

/** Emits a thought that is stored as a separate item. Its data goes back to its provider. */
function emitThought(message: Json, { writer, origin }: EventTarget): void {
  const said = asList(message.summary).map((one) => asText(asObject(one).text) ?? "");
  const { type, id, summary, encrypted_content } = message;
  const content = asName(message.text) ?? said.join("\n");
  const provider_data = present({ type, id, summary, encrypted_content });
  writer.emit("reasoning_message", { content, provider_data }, origin);
}

function addNativeCall(
  block: Json,
  { metadata }: Json,
  draft: ResponseDraft,
  state: TalkState,
): void {
  const call_id = callIdOf(block, `call-${++state.tagged}`);
  const name = asName(block.name) ?? asName(block.toolName) ?? "tool";
  addOpenCall({ call_id, name, input: block.input ?? {} }, draft, state);
  const open = state.calls.get(call_id);
  if (open !== undefined) open.told = handedStatus(asObject(metadata), call_id);
}

function addOpenCall(
  call: { call_id: string; name: string; input: unknown; audience?: "user" },
  draft: ResponseDraft,
  state: TalkState,
): void {
  const { commands, command: line } = asObject(call.input);
  const said = asText(asObject(call.input)[SPOKEN.get(call.name) ?? ""]);
  if (said !== undefined) draft.parts.push({ type: "text", text: said, audience: "user" });
  const lines = asList(commands).map((one) => asText(one) ?? asText(asObject(one).command) ?? "");
  const told = lines.length > 0 ? lines.join("\n") : asText(line);
  const command = COMMANDS.has(call.name) ? told : undefined;
  state.calls.set(call.call_id, { ...call, command });
  addCall(draft, call, command === undefined ? undefined : { command });
}

/** The input field with the words to the user, for each tool that speaks to the user. */
const SPOKEN: ReadonlyMap<string, string> = new Map([
  ["attempt_completion", "result"],
  ["plan_mode_respond", "response"],
  ["ask_followup_question", "question"],
  ["ask_question", "question"],
]);

const COMMANDS: ReadonlySet<string> = new Set(["run_commands", "execute_command", "bash"]);

/** Adds a text. The model gets the whole text. People see a tagged call in the text as a call. */
function addText(text: string, draft: ResponseDraft, state: TalkState): void {
  const tagged = state.has_tags ? taggedCall(text) : undefined;
  if (tagged === undefined) {
    draft.parts.push({ type: "text", text });
    return;
  }
  const { before, name, input } = tagged;
  const parts = textFor(before, text);
  for (const one of typeof parts === "string" ? [] : parts) draft.parts.push(one);
  const call_id = `tag-${++state.tagged}`;
  addOpenCall({ call_id, name, input, audience: "user" }, draft, state);
}
