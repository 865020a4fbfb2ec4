/**
 * Converts the dialogue of user, tools and model to events. Contents are those of Google's GenAI
 * SDK, as they are sent (Qwen Code, chatRecordingService.ts `ChatRecord.message`).
 */
import { untypedContent } from "../../core/event/audience.ts";
import { asObject, asText, type Json, present } from "../engine/json.ts";
import type { ReasoningPart } from "../../core/event/message.ts";
import type { TokenUsage } from "../../core/event/payload.ts";
import type { EventOrigin } from "../engine/events/event_writer.ts";
import { emitResponse, startResponse } from "../engine/events/response_draft.ts";
import {
  addGenAiCall,
  type GenAiCalls,
  noCalls,
  settleGenAiCall,
  type ShownResult,
} from "../engine/genai/genai_calls.ts";
import {
  addJoined,
  type GenAiPart,
  genAiParts,
  hasPlace,
  isThought,
  promptContent,
  toOurPart,
} from "../engine/genai/genai_content.ts";
import { handedStatus } from "../engine/handed/line.ts";
import type { TreeSink } from "../engine/tree/tree_format.ts";

export interface QwenDialogue {
  readonly writer: TreeSink;
  readonly calls: GenAiCalls;
}

export function startDialogue(writer: TreeSink): QwenDialogue {
  return { writer, calls: noCalls() };
}

interface AnswerFields {
  message_id: string;
  model?: string;
  usage?: TokenUsage;
}

/**
 * Emits an answer: its thoughts, its text, its calls.
 *
 * @param record The answer's record. If Reprise wrote it, it can hold the original status of calls.
 */
export function emitAnswer(
  { writer, calls }: QwenDialogue,
  content: unknown,
  fields: AnswerFields,
  origin: EventOrigin,
  record: Json = {},
): void {
  const parts = genAiParts(content);
  const draft = startResponse();
  for (const part of parts) {
    const said = isThought(part) ? toReasoning(part) : toOurPart(part);
    if (said !== undefined) addJoined(draft.parts, said);
    if (part.functionCall !== undefined) {
      const call = asObject(part.functionCall);
      addGenAiCall(calls, draft, call, { told: handedStatus(record, String(call.id)) });
    }
  }
  emitResponse(writer, draft, fields, origin);
  keepRest(writer, parts.filter((part) => !isThought(part)), origin);
}

/**
 * Returns a thought. Qwen Code sends it again as `reasoning_content`
 * (openaiContentGenerator/converter.ts).
 */
function toReasoning({ text, thoughtSignature }: GenAiPart): ReasoningPart {
  const provider_data = present({ type: "reasoning_content", thoughtSignature });
  return { type: "reasoning", text: asText(text) ?? "", provider_data };
}

export function emitSpoken(
  { writer, calls }: QwenDialogue,
  content: unknown,
  origin: EventOrigin,
  shown: ShownResult & { call_id?: string; text?: string; untyped?: string } = {},
): void {
  const parts = genAiParts(content);
  for (const { functionResponse } of parts) {
    if (functionResponse === undefined) continue;
    const response = asObject(functionResponse);
    const own = shown.call_id === undefined || shown.call_id === response.id;
    // Images from a tool are in its response (coreToolScheduler.ts).
    const beside = genAiParts(response.parts);
    settleGenAiCall(calls, writer, response, { origin, shown: own ? shown : {}, beside });
  }
  const said = parts.flatMap((part) => toOurPart(part) ?? []);
  const prompt = promptContent(said, shown.text).content;
  const told = shown.untyped === undefined ? prompt : untypedContent(prompt, shown.untyped);
  if (said.length > 0) writer.emit("user_message", { content: told }, origin);
  keepRest(writer, parts, origin);
}

function keepRest(writer: TreeSink, parts: readonly GenAiPart[], origin: EventOrigin): void {
  const rest = parts.filter((part) => !hasPlace(part));
  if (rest.length > 0) {
    writer.emit("extension", { agent: "qwen", type: "parts", data: rest }, origin);
  }
}
