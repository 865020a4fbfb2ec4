/**
 * Converts calls and their results to events. The assistant's message has the request, and the
 * user's message the response (conversation/message.rs, `ToolRequest`, `ToolResponse`).
 */
import { textFor } from "../../core/event/audience.ts";
import { attachmentFromBase64 } from "../../core/event/attachment.ts";
import type { AttachmentPart, Audience, Part, ReasoningPart } from "../../core/event/message.ts";
import { withFiles } from "../../core/projection/call_result.ts";
import type { EventOrigin, EventWriter } from "../engine/events/event_writer.ts";
import { addCall, type ResponseDraft } from "../engine/events/response_draft.ts";
import { asList, asName, asObject, asText, type Json, present } from "../engine/json.ts";

export interface WaitingCall {
  name: string;
  command?: string;
}

export type Calls = Map<string, WaitingCall>;

/** Matches the shell tool: `developer__shell`, or `shell` as a platform tool without prefix. */
const SHELL = /^(developer__)?shell$/;

/** Adds the call of a tool request to an answer. Returns false if the request is malformed. */
export function takeRequest(
  draft: ResponseDraft,
  calls: Calls,
  item: Json,
  audience: Audience | undefined,
): boolean {
  const { name: tool, arguments: given } = asObject(successOf(item.toolCall));
  const name = asName(tool);
  const input = given ?? {};
  if (name === undefined) return false;
  const call_id = asText(item.id) ?? "";
  const command = SHELL.test(name) ? onlyCommand(input) : undefined;
  calls.set(call_id, present({ name, command }));
  const call = present({ call_id, name, input, audience });
  addCall(draft, call, command === undefined ? undefined : { command });
  return true;
}

function onlyCommand(input: unknown): string | undefined {
  const { command, ...rest } = asObject(input);
  return typeof command === "string" && Object.keys(rest).length === 0 ? command : undefined;
}

export function writeResponse(
  writer: EventWriter,
  calls: Calls,
  item: Json,
  origin: EventOrigin,
): void {
  const call_id = asText(item.id) ?? "";
  const call = calls.get(call_id) ?? { name: "" };
  calls.delete(call_id);
  const { status, text, seen, images } = outcomeOf(item.toolResult);
  const output = withFiles(seen === text ? text : textFor(seen, text), images) ?? "";
  const outcome = status === "ok" || images.length > 0
    ? { status, output }
    : { status, error: text };
  if (call.command === undefined) {
    writer.emit("tool_end", { call_id, name: call.name, ...outcome }, origin);
  } else {
    writer.emit("bash_end", { call_id, command: call.command, ...outcome }, origin);
  }
}

/**
 * Returns the value of a success: `{status: "success", value}`, or Rust's default form `{Ok:
 * value}`, which was never seen. Undefined for an error.
 */
function successOf(result: unknown): unknown {
  const { status, value, Ok } = asObject(result);
  return status === "error" ? undefined : value ?? Ok;
}

interface Outcome {
  status: "ok" | "error";
  text: string;
  /** The text that the user sees. */
  seen: string;
  images: AttachmentPart[];
}

/**
 * Reads a result: `{status: "success", value: {content: […], isError}}` (older: `value: […]`), or
 * `{status: "error", error}`. Source: conversation/tool_result_serde.rs.
 */
function outcomeOf(result: unknown): Outcome {
  const value = successOf(result);
  if (value === undefined) {
    const error = asText(asObject(result).error) ?? asText(asObject(result).Err);
    return { status: "error", text: error ?? "", seen: error ?? "", images: [] };
  }
  const { content, isError, structuredContent } = asObject(value);
  const all = asList(Array.isArray(value) ? value : content).map(asObject);
  const items = all.filter(forAgent);
  const texts = items.flatMap(resultText);
  const text = texts.length > 0 || structuredContent === undefined || structuredContent === null
    ? texts.join("\n")
    : JSON.stringify(structuredContent);
  const images = items.flatMap((item) => {
    const data = item.type === "image" ? asText(item.data) : undefined;
    return data === undefined
      ? []
      : [attachmentFromBase64(data, asName(item.mimeType) ?? "image/png")];
  });
  const extra = all.filter((item) => !forAgent(item)).flatMap(resultText);
  const seen = [text, ...extra].filter((one) => one !== "").join("\n");
  return { status: isError === true ? "error" : "ok", text, seen, images };
}

function resultText(item: Json): string[] {
  if (item.type === "text") return [asText(item.text) ?? ""];
  if (item.type === "resource") return [asText(asObject(item.resource).text) ?? "[Resource]"];
  if (item.type === "resource_link") return [asText(item.uri) ?? "[Resource link]"];
  return item.type === "audio" ? ["[Audio content: not supported]"] : [];
}

/** Matches invisible characters that can hide text from the user. Goose also removes these. */
const UNICODE_TAGS = /[\u{e0000}-\u{e007f}]/gu;

/** True if the model gets an item (`filter_for_audience`, conversation/message.rs). */
function forAgent(item: Json): boolean {
  const { audience } = asObject(item.annotations);
  return !Array.isArray(audience) || asList(audience).includes("assistant");
}

export function toPart(item: Json): Part | undefined {
  if (!forAgent(item)) return undefined;
  if (item.type === "text") {
    const text = asText(item.text);
    return text === undefined ? undefined : { type: "text", text: text.replace(UNICODE_TAGS, "") };
  }
  if (item.type !== "image") return undefined;
  const data = asText(item.data);
  return data === undefined
    ? undefined
    : attachmentFromBase64(data, asName(item.mimeType) ?? "image/png");
}

/**
 * Converts a thought (older type: `reasoning`) with its provider's data. Undefined for other items.
 */
export function toThought(item: Json): ReasoningPart | undefined {
  const type = "reasoning";
  if (item.type === "reasoning" && typeof item.text === "string") return { type, text: item.text };
  if (item.type === "redactedThinking") {
    return { type, text: "", provider_data: { type: "redacted_thinking", data: item.data } };
  }
  if (item.type !== "thinking") return undefined;
  const text = asText(item.thinking) ?? "";
  const signature = asName(item.signature);
  return signature === undefined ? { type, text } : { type, text, provider_data: { signature } };
}
