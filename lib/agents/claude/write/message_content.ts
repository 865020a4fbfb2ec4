/** Makes the content blocks of new records, which are those of the Messages API. */
import type { ReasoningPart } from "../../../event/message.ts";
import { asName, asObject } from "../../../reading/json_value.ts";
import type { HandedAnswer, HandedCall, HandedPart } from "../../../source/session_writer.ts";

/** Returns what the user said: a single text as it is. */
export function promptContent(parts: readonly HandedPart[]): string | object[] {
  const [only] = parts;
  return parts.length === 1 && only?.type === "text" ? only.text : parts.map(block);
}

/** Returns what the model thought, said and called, in the order in which the API takes it. */
export function answerContent({ reasoning, text, calls }: HandedAnswer): object[] {
  return [
    ...reasoning.filter(isSealed).map(thought),
    ...(text === "" ? [] : [{ type: "text", text }]),
    ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
  ];
}

/**
 * Returns the results of the calls of one answer. A failed one with an image is not marked as an
 * error, because the API takes texts alone in an error.
 */
export function resultContent(calls: readonly HandedCall[]): object[] {
  return calls.map(({ id, output, failed }) => ({
    type: "tool_result",
    tool_use_id: id,
    content: outputContent(output),
    ...(failed && output.every(({ type }) => type === "text") ? { is_error: true } : {}),
  }));
}

function outputContent(output: readonly HandedPart[]): string | object[] {
  return output.length === 0 ? "" : promptContent(output);
}

function block(part: HandedPart): object {
  if (part.type === "text") return { type: "text", text: part.text };
  const { media_type, data } = part;
  return { type: "image", source: { type: "base64", media_type, data } };
}

/**
 * Tells whether reasoning has what the API asks back: a signature, or the thought itself, sealed.
 * Claude Code sends thoughts without it too, and the request fails for ever.
 */
export function isSealed({ provider_data }: ReasoningPart): boolean {
  const { type, data, signature } = asObject(provider_data);
  return asName(type === "redacted_thinking" ? data : signature) !== undefined;
}

function thought({ text, provider_data }: ReasoningPart): object {
  const { type, data, signature } = asObject(provider_data);
  return type === "redacted_thinking"
    ? { type, data }
    : { type: "thinking", thinking: text, signature };
}
