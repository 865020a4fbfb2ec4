/** Checks the arguments of a store and a session, and prepares events for their append. */
import type { NewEvent } from "../event/envelope.ts";
import {
  amount,
  callable,
  checkArgument,
  date,
  fields,
  flag,
  isObject,
  list,
  number,
  oneOf,
  optional,
  text,
  whole,
  words,
} from "../event/guard.ts";
import type { EventKind, SessionClosedPayload } from "../event/payload.ts";
import { isBoundary, isEventKind, isHeld } from "../event/policy.ts";
import { present } from "../event/present.ts";
import { SessionError } from "../event/session_error.ts";
import { pathRules } from "../workspace/path_rules.ts";
import { tooOldRuntime } from "../platform/runtime.ts";
import { isSystemPath } from "../workspace/system_path.ts";
import { sessionId } from "./session_id.ts";
import type { SentOptions } from "../projection/conversation/running_conversation.ts";
import { options, unchecked } from "./checked_options.ts";
import type { PruneOptions } from "./trash/prune_sessions.ts";
import type { ListOptions } from "./list_sessions.ts";
import type { LoadOptions } from "./load_session.ts";
import { asHeld } from "./session_line.ts";
import type { Durability } from "./session_parts.ts";
import type {
  CreateOptions,
  EventsOptions,
  ForkOptions,
  ReadConversationOptions,
  StoreOptions,
  SubagentOptions,
} from "./store_options.ts";

const storeOptions = options<StoreOptions>({
  root: optional(words),
  durability: optional(oneOf("boundary", "event", "none")),
  now: optional(callable),
  newId: optional(callable),
  whole_ids: optional(flag),
});
const memoryOptions = options<Pick<StoreOptions, "now" | "newId" | "whole_ids">>({
  now: optional(callable),
  newId: optional(callable),
  whole_ids: optional(flag),
});
/** Options that are checked with the session's first event. */
const headOptions = {
  id: optional(sessionId),
  title: unchecked,
  app: unchecked,
  git: unchecked,
  environment: unchecked,
  imported_from: unchecked,
  unanswered_call: unchecked,
};
function directory(value: unknown): string | undefined {
  const reason = words(value);
  if (reason !== undefined || isSystemPath(String(value), pathRules())) return reason;
  return "is not an absolute path; call path.resolve() for it";
}

const createOptions = options<CreateOptions>({ ...headOptions, parent: unchecked, cwd: directory });
const subagentOptions = options<SubagentOptions>(headOptions);
const forkOptions = options<ForkOptions>({
  id: optional(sessionId),
  seq: optional(number),
  title: optional(text),
});
const conversationOptions = {
  tools: optional(oneOf("include", "omit")),
  reasoning: optional(oneOf("include", "omit")),
};
const sentOptions = options<SentOptions>(conversationOptions);
const loadOptions = options<ReadConversationOptions & LoadOptions>({
  ...conversationOptions,
  unanswered_call: optional(text),
  report: optional(callable),
  signal: unchecked,
});
const lastOptions = { cwd: optional(text), subagents: optional(flag), signal: unchecked };
const lastFields = options<Pick<ListOptions, "cwd" | "subagents" | "signal">>(lastOptions);
const listOptions = options<ListOptions>({
  ...lastOptions,
  archived: optional(oneOf("any", true, false)),
  since: optional(date),
  until: optional(date),
  title: optional(text),
  branch: optional(text),
  limit: optional(whole(0)),
  exact: optional(flag),
  onError: optional(callable),
});
const pruneOptions = options<PruneOptions>({
  before: optional(date),
  max_bytes: optional(amount),
  cwd: optional(text),
  dry_run: optional(flag),
  onError: optional(callable),
  onProgress: optional(callable),
});
const eventsOptions = options<EventsOptions>({ undone: optional(oneOf("include", "omit")) });
const closing = options<SessionClosedPayload>({
  status: unchecked,
  exit_code: unchecked,
  summary: unchecked,
});
const object = fields({});
const REFUSED = "invalid-event";

/** Throws if the runtime is too old. An old runtime could write sessions that it cannot read. */
export function checkRuntime(reason = tooOldRuntime()): void {
  if (reason === undefined) return;
  throw new SessionError("unsupported-version", `Cannot open store: ${reason}`, {});
}

export function checkStore(options: unknown): void {
  checkArgument("open store", "options", storeOptions, options);
}

export function timeOf(now: () => Date): string {
  const time = now();
  checkArgument("tell the time", "now()", date, time);
  return time.toISOString();
}

export function checkMemoryStore(options: unknown): void {
  checkArgument("open store", "options", memoryOptions, options);
}

export function checkListing(options: unknown): void {
  checkArgument("list sessions", "options", listOptions, options);
}

/** Checks the options of pruning, because wrong limits would remove too many sessions. */
export function checkPruning(options: unknown): void {
  checkArgument("prune sessions", "options", pruneOptions, options);
}

