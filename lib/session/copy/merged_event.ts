/**
 * Converts an event for a merged session. It gets a new number and new ids, and no longer affects
 * the other sessions' events.
 */
import type { InvalidEvent, KnownEvent } from "../../event/envelope.ts";
import type { Content } from "../../event/message.ts";
import type { CompactionAppliedPayload, EventKind } from "../../event/payload.ts";
import type { ReadEvent } from "../session_line.ts";

/** What says something of its session as a whole, which is another one now. */
const ABOUT_SESSION: ReadonlySet<string> = new Set<EventKind>([
  "conversation_replaced",
  "session_started",
  "session_renamed",
  "session_archived",
  "session_closed",
]);

/** Whether an event is left out: it sums up a log that is another one now. */
export function isLeftOut({ kind }: { kind: string }): boolean {
  return kind === "session_checkpoint";
}

/** The event as it stands in the merged session, under its old number. */
export function toMerged(event: ReadEvent, prefix: string): ReadEvent {
  const labelled = withTurn(event, prefix);
  if (labelled.form === "unknown") return labelled;
  if (ABOUT_SESSION.has(event.kind)) return asExtension(labelled);
  return labelled.form === "known" ? withIds(labelled, prefix) : labelled;
}

function withTurn(event: ReadEvent, prefix: string): ReadEvent {
  // Of an event that does not fit, it may be no text.
  return typeof event.turn_id === "string" ? { ...event, turn_id: prefix + event.turn_id } : event;
}

/** Kept for who wants to know; neither a head, nor a title, nor an end of the merged session. */
function asExtension(event: KnownEvent | InvalidEvent): KnownEvent {
  const { form, kind, payload, ...labels } = event;
  if (form === "invalid") delete (labels as { reason?: string }).reason;
  const data = { agent: "reprise", type: kind, data: payload ?? {} };
  return { ...labels, form: "known", kind: "extension", payload: data };
}

function withIds(event: KnownEvent, prefix: string): KnownEvent {
  switch (event.kind) {
    case "compaction_applied":
      return { ...event, payload: statusOnly(event.payload) };
    case "user_message":
      return { ...event, payload: withContent(event.payload, prefix) };
    case "assistant_message":
    case "assistant_interrupted":
      return { ...event, payload: named(withContent(event.payload, prefix), prefix) } as KnownEvent;
    case "reasoning_message":
    case "tool_start":
    case "tool_end":
    case "bash_start":
    case "bash_end":
    case "diff":
      return { ...event, payload: named(event.payload, prefix) } as KnownEvent;
    default:
      return event;
  }
}

/** The status line alone: the model gets all that all of the sessions said. */
function statusOnly(payload: CompactionAppliedPayload): CompactionAppliedPayload {
  const { messages: _messages, first_kept_seq: _kept, summary, status, ...rest } = payload;
  // Without a word, a summary was what the user saw of it.
  const shown = status === "" && summary !== undefined ? "Conversation compacted." : status;
  return { ...rest, status: shown, status_only: true };
}

function withContent<Payload extends { content: Content }>(
  payload: Payload,
  prefix: string,
): Payload {
  return { ...payload, content: namedParts(payload.content, prefix) };
}

function namedParts(content: Content, prefix: string): Content {
  if (typeof content === "string") return content;
  return content.map((part) => "call_id" in part ? named(part, prefix) : part);
}

/** With ids that no other session has: providers' ids may repeat, turns are counted from 1. */
function named<Payload extends { call_id?: string; message_id?: string }>(
  payload: Payload,
  prefix: string,
): Payload {
  if (prefix === "") return payload;
  const { call_id, message_id } = payload;
  return {
    ...payload,
    ...(call_id === undefined ? {} : { call_id: prefix + call_id }),
    ...(message_id === undefined ? {} : { message_id: prefix + message_id }),
  };
}
