/**
 * Converts Auggie's exchanges to events of Reprise. Nodes have numbers for types. A request has
 * texts (0), results (1), images (2, 3), files (8) and a summary of the history (10). A response
 * has texts (0), calls (5), thinking (8) and tokens (10).
 */
import { attachmentFromBase64, attachmentFromReference } from "../../core/event/attachment.ts";
import { toContent, toOutput } from "../../core/event/audience.ts";
import { callInput } from "../../core/event/call_input.ts";
import type { AttachmentPart, Part } from "../../core/event/message.ts";
import type { TokenUsage } from "../../core/event/payload.ts";
import type { EventOrigin, EventTarget } from "../engine/events/event_writer.ts";
import {
  addCall,
  emitInterrupted,
  emitResponse,
  type ResponseDraft,
  startResponse,
} from "../engine/events/response_draft.ts";
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

const TAKEN: ReadonlySet<string> = new Set([
  ...["request_message", "response_text", "request_id", "request_nodes", "response_nodes"],
  "structured_request_nodes",
]);
const PROMPT_TYPES: ReadonlySet<unknown> = new Set([0, 2, 3, 8]);
const REQUEST_TYPES: ReadonlySet<unknown> = new Set([...PROMPT_TYPES, 1, 10]);
const RESPONSE_TYPES: ReadonlySet<unknown> = new Set([0, 5, 8, 10]);
/** Media types of images by the number of their format. Number 0 is unknown and taken as PNG. */
const IMAGE_TYPES = ["image/png", "image/png", "image/jpeg", "image/gif", "image/webp"];

/** Matches a text that Auggie itself added to a prompt. */
const SUPERVISOR = /^\s*<supervisor>[^]*<\/supervisor>\s*$/;

/** Names of tools by the ids of their calls, because results have no tool names. */
export type ToolNames = Map<string, string>;

export function requestNodes({ request_nodes, structured_request_nodes }: Json): Json[] {
  return asList(request_nodes ?? structured_request_nodes).map(asObject);
}

export function emitExchange(
  exchange: Json,
  { is_complete, names, ...target }: EventTarget & { is_complete: boolean; names: ToolNames },
): void {
  const { writer, origin } = target;
  const asked = requestNodes(exchange);
  const answered = asList(exchange.response_nodes).map(asObject);
  // A prompt has no time: the exchange has only the time of its end.
  emitRequest(exchange, asked, { writer, origin: { ...origin, time: undefined }, names });
  emitAnswer(exchange, answered, is_complete, target);
  for (const { tool_use } of answered) {
    const { tool_use_id, tool_name } = asObject(tool_use);
    names.set(asText(tool_use_id) ?? "", asText(tool_name) ?? "");
  }
  const rest = [
    ...asked.filter(({ type }) => !REQUEST_TYPES.has(type)),
    ...answered.filter(({ type }) => !RESPONSE_TYPES.has(type)),
  ];
  for (const node of rest) writer.keep(`node ${node.type}`, node, origin);
  writer.keep("exchange", unreadFields(exchange, TAKEN), origin);
}

function textOf(node: Json): string {
  return asText(asObject(node.text_node).content) ?? asText(node.content) ?? "";
}

function emitRequest(
  exchange: Json,
  nodes: readonly Json[],
  { writer, origin, names }: EventTarget & { names: ToolNames },
): void {
  for (const { type, tool_result_node } of nodes) {
    if (type === 1) emitResult(asObject(tool_result_node), names, { writer, origin });
  }
  const summary = nodes.find((node) => node.type === 10 || isOldSummary(node));
  if (summary !== undefined) {
    writer.emit("compaction_applied", { status: "", summary: summaryText(summary) }, origin);
  }
  const parts = nodes.flatMap((node) =>
    PROMPT_TYPES.has(node.type) && node !== summary ? partOf(node) : []
  );
  const asked = summary === undefined ? asText(exchange.request_message) ?? "" : "";
  if (parts.length === 0 && asked !== "") parts.push(textPart(asked));
  const content = toContent(parts);
  if (content.length > 0) writer.emit("user_message", { content }, origin);
}

/** True for a text node with a summary, which older versions wrote (`m3i`, 0.36.0). */
function isOldSummary(node: Json): boolean {
  const text = node.type === 0 ? textOf(node) : "";
  return SUPERVISOR.test(text) && text.includes("<summary");
}

/**
 * Emits an exchange that only made a summary. Auggie does not send this exchange to the model
 * again. The transcript shows a summary in the prompt, where older versions put it.
 */
export function emitSummaryExchange(exchange: Json, { writer, origin }: EventTarget): void {
  const node = requestNodes(exchange).find(isOldSummary);
  if (node === undefined) return writer.keep("history_summary", exchange, origin);
  const shown = { status: "", status_only: true, summary: textOf(node) };
  writer.emit("compaction_applied", shown, origin);
  writer.keep("history_summary", unreadFields(exchange, TAKEN), origin);
}

function partOf(node: Json): Part[] {
  if (node.type === 0) {
    const text = textOf(node);
    return text === "" ? [] : [textPart(text)];
  }
  if (node.type === 8) return filePart(asObject(node.file_node));
  const { image_id, format } = asObject(node.image_id_node);
  if (typeof image_id === "string") return [attachmentFromReference(image_id, imageType(format))];
  return imagePart(node.image_node);
}