export function checkEvents(options: unknown): void {
  checkArgument("read events", "options", eventsOptions, options);
}

export function checkLast(options: unknown): void {
  checkArgument("find last session", "options", lastFields, options);
}

export function checkSubagent(options: unknown): void {
  checkArgument("begin subagent", "options", subagentOptions, options);
}

export function closingOf(outcome: SessionClosedPayload): NewEvent {
  if (isObject(outcome)) checkArgument("finish session", "outcome", closing, outcome, REFUSED);
  return checkedDraft({ kind: "session_closed", payload: outcome });
}

/** Throws, because only a new session may create a log. */
export function withoutLog(): never {
  throw new TypeError("Cannot append event: the session has no log");
}

/** Checks the option names, the id and the directory. The rest is checked with the first event. */
export function checkCreation(options: unknown): void {
  checkArgument("create session", "options", createOptions, options);
}

export function checkFork(options: unknown): void {
  checkArgument("fork session", "options", forkOptions, options);
}

export function checkReading(options: unknown): void {
  checkArgument("read conversation", "options", sentOptions, options);
}

export function checkLoading(options: unknown): void {
  checkArgument("load session", "options", loadOptions, options);
}

/** Checks that each event is an object. Its fields are checked later. */
export function checkDrafts(events: unknown): void {
  checkArgument("append event", "events", list(unchecked), events, REFUSED);
  for (const event of events as unknown[]) {
    checkArgument("append event", "event", object, event, REFUSED);
  }
}

/** Refuses several arguments of `append`, because only the first would be appended. */
export function checkAlone({ length }: { length: number }): void {
  if (length < 2) return;
  const message = "Cannot append event: append takes one event; give several to appendAll";
  throw new SessionError("invalid-event", message);
}

export function mustSync(durability: Durability, kind: EventKind): boolean {
  return durability === "boundary" ? isBoundary(kind) : durability === "event";
}

export function branchOf(from_seq: number, reason: string | undefined): NewEvent {
  return { kind: "conversation_branched", payload: present({ from_seq, reason }) };
}

export function labelOf(target_seq: number, label: string | undefined): NewEvent {
  return { kind: "event_labeled", payload: present({ target_seq, label }) };
}

export type LogAnnotation = { title: string } | { archived: boolean };

/** Returns the event that records a rename or an archiving. Throws if the new value is invalid. */
export function annotationOf(change: LogAnnotation): NewEvent {
  if ("title" in change) {
    checkArgument("rename session", "title", text, change.title);
    return { kind: "session_renamed", payload: change };
  }
  checkArgument("archive session", "archived", flag, change.archived);
  return { kind: "session_archived", payload: change };
}

export function checkTurnId(id: unknown): void {
  checkArgument("begin turn", "id", text, id);
}

/** True for an event that describes a session but does not create its log. */
export function isDescription({ kind }: NewEvent): boolean {
  return isEventKind(kind) && isHeld(kind);
}

export type HeadDraft = NewEvent & { kind: "session_started" };

/**
 * Merges a program's `session_started` into the first event that the store prepared. The id and
 * directory of the prepared event stay.
 *
 * @param header The first event that waits to be written.
 * @throws {SessionError} `invalid-event` if no event waits: the session has already begun.
 */
function describedHead(header: NewEvent | undefined, event: HeadDraft): HeadDraft {
  if (header?.kind !== "session_started") throw hasBegun();
  const { session_id, cwd } = header.payload;
  return { ...event, payload: { ...header.payload, ...event.payload, session_id, cwd } };
}

/** Adds an event to `held`. A `session_started` is merged into the first held event instead. */
export function holdIn(held: NewEvent[], event: NewEvent, now: () => Date): void {
  if (event.kind === "session_started") held[0] = checkedDraft(describedHead(held[0], event));
  else held.push(checkedDraft({ ...event, time: utcTime(event.time, now) }));
}

export function hasBegun(): SessionError {
  const why = "Cannot append session_started: a session has this event only once, at its beginning";
  return new SessionError("invalid-event", why, {});
}

export function isClosed(action: string): SessionError {
  return new SessionError("closed", `Cannot ${action}: the session is closed`, {});
}

export function refusing<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SessionError("invalid-event", error.message, {}, error);
  }
}

/**
 * Returns a copy of an event to be written later.
 *
 * @throws {SessionError} `invalid-event` if the event's fields do not fit the event's kind.
 */
export function checkedDraft(event: NewEvent): NewEvent {
  return refusing(() => asHeld(event));
}

/**
 * Returns a time in UTC with milliseconds, by default the present time. An invalid time is returned
 * unchanged, so that encoding refuses it.
 */
export function utcTime(time: string | undefined, now: () => Date): string {
  if (time === undefined) return now().toISOString();
  const milliseconds = typeof time === "string" && /^\d{4}-/.test(time) ? Date.parse(time) : NaN;
  return Number.isNaN(milliseconds) ? time : new Date(milliseconds).toISOString();
}
