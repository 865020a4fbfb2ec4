/**
 * Converts the dialogue of user, tools and model to events. Contents are those of Google's GenAI
 * SDK, as they are sent (Qwen Code, chatRecordingService.ts `ChatRecord.message`).
 */
import type { TokenUsage } from "../../event/payload.ts";
import type { EventOrigin, EventWriter } from "../event_writer.ts";
import {
  type GenAiCalls,
  noCalls,
  settleGenAiCall,
  type ShownResult,
  startGenAiCall,
} from "../genai_calls.ts";
import {
  type GenAiPart,
  genAiParts,
  hasPlace,
  isThought,
  ourContent,
  shownContent,
  toOurPart,
} from "../genai_content.ts";
import { asObject, asText, present } from "../json_value.ts";

/** Where the events of a dialogue go, and what is known of its calls. */
export interface Dialogue {
  readonly writer: EventWriter;
  readonly calls: GenAiCalls;
}

/** A dialogue before its first word. */
export function startDialogue(writer: EventWriter): Dialogue {
  return { writer, calls: noCalls() };
}

/** What is known of an answer beside its content. */
export interface AnswerFields {
  message_id: string;
  model?: string;
  usage?: TokenUsage;
}

/** An answer of the model: its thoughts, its text, its calls. */
export function emitAnswer(
  { writer, calls }: Dialogue,
  content: unknown,
  fields: AnswerFields,
  origin: EventOrigin,
): void {
  const { message_id } = fields;
  const parts = genAiParts(content);
  for (const part of parts.filter(isThought)) {
    const { thoughtSignature: sign } = part;
    // Sent again as `reasoning_content` (openaiContentGenerator/converter.ts).
    const provider_data = present({ type: "reasoning_content", thoughtSignature: sign });
    const thought = { content: asText(part.text) ?? "", message_id, provider_data };
    writer.emit("reasoning_message", present(thought), origin);
  }
  const said = parts.flatMap((part) => isThought(part) ? [] : toOurPart(part) ?? []);
  writer.emit("assistant_message", { ...fields, content: ourContent(said) }, origin);
  for (const { functionCall } of parts) {
    if (functionCall === undefined) continue;
    startGenAiCall(calls, writer, asObject(functionCall), { message_id, origin });
  }
  keepRest(writer, parts.filter((part) => !isThought(part)), origin);
}

/** What goes to the model: results of its calls, and what the user says. */
export function emitSpoken(
  { writer, calls }: Dialogue,
  content: unknown,
  origin: EventOrigin,
  shown: ShownResult & { call_id?: string | undefined; text?: string | undefined } = {},
): void {
  const parts = genAiParts(content);
  for (const { functionResponse } of parts) {
    if (functionResponse === undefined) continue;
    const response = asObject(functionResponse);
    const own = shown.call_id === undefined || shown.call_id === response.id;
    // Images that a tool gives stand in its response (coreToolScheduler.ts).
    const beside = genAiParts(response.parts);
    settleGenAiCall(calls, writer, response, { origin, shown: own ? shown : {}, beside });
  }
  const said = parts.flatMap((part) => toOurPart(part) ?? []);
  const seen = shown.text === undefined ? undefined : shownContent(shown.text, said);
  if (said.length > 0) {
    writer.emit("user_message", { content: seen ?? ourContent(said) }, origin);
  }
  keepRest(writer, parts, origin);
}

function keepRest(writer: EventWriter, parts: readonly GenAiPart[], origin: EventOrigin): void {
  const rest = parts.filter((part) => !hasPlace(part));
  if (rest.length > 0) {
    writer.emit("extension", { agent: "qwen", type: "parts", data: rest }, origin);
  }
}
