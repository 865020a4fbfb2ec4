/**
 * Converts the events of OpenHands to events of Reprise (software-agent-sdk, openhands/sdk/event).
 * The fields of the first versions are read, too.
 */
import { toContent, toOutput } from "../../core/event/audience.ts";
import { attachmentFromBase64, imageFromUrl } from "../../core/event/attachment.ts";
import type { Content, OutputPart, Part, TextPart } from "../../core/event/message.ts";
import type { EventTarget } from "../engine/events/event_writer.ts";
import { addCall, emitResponse, startResponse, textCall } from "../engine/events/response_draft.ts";
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

/** Fields of every event that need no display. */
const COMMON = ["kind", "id", "timestamp", "source", "llm_response_id", "action_id"];
const MESSAGE: ReadonlySet<string> = new Set([...COMMON, "llm_message", "extended_content"]);
const LLM_MESSAGE: ReadonlySet<string> = new Set([
  ...["role", "content", "tool_calls", "reasoning_content", "thinking_blocks"],
  ...["responses_reasoning_item", "reasoning_details", "name", "tool_call_id"],
]);
const ACTION: ReadonlySet<string> = new Set([
  ...[...COMMON, "thought", "reasoning_content", "thinking_blocks", "responses_reasoning_item"],
  ...["reasoning_details", "action", "tool_name", "tool_call_id", "tool_call", "summary"],
]);
const RESULT: ReadonlySet<string> = new Set([
  ...[...COMMON, "tool_name", "tool_call_id", "observation", "extended_content"],
  ...["rejection_reason", "error"],
]);
const OBSERVATION: ReadonlySet<string> = new Set([
  ...["kind", "content", "output", "message", "is_error", "screenshot_data"],
]);

function partsOf(content: unknown, audience?: "model"): (TextPart | OutputPart)[] {
  const marked = present({ audience });
  if (typeof content === "string") {
    return content === "" ? [] : [{ type: "text", text: content, ...marked }];
  }
  return asList(content).map(asObject).flatMap((part): OutputPart[] => {
    if (typeof part.text === "string") return [{ type: "text", text: part.text, ...marked }];
    const { text } = asObject(part.resource);
    if (typeof text === "string") return [{ type: "text", text, ...marked }];
    const urls = [...asList(part.image_urls), asObject(part.image_url).url];
    return urls.flatMap((url) => typeof url === "string" ? [imageFromUrl(url)] : []);
  });
}

export function emitMessage(event: Json, target: EventTarget): Content | undefined {
  const { writer, origin } = target;
  const message = asObject(event.llm_message);
  const parts = partsOf(message.content) as Part[];
  const added = partsOf(event.extended_content, "model") as Part[];
  let content: Content | undefined;
  if (message.role === "assistant") {
    const draft = startResponse([...reasoningOf(message), ...parts, ...added]);
    for (const call of asList(message.tool_calls)) addCall(draft, callOf(asObject(call)));
    emitResponse(writer, draft, responseOf(event), origin);
  } else if (message.role === "tool") {
    emitEnd({ ...message, tool_name: message.name }, parts as OutputPart[], "ok", target);
  } else {
    content = toContent([...parts, ...added]);
    if (content.length > 0) writer.emit("user_message", { content }, origin);
  }
  writer.keepUnknown("llm_message", unreadFields(message, LLM_MESSAGE), origin);
  writer.keepUnknown("message", unreadFields(event, MESSAGE), origin);
  return content;
}

/**
 * Returns the id of an event's response. Events with the same id belong to one response, such as a
 * text and its calls.
 */
function responseOf({ llm_response_id, id }: Json): { message_id?: string } {
  return present({ message_id: asName(llm_response_id) ?? asName(id) });
}

/** Collects the reasoning from four fields, without repetitions. */
function reasoningOf(from: Json): Part[] {
  const blocks = asList(from.thinking_blocks).map(asObject).map((block): Part => {
    const { type: _, thinking, ...sealed } = block;
    return { type: "reasoning", text: asText(thinking) ?? "", provider_data: { ...sealed } };
  });
  const { summary, content, ...item } = asObject(from.responses_reasoning_item);
  const texts = [...asList(summary), ...asList(content)].flatMap((text) =>
    asText(text) ?? asText(asObject(text).text) ?? []
  );
  const own = asText(from.reasoning_content) ?? "";
  const told = blocks.some((block) => block.type === "reasoning" && block.text === own);
  const details = asList(from.reasoning_details);
  const sealed = present({
    item: Object.keys(item).length > 0 ? item : undefined,
    details: details.length > 0 ? details : undefined,
  });
  const plain = details.map(asObject).flatMap(({ text, summary }) =>
    asName(text) ?? asName(summary) ?? []
  );
  const rest = [...told || texts.join("\n") === own ? [] : [own], ...texts].filter(Boolean);
  // The same words in another form.
  if (rest.length === 0 && blocks.length === 0) { for (const one of plain) rest.push(one); }
  if (rest.length === 0 && Object.keys(sealed).length === 0) return blocks;
  const provider_data = Object.keys(sealed).length > 0 ? sealed : undefined;
  const text = rest.join("\n\n");
  return [...blocks, present({ type: "reasoning" as const, text, provider_data })];
}

