/**
 * fen's messages as our events.
 *
 * fen 0.17.0, packages/core/src/fen/core/types.fnl: roles `user`, `assistant`, `tool-result`.
 */
import type { EventOrigin, EventWriter } from "../event_writer.ts";
import { asList, asNumber, asObject, asText, present } from "../json_value.ts";
import { blocksOf, blockText, contentOf, type FenBlock, reasoningSeal } from "./content.ts";

type Fields = Readonly<Record<string, unknown>>;

/** A message and where its events go. */
export interface MessageTarget {
  writer: EventWriter;
  origin: EventOrigin;
  /** Ties the events of one answer together. */
  message_id: string;
}

/** Adds the events of a message. One of a role that fen does not know is kept as it is. */
export function emitMessage(message: Fields, target: MessageTarget): void {
  const { role } = message;
  if (role === "user") emitPrompt(message, target);
  else if (role === "assistant") emitAnswer(message, target);
  else if (role === "tool-result") emitResult(message, target);
  else extend("message", message, target);
}

function extend(type: string, data: unknown, { writer, origin }: MessageTarget): void {
  writer.emit("extension", { agent: "fen", type, data }, origin);
}

function emitPrompt({ content }: Fields, target: MessageTarget): void {
  const texts: string[] = [];
  const others: FenBlock[] = [];
  for (const block of blocksOf(content)) {
    const text = blockText(block);
    if (text === undefined) others.push(block);
    else texts.push(text);
  }
  target.writer.emit("user_message", { content: contentOf(texts) }, target.origin);
  // Its providers send nothing but the text of a prompt.
  for (const block of others) extend("content", block, target);
}

/** What is known of an answer beside its content. */
function answerFields(message: Fields, message_id: string): Fields & { message_id: string } {
  const usage = asObject(message.usage);
  const tokens = present({
    input: asNumber(usage.input),
    output: asNumber(usage.output),
    cache_read: asNumber(usage["cache-read"]),
    cache_write: asNumber(usage["cache-write"]),
  });
  return present({
    message_id,
    model: asText(message.model),
    provider: asText(message.provider),
    finish_reason: asText(message["stop-reason"]),
    usage: Object.keys(tokens).length === 0 ? undefined : tokens,
  });
}

/**
 * Reasoning and texts in their order, then the calls. An answer that was stopped has its text in an
 * event that cannot say model and usage, so that they go ahead of it.
 */
function emitAnswer(message: Fields, target: MessageTarget): void {
  const { writer, origin, message_id } = target;
  const aborted = message["stop-reason"] === "aborted";
  let fields: Fields & { message_id: string } = answerFields(message, message_id);
  const say = (texts: readonly string[]): void => {
    writer.emit("assistant_message", { ...fields, content: contentOf(texts) }, origin);
    fields = { message_id };
  };
  if (aborted) say([]);
  let said = aborted;
  for (const run of runsOf(blocksOf(message.content))) {
    if (run.type === "thinking") {
      emitReasoning(run.block, message.api, target);
    } else if (aborted) {
      const content = contentOf(run.texts);
      writer.emit("assistant_interrupted", { content, message_id, reason: "aborted" }, origin);
    } else {
      say(run.texts);
      said = true;
    }
  }
  if (!said) say([]);
  emitCalls(message.content, target);
  if (aborted && !hasText(message.content)) {
    writer.emit("assistant_interrupted", { content: "", message_id, reason: "aborted" }, origin);
  }
  if (message["stop-reason"] === "error") {
    const text = asText(message["error-message"]) ?? "";
    writer.emit("turn_failed", { reason: "error", message: text }, origin);
  }
}

function hasText(content: unknown): boolean {
  return blocksOf(content).some((block) => blockText(block) !== undefined);
}

type Run = { type: "text"; texts: string[] } | { type: "thinking"; block: FenBlock };

/** Texts that follow each other as one, and reasoning between them. */
function runsOf(blocks: readonly FenBlock[]): Run[] {
  const runs: Run[] = [];
  for (const block of blocks) {
    const text = blockText(block);
    const last = runs.at(-1);
    if (block.type === "thinking") runs.push({ type: "thinking", block });
    else if (text === undefined) continue;
    else if (last?.type === "text") last.texts.push(text);
    else runs.push({ type: "text", texts: [text] });
  }
  return runs;
}

function emitReasoning(block: FenBlock, api: unknown, target: MessageTarget): void {
  const { writer, origin, message_id } = target;
  const signature = block["thinking-signature"];
  const redacted = block["redacted?"] === true;
  const content = asText(block.thinking) ?? "";
  const provider_data = reasoningSeal({ api, signature, redacted });
  writer.emit("reasoning_message", present({ content, message_id, provider_data }), origin);
}

/** Calls, and blocks of types that fen does not know. */
function emitCalls(content: unknown, target: MessageTarget): void {
  const { writer, origin, message_id } = target;
  for (const block of blocksOf(content)) {
    if (block.type === "text" || block.type === "thinking") continue;
    if (block.type !== "tool-call") {
      extend("content", block, target);
      continue;
    }
    const call = { call_id: idText(block.id), name: asText(block.name) ?? "", message_id };
    writer.emit("tool_start", { ...call, input: block.arguments ?? {} }, origin);
  }
}

/** fen compares ids as text (session.fnl `tool-call-ids`). */
function idText(id: unknown): string {
  return typeof id === "string" || typeof id === "number" ? String(id) : "";
}

function emitResult(message: Fields, target: MessageTarget): void {
  const { writer, origin } = target;
  const call_id = idText(message["tool-call-id"]);
  const blocks = blocksOf(message.content);
  writer.emit("tool_end", {
    call_id,
    name: asText(message["tool-name"]) ?? "",
    status: message["is-error?"] === true ? "error" : "ok",
    output: blocks.map((block) => blockText(block) ?? "").join(""),
  }, origin);
  for (const block of blocks) if (blockText(block) === undefined) extend("content", block, target);
  const { details } = message;
  const told = details !== undefined && details !== null && !isEmpty(details);
  if (told) extend("tool-result-details", { call_id, details }, target);
}

function isEmpty(details: unknown): boolean {
  return Object.keys(asObject(details)).length + asList(details).length === 0 &&
    typeof details === "object";
}
