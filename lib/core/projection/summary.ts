/**
 * Derives the summary of a session, as lists show it, from its events.
 *
 * @module
 */
import type { KnownEvent, LogEvent } from "../event/envelope.ts";
import { contentFor } from "../event/audience.ts";
import { type Content, contentText } from "../event/message.ts";
import type { PayloadByKind, TokenUsage } from "../event/payload.ts";
import { isMessageKind } from "../event/opened_calls.ts";
import { ACTIVITY_KINDS, SUMMARY_KINDS } from "../event/policy.ts";
import { present } from "../event/present.ts";
import { excerpt } from "./excerpt.ts";
import type { Finding, Projection } from "./projection.ts";
import type { Summary } from "./summary_row.ts";
import { added, addUsage } from "./token_usage.ts";
import { isUnseen } from "./unseen_message.ts";

/** The facts about a session from its events. The store adds the rest of a {@linkcode Summary}. */
export type LogSummary = Omit<Summary, "ref" | "agent" | "path" | "status" | "bytes"> & {
  /** The status of the `session_closed` that ends the log; absent if the log ends otherwise. */
  closed?: "completed" | "failed";
  renamed_at?: string;
  archived_at?: string;
  /** Checkpoints that do not fit the events before them, and a missing header. */
  findings: Finding[];
};

/** The state of {@linkcode summary} after the events so far. */
export interface SummaryState {
  /** Payload of the first `session_started`; undefined if there was none. */
  started: PayloadByKind["session_started"] | undefined;
  /** Title by the last `session_renamed`; undefined if there was none or it cleared the title. */
  renamed: string | undefined;
  /** ISO 8601: time of the last `session_renamed`, even if it cleared the title. */
  renamed_at: string | undefined;
  /** The flag of the last `session_archived`. */
  archived: boolean;
  /** ISO 8601: time of the last `session_archived`. */
  archived_at: string | undefined;
  /** Excerpt of the first user message that has text. */
  first_user_message: string | undefined;
  /** Excerpt of the last user message that has text. */
  last_user_message: string | undefined;
  /** Excerpt of the last answer's error, if the answer failed. */
  last_error: string | undefined;
  /**
   * ISO 8601: time of the last message or call, or of the first `session_closed` after it. Before
   * the first message or call, time of the last event.
   */
  updated_at: string | undefined;
  /** True if a message or call set `updated_at`. If false, the time of each new event sets it. */
  active: boolean;
  /** True if the session was closed after its last message or call. */
  ended: boolean;
  /** Number of the first event. Checkpoints are checked only if it is 1. */
  first_seq: number | undefined;
  /** Number of the last event; undefined before the first. */
  last_seq: number | undefined;
  /** Number of user messages and answers that the user saw. Answers without text do not count. */
  message_count: number;
  /** Number of user messages that the user saw. A series with one `turn_id` counts once. */
  turn_count: number;
  /** Turn of the last user message; undefined if the message has no turn id. */
  turn_id: string | undefined;
  /** Tokens so far. A count that no answer had is absent. */
  usage: TokenUsage;
  /** US dollars so far; undefined if no answer had a cost. */
  cost_usd: number | undefined;
  /** Names of the models, in the order of their first answers, each once. */
  models: string[];
  /** Payload of the last event if its kind is `session_closed`, else undefined. */
  closed: PayloadByKind["session_closed"] | undefined;
  /** True if an event in the summary was changed after it was written. */
  altered: boolean;
  /** Checkpoints that do not fit the events before them. */
  findings: Finding[];
}

function initialState(): SummaryState {
  return {
    started: undefined,
    renamed: undefined,
    renamed_at: undefined,
    archived: false,
    archived_at: undefined,
    first_user_message: undefined,
    last_user_message: undefined,
    last_error: undefined,
    updated_at: undefined,
    active: false,
    ended: false,
    first_seq: undefined,
    last_seq: undefined,
    message_count: 0,
    turn_count: 0,
    turn_id: undefined,
    usage: {},
    cost_usd: undefined,
    models: [],
    closed: undefined,
    altered: false,
    findings: [],
  };
}

