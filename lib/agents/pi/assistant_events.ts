/**
 * An answer of the model as events: its thoughts, its text, its calls. Of one that failed or was
 * stopped pi sends nothing again (pi-ai 0.73.1, providers/transform-messages.ts): only the user has it.
 */
import { toContent } from "../../event/audience.ts";
import type { Audience, Part } from "../../event/message.ts";
import type { EventOrigin, EventSink } from "../event_writer.ts";
import { asList, asNumber, asObject, asText, present } from "../json_value.ts";
import { toReasoning } from "./content.ts";
import { usageOf } from "./usage.ts";

/** A call whose result is still to come. */
export interface StartedCall {
  /** Shown as a shell command rather than as a tool. */
  command?: string;
  path?: string;
}

type Fields = Readonly<Record<string, unknown>>;

/** Adds the events of an answer. Calls that it starts go to `calls`. */
export function assistantEvents(
  writer: EventSink,
  calls: Map<string, StartedCall>,
  message: Fields,
  origin: EventOrigin,
): void {
  const blocks = blocksOf(message.content);
  const unsent = message.stopReason === "aborted" || message.stopReason === "error";
  const answer: Answer = { message, origin, audience: unsent ? "user" : undefined };
  emitAnswer(writer, blocks.flatMap((block) => toPart(block, message.api)), answer);
  for (const block of blocks) {
    if (block.type === "toolCall") emitCall(writer, calls, block, answer);
    else if (!["text", "thinking"].includes(String(block.type))) {
      const name = `content_block/${block.type}`;
      writer.emit("extension", { agent: "pi", type: name, data: block }, origin);
    }
  }
  if (message.stopReason === "error") {
    const reason = asText(message.errorMessage) ?? "The model call failed";
    writer.emit("turn_failed", { reason: "error", message: reason }, origin);
  }
}

/** An answer, where it came from, and who alone gets it. */
interface Answer {
  message: Fields;
  origin: EventOrigin;
  audience: Audience | undefined;
}

function blocksOf(content: unknown): Fields[] {
  return typeof content === "string"
    ? [{ type: "text", text: content }]
    : asList(content).map(asObject);
}

function toPart(block: Fields, api: unknown): Part[] {
  if (block.type === "text" && typeof block.text === "string") {
    return block.text === "" ? [] : [{ type: "text", text: block.text }];
  }
  if (block.type !== "thinking") return [];
  const reasoning = toReasoning(block, api);
  return reasoning.text === "" && reasoning.provider_data === undefined ? [] : [reasoning];
}

/** Thoughts before the text are events of their own; among texts they stay where they are. */
function emitAnswer(writer: EventSink, parts: Part[], answer: Answer): void {
  const { message, origin, audience } = answer;
  const message_id = origin.id ?? "";
  const text = parts.findIndex(({ type }) => type === "text");
  const first = text < 0 ? parts.length : text;
  for (const part of parts.slice(0, first)) {
    if (part.type !== "reasoning") continue;
    const { text: content, provider_data } = part;
    const thought = { content, message_id, provider_data, audience };
    writer.emit("reasoning_message", present(thought), origin);
  }
  const rest = first === 0 ? parts : parts.slice(first);
  const content = toContent(
    audience === undefined ? rest : rest.map((part) => ({ ...part, audience })),
  );
  if (message.stopReason !== "aborted") return emitSaid(writer, content, message, origin);
  const reason = asText(message.errorMessage);
  writer.emit("assistant_interrupted", present({ content, message_id, reason }), origin);
  // What was interrupted was paid for all the same.
  if (isUsed(usageOf(message.usage).usage)) emitSaid(writer, "", message, origin);
}

function emitSaid(
  writer: EventSink,
  content: string | Part[],
  message: Fields,
  origin: EventOrigin,
): void {
  const message_id = origin.id ?? "";
  if (writer.unlabelled) return void writer.emit("assistant_message", { content, message_id });
  writer.emit(
    "assistant_message",
    present({
      content,
      message_id,
      model: asText(message.model) ?? asText(message.responseModel),
      provider: asText(message.provider),
      request_id: asText(message.responseId),
      finish_reason: asText(message.stopReason),
      ...usageOf(message.usage),
    }),
    origin,
  );
}

function isUsed(usage: object = {}): boolean {
  return Object.values(usage).some((tokens) => asNumber(tokens) !== 0);
}

/** A call of `bash` with nothing but a command is a shell command; with more, all of it must be kept. */
function emitCall(
  writer: EventSink,
  calls: Map<string, StartedCall>,
  { id, name, arguments: input = {} }: Fields,
  { origin, audience }: Answer,
): void {
  const call_id = asText(id) ?? "";
  const message_id = origin.id ?? "";
  const { command, path, ...rest } = asObject(input);
  if (name === "bash" && typeof command === "string" && path === undefined && isEmpty(rest)) {
    calls.set(call_id, { command });
    const start = { call_id, command, origin: "model" as const, message_id, audience };
    writer.emit("bash_start", present(start), origin);
    return;
  }
  calls.set(call_id, present({ path: asText(path) }));
  const start = { call_id, name: asText(name) ?? "", input, message_id, audience };
  writer.emit("tool_start", present(start), origin);
}

function isEmpty(fields: object): boolean {
  return Object.keys(fields).length === 0;
}
