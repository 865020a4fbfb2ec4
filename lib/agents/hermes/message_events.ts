/** Converts Hermes' messages to events: chat completions, with reasoning in several columns. */
import { toContent, toOutput } from "../../core/event/audience.ts";
import { attachmentFromBase64, imageFromUrl } from "../../core/event/attachment.ts";
import type { OutputPart, Part } from "../../core/event/message.ts";
import type { EventTarget } from "../engine/events/event_writer.ts";
import { addCall, emitResponse, startResponse, textCall } from "../engine/events/response_draft.ts";
import { asList, asName, asNumber, asObject, asText, type Json, present } from "../engine/json.ts";
import { parseCell, parseJson } from "../engine/sqlite/json_cell.ts";

/** Matches the prefix of JSON content, in two versions (hermes_state.py `_CONTENT_JSON_PREFIX`). */
// deno-lint-ignore no-control-regex
const JSON_CONTENT = /^[\x00\x01]json:/;
/** Matches the beginning of a summary of compacted messages (agent/context_compressor.py). */
const SUMMARY = /^\s*\[CONTEXT (?:COMPACTION|SUMMARY)\b/;

export function emitMessage(message: Json, target: EventTarget): void {
  const { writer, origin } = target;
  const others: unknown[] = [];
  const given = partsOf(message.content, others);
  const parts = given.length > 0 ? given : itemParts(message.codex_message_items);
  const summary = parts.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
  if (SUMMARY.test(summary) && writer.audience !== "user") {
    const status = "Compacted the conversation";
    writer.emit("compaction_applied", { status, status_only: true, summary }, origin);
    const before = writer.audience;
    writer.audience = "model";
    emitByRole(message, parts, target);
    writer.audience = before;
  } else emitByRole(message, parts, target);
  for (const part of others) writer.keepUnknown("content", part, origin);
}

function emitByRole(message: Json, parts: OutputPart[], target: EventTarget): void {
  const { writer, origin } = target;
  if (message.role === "user") {
    const audience = message.display_kind === "hidden" ? { audience: "model" as const } : {};
    const content = toContent(parts.map((part) => ({ ...part, ...audience })) as Part[]);
    if (content.length > 0) writer.emit("user_message", { content }, origin);
  } else if (message.role === "assistant") emitAnswer(message, parts, target);
  else if (message.role === "tool") emitResult(message, parts, target);
  else {
    const text = parts.flatMap((part) => part.type === "text" ? [part.text] : []).join("\n");
    const notice = { audience: "model" as const, title: asName(message.role) ?? "message", text };
    writer.emit("notice", notice, origin);
  }
}

/** Returns the texts and images of a content. Adds all other parts to `others`. */
function partsOf(content: unknown, others: unknown[]): OutputPart[] {
  const text = asText(content);
  if (text === undefined) return [];
  if (!JSON_CONTENT.test(text)) return text === "" ? [] : [{ type: "text", text }];
  const parsed = parseJson(text.slice(text.indexOf(":") + 1));
  if (!("value" in parsed)) return [{ type: "text", text }];
  const list = Array.isArray(parsed.value) ? parsed.value : [parsed.value];
  return list.flatMap((value): OutputPart[] => {
    if (typeof value === "string") return [{ type: "text", text: value }];
    const part = asObject(value);
    const image = imageOf(part);
    if (image !== undefined) return [image];
    const said = asText(part.text) ?? asText(part.content);
    if (said !== undefined) return [{ type: "text", text: said }];
    others.push(value);
    return [];
  });
}

/** Returns the texts of `codex_message_items`, which are used only if a message has no content. */
function itemParts(cell: unknown): OutputPart[] {
  const parsed = parseJson(cell);
  return ("value" in parsed ? asList(parsed.value) : []).flatMap((item) =>
    asList(asObject(item).content).flatMap((block): OutputPart[] => {
      const text = asText(asObject(block).text);
      return text === undefined ? [] : [{ type: "text", text }];
    })
  );
}

/** Returns the image of a part in the form of chat completions, OpenAI's Responses or Anthropic. */
function imageOf({ type, image_url, source, data, mime_type }: Json): OutputPart | undefined {
  const url = asName(image_url) ?? asName(asObject(image_url).url) ?? asName(asObject(source).url);
  if (url !== undefined) {
    return imageFromUrl(url);
  }
  const base64 = asName(asObject(source).data) ?? (type === "image" ? asName(data) : undefined);
  const media = asName(asObject(source).media_type) ?? asName(mime_type) ?? "image/png";
  return base64 === undefined ? undefined : attachmentFromBase64(base64, media);
}

function emitAnswer(message: Json, parts: OutputPart[], { writer, origin }: EventTarget): void {
  const draft = startResponse([...reasoningOf(message), ...parts as Part[]]);
  const calls = parseJson(message.tool_calls);
  for (const value of "value" in calls ? asList(calls.value) : []) {
    const call = asObject(value);
    const { name, arguments: input } = asObject(call.function);
    const id = asName(call.id) ?? asName(call.call_id);
    const named = { id, name: asName(name) ?? asName(call.name) };
    const text = input ?? call.arguments;
    addCall(
      draft,
      typeof text === "string"
        ? textCall({ ...named, arguments: text })
        : { ...textCall(named), input: text ?? {} },
    );
  }
  emitResponse(writer, draft, present({ message_id: origin.id }), origin);
}

/** Returns the reasoning of an answer. Its text is in one or several of the message's columns. */
function reasoningOf(message: Json): Part[] {
  const [details, items] = [message.reasoning_details, message.codex_reasoning_items].map(
    (cell) => {
      const parsed = parseJson(cell);
      return "value" in parsed ? asList(parsed.value) : [];
    },
  );
  const told = [message.reasoning, message.reasoning_content].flatMap((text) => asName(text) ?? []);
  const texts = [...new Set(told)];
  if (texts.length === 0) {
    for (const detail of [...details ?? [], ...items ?? []].map(asObject)) {
      const { text, summary, thinking, content } = detail;
      const pieces = [text, thinking, summary, ...asList(summary), ...asList(content)];
      for (const piece of pieces) {
        const said = asName(piece) ?? asName(asObject(piece).text);
        if (said !== undefined) texts.push(said);
      }
    }
  }
  const sealed = present({
    details: details?.length ? details : undefined,
    items: items?.length ? items : undefined,
  });
  const is_sealed = Object.keys(sealed).length > 0;
  if (texts.length === 0 && !is_sealed) return [];
  const provider_data = is_sealed ? sealed : { type: "reasoning_content" };
  return [{ type: "reasoning", text: texts.join("\n\n"), provider_data }];
}

function emitResult(message: Json, parts: OutputPart[], { writer, origin }: EventTarget): void {
  const output = toOutput(parts);
  const end = {
    call_id: asText(message.tool_call_id) ?? "",
    name: asText(message.tool_name) ?? "",
    status: typeof output === "string" && isFailure(output) ? "error" as const : "ok" as const,
    output,
  };
  writer.emit("tool_end", end, origin);
}

function isFailure(output: string): boolean {
  if (!output.startsWith("{")) return false;
  const parsed = parseCell(output);
  if (!("value" in parsed)) return false;
  const { error, exit_code } = parsed.value;
  return asName(error) !== undefined || (asNumber(exit_code) ?? 0) > 0;
}