/** Returns the file's name as text, which the model gets too, and the file as an attachment. */
function filePart({ file_data, media_type, file_name }: Json): Part[] {
  const name = asName(file_name);
  const type = asName(media_type) ?? "application/octet-stream";
  return [
    ...name === undefined ? [] : [{ type: "text" as const, text: name }],
    ...typeof file_data === "string" ? [attachmentFromBase64(file_data, type)] : [],
  ];
}

function imagePart(image: unknown): AttachmentPart[] {
  const { image_data, format } = asObject(image);
  return typeof image_data === "string"
    ? [attachmentFromBase64(image_data, imageType(format))]
    : [];
}

function imageType(format: unknown): string {
  return IMAGE_TYPES[asNumber(format) ?? 1] ?? "image/png";
}

function textPart(text: string): Part {
  const is_own = SUPERVISOR.test(text);
  return { type: "text", text, ...(is_own ? { audience: "model" as const } : {}) };
}

function emitResult(result: Json, names: ToolNames, { writer, origin }: EventTarget): void {
  const nodes = asList(result.content_nodes).map(asObject);
  const images = nodes.flatMap(({ image_content }) => imagePart(image_content));
  const texts = nodes.flatMap(({ text_content }) => asText(text_content) ?? []);
  const text = asText(result.content) || texts.join("\n");
  const duration = asNumber(result.duration_ms);
  const call_id = asText(result.tool_use_id) ?? "";
  const end = {
    call_id,
    name: names.get(call_id) ?? "",
    status: result.is_error === true ? "error" as const : "ok" as const,
    output: toOutput([{ type: "text", text }, ...images]),
    duration_ns: duration === undefined ? undefined : Math.round(duration * 1e6),
  };
  writer.emit("tool_end", present(end), origin);
}

/** Returns the text that replaces the history for the model, from the node's template (0.36.0). */
function summaryText(node: Json): string {
  const summary = asObject(node.history_summary_node);
  const text = asText(summary.summary_text);
  if (text === undefined) return textOf(node);
  const end = asList(summary.history_end).map(asObject).flatMap((exchange) => [
    textsOf(exchange.request_nodes) || (asText(exchange.request_message) ?? ""),
    textsOf(exchange.response_nodes) || (asText(exchange.response_text) ?? ""),
  ]);
  const fields: Readonly<Record<string, string>> = {
    "{summary}": text,
    "{summarization_request_id}": asText(summary.summarization_request_id) ?? "",
    "{summary_updates}": "",
    "{beginning_part_dropped_num_exchanges}": `${
      asNumber(summary.history_beginning_dropped_num_exchanges) ?? 0
    }`,
    "{middle_part_abridged}": asText(summary.history_middle_abridged_text) ?? "",
    "{end_part_full}": end.filter((one) => one !== "").join("\n"),
    "{session_file_path_hint}": "",
  };
  const template = asText(summary.message_template) ?? "{summary}";
  return template.replace(/\{\w+\}/g, (name) => fields[name] ?? name);
}

function textsOf(nodes: unknown): string {
  return asList(nodes).map(asObject).filter(({ type }) => type === 0).map(textOf).join("\n");
}

function emitAnswer(
  exchange: Json,
  nodes: readonly Json[],
  is_complete: boolean,
  { writer, origin }: EventTarget,
): void {
  const draft = startResponse();
  let usage: TokenUsage | undefined;
  for (const node of nodes) {
    if (node.type === 10) usage = usageOf(asObject(node.token_usage)) ?? usage;
    else addNode(node, draft);
  }
  const text = asText(exchange.response_text) ?? "";
  if (text !== "" && !nodes.some(({ type }) => type === 0)) {
    draft.parts.push({ type: "text", text });
  }
  if (draft.parts.length === 0 && usage === undefined) return;
  const named = present({ message_id: origin.id });
  if (is_complete) emitResponse(writer, draft, { ...named, ...present({ usage }) }, origin);
  else emitInterrupted(writer, draft, named, origin);
}

function addNode(node: Json, draft: ResponseDraft): void {
  if (node.type === 0) draft.parts.push({ type: "text", text: textOf(node) });
  if (node.type === 8) {
    const { content, summary, ...sealed } = asObject(node.thinking);
    const text = asText(content) || (asText(summary) ?? "");
    draft.parts.push(present({
      ...{ type: "reasoning" as const, text },
      provider_data: Object.keys(sealed).length > 0 ? sealed : undefined,
    }));
  }
  if (node.type === 5) {
    const { tool_use_id, tool_name, input_json } = asObject(node.tool_use);
    const input = callInput(asText(input_json) || "{}");
    addCall(draft, { call_id: asText(tool_use_id) ?? "", name: asName(tool_name) ?? "", ...input });
  }
}

function usageOf(tokens: Json): TokenUsage | undefined {
  const usage = present({
    input: asNumber(tokens.input_tokens),
    output: asNumber(tokens.output_tokens),
    cache_read: asNumber(tokens.cache_read_input_tokens),
    cache_write: asNumber(tokens.cache_creation_input_tokens),
  });
  return Object.keys(usage).length === 0 ? undefined : usage;
}

export function originOf({ exchange, finishedAt }: Json): EventOrigin {
  return { id: asName(asObject(exchange).request_id), time: finishedAt };
}
