/** Converts goose's messages to events. */
import { toContent } from "../../core/event/audience.ts";
import type { Content, Part } from "../../core/event/message.ts";
import type { EventOrigin, EventWriter } from "../engine/events/event_writer.ts";
import { asName, asText, type Json } from "../engine/json.ts";
import {
  emitResponse,
  type ResponseDraft,
  startResponse,
} from "../engine/events/response_draft.ts";
import { type Calls, takeRequest, toPart, toThought, writeResponse } from "./tool_events.ts";
import type { GooseMessage } from "./goose_entry.ts";

export interface GooseDialogue {
  calls: Calls;
  /** The id of the current turn, which is the id of its prompt. */
  turn_id: string | undefined;
}

export function startDialogue(): GooseDialogue {
  return { calls: new Map(), turn_id: undefined };
}

export function writeMessage(
  writer: EventWriter,
  dialogue: GooseDialogue,
  message: GooseMessage,
): void {
  if (message.role === "user") writeUser(writer, dialogue, message);
  else if (message.role === "assistant") writeAssistant(writer, dialogue, message);
  else writeHidden(writer, message);
}

/** Records a message outside the dialogue. It has no recipient, or goose ignores its role. */
export function writeHidden(writer: EventWriter, message: GooseMessage): void {
  const { role, content } = message;
  writer.keep("message", { role, content }, originOf(message));
}

function originOf({ id, created: time, record }: GooseMessage, turn_id?: string): EventOrigin {
  return { id, time, turn_id, record };
}

export function promptOf({ content }: GooseMessage): Content | undefined {
  const parts = content.flatMap((item) => toPart(item) ?? []);
  return parts.length === 0 ? undefined : toContent(parts);
}

function writeUser(writer: EventWriter, dialogue: GooseDialogue, message: GooseMessage): void {
  const responses = message.content.filter(({ type }) => type === "toolResponse");
  for (const item of responses) {
    writeResponse(writer, dialogue.calls, item, originOf(message, dialogue.turn_id));
  }
  const content = promptOf(message);
  if (content !== undefined) {
    // What only the model gets begins no turn.
    if (message.user) dialogue.turn_id = message.id;
    writer.emit("user_message", { content }, originOf(message, dialogue.turn_id));
  }
  const origin = originOf(message, dialogue.turn_id);
  for (const item of message.content) {
    if (item.type !== "toolResponse" && toPart(item) === undefined) writeItem(writer, item, origin);
  }
}

/**
 * Emits an answer's items in order. Consecutive texts are joined, as goose does
 * (`merge_text_content_items`).
 */
function writeAssistant(writer: EventWriter, dialogue: GooseDialogue, message: GooseMessage): void {
  const origin = originOf(message, dialogue.turn_id);
  const draft = startResponse();
  const others: Json[] = [];
  let run: Part[] = [];
  const endRun = (): void => {
    for (const one of joined(run)) draft.parts.push(one);
    run = [];
  };
  for (const item of message.content) {
    const part = toPart(item);
    const thought = toThought(item);
    if (part !== undefined) {
      run.push(part);
      continue;
    }
    if (thought !== undefined || item.type === "toolRequest") endRun();
    if (thought !== undefined) draft.parts.push(thought);
    else if (item.type !== "toolRequest" || !addRequest(draft, dialogue, message, item)) {
      others.push(item);
    }
  }
  endRun();
  emitResponse(writer, draft, { message_id: message.id }, origin);
  for (const item of others) writeItem(writer, item, origin);
}

function addRequest(
  draft: ResponseDraft,
  { calls }: GooseDialogue,
  { answered }: GooseMessage,
  item: Json,
): boolean {
  // Of a request without a response goose sends nothing (conversation/mod.rs, `fix_tool_calling`).
  const unsent = answered?.has(item.id) === false;
  return takeRequest(draft, calls, item, unsent ? "user" : undefined);
}

function joined(parts: readonly Part[]): readonly Part[] {
  if (parts.length < 2 || parts.some(({ type }) => type !== "text")) return parts;
  const text = parts.map((part) => part.type === "text" ? part.text : "").join("");
  return [{ type: "text", text }];
}

/** Emits an item that the model does not get, such as a question, a notice or a rendered view. */
function writeItem(writer: EventWriter, item: Json, origin: EventOrigin): void {
  const type = asText(item.type) ?? "content";
  const text = asName(item.msg);
  if (text !== undefined) {
    writer.emit("notice", { audience: "user", title: "notice", text }, origin);
  } else writer.keepUnknown(type, item, origin);
}