export function stateAtCheckpoint(
  started: PayloadByKind["session_started"] | undefined,
  checkpoint: PayloadByKind["session_checkpoint"],
): SummaryState {
  const { title, archived, message_count, turn_count, usage, models, first_user_message } =
    checkpoint;
  return {
    ...initialState(),
    started,
    renamed: title,
    renamed_at: checkpoint.renamed_at,
    archived,
    archived_at: checkpoint.archived_at,
    first_user_message: first_user_message === "" ? undefined : first_user_message,
    last_user_message: checkpoint.last_user_message,
    last_error: checkpoint.last_error,
    first_seq: 1,
    last_seq: checkpoint.through_seq,
    message_count,
    turn_count,
    usage: { ...usage },
    models: [...models],
    cost_usd: checkpoint.cost_usd,
  };
}

export function toCheckpoint(state: SummaryState): PayloadByKind["session_checkpoint"] {
  const { renamed, archived, message_count, turn_count, usage, models, cost_usd } = state;
  return present({
    through_seq: state.last_seq ?? 0,
    title: renamed,
    archived,
    message_count,
    turn_count,
    usage: { ...usage },
    models: [...models],
    first_user_message: state.first_user_message ?? "",
    last_user_message: state.last_user_message,
    last_error: state.last_error,
    cost_usd,
    renamed_at: state.renamed_at,
    archived_at: state.archived_at,
  });
}

/**
 * Returns the projection to the summary that a list shows.
 *
 * @returns A projection to fold.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { decodeEvent, foldEvents, summary } from "@reprise/reprise/pipeline";
 *
 * const event = decodeEvent({ seq: 1, kind: "user_message", payload: { content: "Fix\nit" } });
 * assert.equal(foldEvents(summary(), event === undefined ? [] : [event]).title, "Fix it");
 * ```
 */
export function summary(): Projection<SummaryState, LogSummary> {
  return { needs: SUMMARY_KINDS, initial: initialState, apply: applySummary, result: toSummary };
}

export function applySummary(state: SummaryState, event: LogEvent): SummaryState {
  if (event.form === "known" && event.kind === "session_checkpoint") {
    checkCheckpoint(state, event.seq, event.payload);
  }
  if (event.integrity === "mismatch" && mayCount(event)) state.altered = true;
  state.closed = undefined;
  state.first_seq ??= event.seq;
  state.last_seq = event.seq;
  if (typeof event.time === "string") passTime(state, event, event.time);
  // If a message has no time, the next recorded time replaces it.
  else if (isMessageKind(event.kind) && isActivity(event)) state.active = false;
  if (event.form === "known") applyKnown(state, event);
  return state;
}

/**
 * Updates the time of the last activity, which is a message or a call. The first close after an
 * activity also counts as activity. Renames and later closes do not count.
 */
function passTime(state: SummaryState, event: LogEvent, time: string): void {
  const active = isActivity(event);
  const ends = event.kind === "session_closed" && !state.ended;
  if (active || ends || !state.active) state.updated_at = time;
  state.active ||= active;
  state.ended = !active && (ends || state.ended);
}

export function isActivity(event: LogEvent): boolean {
  if (!ACTIVITY_KINDS.has(event.kind)) return false;
  if (event.form !== "known") return true;
  if (event.kind === "user_message") return !isUnseen(event.payload);
  // An answer without content only says what was used.
  return event.kind !== "assistant_message" || event.payload.content.length > 0;
}

/** True if an event counts in a summary, or may have counted before it was damaged. */
function mayCount({ form, kind }: LogEvent): boolean {
  return form !== "known" || SUMMARY_KINDS.has(kind);
}

