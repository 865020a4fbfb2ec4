/** Checks the arguments of a store and a session, as {@linkcode checkArgument} does. */
import { checkArgument } from "../event/check_argument.ts";
import type { NewEvent } from "../event/envelope.ts";
import { date, fields, type Guard, oneOf, optional, text, whole, words } from "../event/guard.ts";
import type { CompactOptions } from "./session_parts.ts";

const createOptions = fields({ cwd: words });
const forkOptions = fields({ title: optional(text) });
const conversationOptions = fields({
  tools: optional(oneOf("include", "omit")),
  reasoning: optional(oneOf("include", "omit")),
});

const listOptions = fields({
  cwd: optional(text),
  archived: optional(oneOf("any", true, false)),
  since: optional(date),
  title: optional(text),
  limit: optional(whole(0)),
});
const anything = fields({});
/** What stands beside messages would be lost without a word. */
const compactOptions: Guard = (value) => {
  const reason = anything(value);
  if (reason !== undefined) return reason;
  const { messages, summary, keep_from } = value as Record<string, unknown>;
  const other = summary !== undefined ? "summary" : keep_from !== undefined ? "keep_from" : "";
  return messages === undefined || other === ""
    ? undefined
    : `.messages stands beside ${other}, which would be ignored; give one of them`;
};

/** Makes sure that options choose sessions. */
export function checkListing(options: unknown): void {
  checkArgument("list sessions", "options", listOptions, options);
}

/** Makes sure that options name a directory; the head of the session checks the others. */
export function checkCreation(options: unknown): void {
  checkArgument("create session", "options", createOptions, options);
}

/** Makes sure that options fit a fork. */
export function checkFork(options: unknown): void {
  checkArgument("fork session", "options", forkOptions, options);
}

/** Makes sure that options say what a conversation includes. */
export function checkReading(options: unknown): void {
  checkArgument("read conversation", "options", conversationOptions, options);
}

/** Makes sure that an event is an object: its kind decides all else. */
export function checkDraft(event: unknown): void {
  checkArgument("append event", "event", anything, event, "invalid-event");
}

/** Returns the event of a compaction; refuses options that exclude each other. */
export function compactionOf(options: CompactOptions): NewEvent {
  checkArgument("compact session", "options", compactOptions, options, "invalid-event");
  const { keep_from, status = "", ...said } = options;
  const kept = keep_from === undefined ? {} : { first_kept_seq: keep_from };
  return { kind: "compaction_applied", payload: { status, ...said, ...kept } };
}

/** Makes sure that a turn has a name. */
export function checkTurnId(id: unknown): void {
  checkArgument("begin turn", "id", text, id);
}
