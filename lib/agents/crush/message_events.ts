/** Converts a message of Crush to events (internal/message/content.go `ToAIMessage`). */
import { toContent } from "../../core/event/audience.ts";
import { bytesFromBase64 } from "../../core/event/base64.ts";
import { attachmentFromBase64, imageFromUrl } from "../../core/event/attachment.ts";
import type { CallStatus, Output, Part, ReasoningPart } from "../../core/event/message.ts";
import type { EventTarget, EventWriter } from "../engine/events/event_writer.ts";
import { addCall, emitResponse, startResponse } from "../engine/events/response_draft.ts";
import { asList, asName, asObject, asText, type Json, present } from "../engine/json.ts";
import { callInput } from "../../core/event/call_input.ts";

/** Emits a message. A summary becomes a compaction: it replaces all messages before it. */
export function emitMessage(message: Json, writer: EventWriter): void {
  const { id, role, created_at: time } = message;
  const parts = asList(message.parts).map(asObject);
  const origin = { id: String(id), time };
  const target = { writer, origin };
  if (message.is_summary) {
    const texts = parts.flatMap(({ type, data }) => type === "text" ? textOf(data) : []);
    const payload = { status: "", summary: texts.join("\n\n") };
    writer.emit("compaction_applied", payload, origin);
    keep(parts.filter(({ type }) => type !== "text" && type !== "finish"), target);
  } else if (role === "user") emitUser(parts, target);
  else if (role === "assistant") emitAnswer(message, parts, target);
  else if (role === "tool") emitResults(parts, target);
  else keep([{ type: "message", data: { role, parts } }], target);
}

function keep(parts: readonly Json[], { writer, origin }: EventTarget): void {
  for (const { type, data } of parts) {
    writer.keepUnknown(asName(type) ?? "part", data ?? null, origin);
  }
}

function textOf(data: unknown): string {
  return asText(asObject(data).text) ?? "";
}

function emitUser(parts: readonly Json[], target: EventTarget): void {
  const said = parts.map((part) => ({ part, said: toSaid(part) }));
  const content = said.flatMap(({ said }) => said ?? []);
  if (content.length > 0) {
    target.writer.emit("user_message", { content: toContent(content) }, target.origin);
  }
  keep(said.flatMap(({ part, said }) => said || part.type === "finish" ? [] : [part]), target);
}

function toSaid({ type, data }: Json): Part | undefined {
  const fields = asObject(data);
  if (type === "text") {
    const text = textOf(data);
    return fields.hidden === true ? { type, text, audience: "model" } : { type, text };
  }
  if (type === "shell_command") {
    // The words in which the model gets a command of the user's own.
    const { command, output, exit_code } = fields;
    const text = `$ ${command ?? ""}\n${output ?? ""}\n(exit code ${exit_code ?? 0})`;
    return { type: "text", text };
  }
  if (type === "binary") return toAttachment(fields);
  // Crush does not send it.
  const url = type === "image_url" ? asText(fields.url) : undefined;
  if (url === undefined) return undefined;
  return { ...imageFromUrl(url), audience: "user" };
}

const decoder = new TextDecoder();

function toAttachment({ Path, MIMEType, Data }: Json): Part {
  const [media_type, data] = [asName(MIMEType) ?? "application/octet-stream", asText(Data) ?? ""];
  const name = asName(Path);
  if (media_type.startsWith("text/")) {
    return present({ type: "text" as const, text: decoder.decode(bytesFromBase64(data)), name });
  }
  return present({ ...attachmentFromBase64(data, media_type), path: name });
}

function emitAnswer({ model, provider }: Json, parts: readonly Json[], target: EventTarget): void {
  const draft = startResponse();
  const others: Json[] = [];
  for (const part of parts) {
    const fields = asObject(part.data);
    if (part.type === "text") draft.parts.push({ type: "text", text: textOf(fields) });
    else if (part.type === "reasoning") draft.parts.push(toReasoning(fields));
    else if (part.type === "tool_call") {
      const { id: call_id, name, input } = fields;
      const given = typeof input === "string" ? callInput(input || "{}") : { input: input ?? {} };
      addCall(draft, { call_id: asText(call_id) ?? "", name: asText(name) ?? "", ...given });
    } else if (part.type !== "finish") others.push(part);
  }
  const { writer, origin } = target;
  const fields = { message_id: origin.id, model: asName(model), provider: asName(provider) };
  emitResponse(writer, draft, present(fields), origin);
  keep(others, target);
  for (const { type, data } of parts) if (type === "finish") emitFinish(asObject(data), target);
}

/** Returns a thought with the data that its provider needs back. */
function toReasoning({ thinking, signature, thought_signature, responses_data }: Json): Part {
  const sealed = present({
    signature: asName(signature),
    thought_signature: asName(thought_signature),
    responses_data: responses_data ?? undefined,
  });
  const part: ReasoningPart = { type: "reasoning", text: asText(thinking) ?? "" };
  return Object.keys(sealed).length === 0 ? part : { ...part, provider_data: sealed };
}

const FAILURES: ReadonlyMap<unknown, "cancelled" | "error"> = new Map([
  ["canceled", "cancelled"],
  ["error", "error"],
  ["content_filter", "error"],
]);

function emitFinish(finish: Json, { writer, origin }: EventTarget): void {
  const reason = FAILURES.get(finish.reason);
  if (reason === undefined) return;
  const texts = [finish.message, finish.details].flatMap((text) => asName(text) ?? []);
  writer.emit("turn_failed", { reason, message: texts.join("\n") }, origin);
}

/** Result texts (agent.go) of calls that did not run, with their status. */
// Verbatim: Crush.
const UNRUN: ReadonlyMap<unknown, CallStatus> = new Map([
  ["Error: user cancelled assistant tool calling", "interrupted"],
  ["Tool execution canceled by user", "interrupted"],
  ["User denied permission", "skipped"],
]);

function emitResults(parts: readonly Json[], target: EventTarget): void {
  for (const part of parts) {
    if (part.type !== "tool_result") {
      if (part.type !== "finish") keep([part], target);
      continue;
    }
    const { tool_call_id, name, content, data, mime_type, metadata, is_error } = asObject(
      part.data,
    );
    const text = asText(content) ?? "";
    const status = is_error === true ? UNRUN.get(text) ?? "error" : "ok";
    const image = asName(data);
    const output: Output = image === undefined ? text : [
      { type: "text", text },
      attachmentFromBase64(image, asName(mime_type) ?? "image/png"),
    ];
    const call_id = asText(tool_call_id) ?? "";
    const outcome = status === "ok" ? { output } : { error: text };
    const end = { call_id, name: asText(name) ?? "", status, ...outcome };
    target.writer.emit("tool_end", end, target.origin);
    if (asName(metadata) !== undefined) {
      target.writer.keep("tool_result", { tool_call_id, metadata }, target.origin);
    }
  }
}