function applyKnown(state: SummaryState, event: KnownEvent): void {
  switch (event.kind) {
    case "session_started":
      state.started ??= event.payload;
      break;
    case "user_message":
      if (!isUnseen(event.payload)) countPrompt(state, event.payload.content, event.turn_id);
      break;
    case "assistant_message":
      countAnswer(state, event);
      break;
    case "assistant_interrupted":
      if (seenText(event.payload.content) !== "") state.message_count++;
      if (event.payload.reason === "user") state.last_error = undefined;
      break;
    case "turn_failed":
      state.last_error = event.payload.reason === "error"
        ? excerpt(event.payload.message)
        : undefined;
      break;
    case "notice":
      if (event.payload.level === "error") state.last_error = excerpt(event.payload.text);
      break;
    case "session_renamed":
      state.renamed = event.payload.title === "" ? undefined : event.payload.title;
      state.renamed_at = event.time;
      break;
    case "session_archived":
      state.archived = event.payload.archived;
      state.archived_at = event.time;
      break;
    case "session_closed":
      state.closed = event.payload;
      break;
    default:
  }
}

function seenText(content: Content): string {
  return contentText(contentFor(content, "user"));
}

function countPrompt(state: SummaryState, content: Content, turn_id: string | undefined): void {
  const text = excerpt(seenText(content));
  state.message_count++;
  if (text !== "") {
    state.first_user_message ??= text;
    state.last_user_message = text;
  }
  if (turn_id === undefined || turn_id !== state.turn_id) state.turn_count++;
  state.turn_id = turn_id;
}

type Answer = KnownEvent & { kind: "assistant_message" };

function countAnswer(state: SummaryState, { seq, payload: answer }: Answer): void {
  if (seenText(answer.content) !== "") state.message_count++;
  // An answer without content only says what was used.
  if (answer.content.length > 0) state.last_error = undefined;
  if (answer.model !== undefined && !state.models.includes(answer.model)) {
    state.models.push(answer.model);
  }
  // What a copied answer used is counted in the parent alone.
  if (seq <= (state.started?.parent?.seq ?? 0)) return;
  if (answer.usage !== undefined) addUsage(state.usage, answer.usage);
  if (answer.cost_usd !== undefined) state.cost_usd = added(state.cost_usd, answer.cost_usd);
}

function checkCheckpoint(
  state: SummaryState,
  seq: number,
  payload: PayloadByKind["session_checkpoint"],
): void {
  // Only a fold from the first event can tell.
  if (state.first_seq !== 1) return;
  const expected = toCheckpoint(state);
  const wrong = (["through_seq", "message_count", "turn_count", "archived", "title"] as const)
    .filter((field) => expected[field] !== payload[field]);
  if (wrong.length === 0) return;
  const detail = wrong.map((field) => `${field} is ${payload[field]}, not ${expected[field]}`);
  state.findings.push({ code: "stale-checkpoint", seq, detail: detail.join("; ") });
}

function updatedAt({ started, updated_at = "" }: SummaryState): string | undefined {
  const { parent, created_at = "" } = started ?? {};
  const is_younger = parent !== undefined && Date.parse(created_at) > Date.parse(updated_at);
  return (is_younger ? created_at : updated_at) || undefined;
}

export function toSummary(state: SummaryState): LogSummary {
  const { started, first_user_message, last_user_message, last_error, closed } = state;
  const title = state.renamed ?? (started?.title || first_user_message) ?? "";
  return present({
    session_id: started?.session_id ?? "",
    title: excerpt(title),
    archived: state.archived,
    message_count: state.message_count,
    turn_count: state.turn_count,
    usage: state.usage,
    models: state.models,
    findings: state.started === undefined && state.last_seq !== undefined
      ? [...state.findings, { code: "missing-header", seq: 0, detail: "the log has no header" }]
      : state.findings,
    cwd: started?.cwd,
    app: started?.app?.name,
    git_branch: started?.git?.branch,
    created_at: started?.created_at,
    parent: started?.parent,
    imported_from: started?.imported_from,
    first_user_message,
    last_user_message,
    last_error: last_error === "" ? undefined : last_error,
    updated_at: updatedAt(state),
    last_seq: state.last_seq,
    cost_usd: state.cost_usd,
    closed: closed?.status,
    exit_code: closed?.exit_code,
    summary: closed?.summary,
    renamed_at: state.renamed_at,
    archived_at: state.archived_at,
    altered: state.altered ? true : undefined,
  });
}