/** Converts a model's call. Its fields are nested in `function` in the chat completions format. */
function callOf(call: Json): ReturnType<typeof textCall> {
  return textCall({ ...call, ...asObject(call.function) });
}

export function emitAction(event: Json, { writer, origin }: EventTarget): void {
  const draft = startResponse([...reasoningOf(event), ...partsOf(event.thought) as Part[]]);
  const { kind, ...input } = asObject(event.action);
  const asked = callOf(asObject(event.tool_call));
  const call_id = asName(event.tool_call_id) ?? asked.call_id;
  const name = asName(event.tool_name) ?? (asked.name || (asName(kind) ?? ""));
  const has_text = typeof asObject(event.tool_call).arguments === "string" ||
    asObject(asObject(event.tool_call).function).arguments !== undefined;
  const caption = asName(event.summary);
  addCall(draft, present({ ...(has_text ? asked : { input }), call_id, name, caption }));
  // It ends the task with these words, which only this call says.
  const last = kind === "FinishAction" || name === "finish" ? asName(input.message) : undefined;
  if (last !== undefined) draft.parts.push({ type: "text", text: last, audience: "user" });
  emitResponse(writer, draft, responseOf(event), origin);
  writer.keepUnknown("action", unreadFields(event, ACTION), origin);
}

export function emitResult(event: Json, target: EventTarget): void {
  const { writer, origin } = target;
  const added = partsOf(event.extended_content) as OutputPart[];
  const reason = asText(event.rejection_reason);
  if (event.kind === "UserRejectObservation" || reason !== undefined) {
    emitEnd(event, [{ type: "text", text: `Action rejected: ${reason ?? ""}` }], "skipped", target);
  } else if (typeof event.error === "string") {
    emitEnd(event, [{ type: "text", text: event.error }], "error", target);
  } else {
    const observation = asObject(event.observation);
    const output = [...outputOf(observation), ...added];
    const failed = observation.is_error === true || asName(observation.error) !== undefined ||
      (asNumber(observation.exit_code) ?? 0) > 0;
    emitEnd(event, output, failed ? "error" : "ok", target);
    writer.keep("observation", unreadFields(observation, OBSERVATION), origin);
  }
  writer.keepUnknown("result", unreadFields(event, RESULT), origin);
}

/** Returns the output of a tool. In the first versions, the output's field depends on the tool. */
function outputOf(observation: Json): OutputPart[] {
  const told = [observation.content, observation.output, observation.message, observation.error]
    .flatMap((field) => partsOf(field));
  const parts = withNotes(told, asObject(observation.metadata));
  const data = asName(observation.screenshot_data);
  if (data !== undefined) {
    parts.push(
      data.startsWith("data:") ? imageFromUrl(data) : attachmentFromBase64(data, "image/png"),
    );
  }
  const { kind: _, ...value } = observation;
  if (parts.length > 0 || Object.keys(value).length === 0) return parts;
  return [{ type: "json", value }];
}

/** Adds the notes around a terminal's output that the model gets, such as a timeout note. */
function withNotes(parts: OutputPart[], { prefix, suffix }: Json): OutputPart[] {
  const [only] = parts;
  if (parts.length !== 1 || only?.type !== "text") return parts;
  return [{ ...only, text: `${asText(prefix) ?? ""}${only.text}${asText(suffix) ?? ""}` }];
}

function emitEnd(
  event: Json,
  output: OutputPart[],
  status: "ok" | "error" | "skipped",
  { writer, origin }: EventTarget,
): void {
  const named = { call_id: asText(event.tool_call_id) ?? "", name: asText(event.tool_name) ?? "" };
  writer.emit("tool_end", { ...named, status, output: toOutput(output) }, origin);
}

/**
 * Emits a call of an agent that OpenHands runs by ACP. Only the first event of a call emits the
 * call's start. OpenHands does not send such calls to the model (acp_tool_call.py).
 */
export function emitAcpCall(event: Json, started: Set<string>, target: EventTarget): void {
  const { writer, origin } = target;
  const call_id = asText(event.tool_call_id) ?? "";
  const title = asText(event.title) ?? "";
  const name = asName(event.tool_kind) ?? "tool";
  if (!started.has(call_id)) {
    started.add(call_id);
    const draft = startResponse();
    addCall(draft, { call_id, name, input: event.raw_input ?? {}, caption: title });
    emitResponse(writer, draft, responseOf(event), origin);
  }
  const failed = event.is_error === true || event.status === "failed";
  if (!failed && event.status !== "completed") return;
  const texts = asList(event.content).map(asObject).flatMap((block) => [
    ...partsOf([asObject(block.content)]),
    ...["new_text", "newText", "text"].flatMap((field) => partsOf(block[field])),
  ]);
  const raw = event.raw_output;
  const output = texts.length > 0 || raw === undefined || raw === null
    ? texts
    : typeof raw === "string"
    ? partsOf(raw)
    : [{ type: "json" as const, value: raw }];
  emitEnd({ tool_call_id: call_id, tool_name: name }, output, failed ? "error" : "ok", target);
}
