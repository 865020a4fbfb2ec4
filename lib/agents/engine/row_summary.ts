/**
 * Makes a session's row of a list from the first and last lines of its file. Reads the whole file
 * if these lines are not enough. The row says how the last turn ended.
 */
import type { LogEvent } from "../../core/event/envelope.ts";
import type { EventKind } from "../../core/event/payload.ts";
import { SUMMARY_KINDS } from "../../core/event/policy.ts";
import { foldBatches, type Projection } from "../../core/projection/projection.ts";
import { wholeSummary } from "../../core/projection/active_time.ts";
import type { LogSummary } from "../../core/projection/summary.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { isSeen, isUnseen } from "../../core/projection/unseen_message.ts";
import type { AgentSession } from "../contract/agent.ts";
import { sessionRef } from "../contract/session_name.ts";
import { type EdgeOptions, type FileEdges, readEdges } from "./records/file_edges.ts";
import { present } from "./json.ts";
import type { AgentReads } from "./session_reader.ts";

/** A summary from a session's edges. Undefined if the whole session must be read. */
type Quick = RowSummary | undefined;

interface RowSource {
  read: AgentReads["read"];
  /** Summarizes the session from its first and last lines. Undefined if these are not enough. */
  quick(session: AgentSession): Quick | Promise<Quick>;
  /** True if the last turn was left open. Undefined if only the events can tell. */
  open?:
    | ((session: AgentSession) => boolean | undefined | Promise<boolean | undefined>)
    | undefined;
  /** Size of the session in bytes. Undefined if its file is shared with other sessions. */
  bytes?: ((session: AgentSession) => number | undefined) | undefined;
}

export function summarizeFrom({ read, quick, open, bytes }: RowSource): AgentReads["summarize"] {
  return async (session, { exact = false } = {}) => {
    const size = bytes?.(session);
    const known = await quick(session);
    const whole = exact || known === undefined;
    // The edges tell how the last turn ended: then no result is read for it.
    const needs = known === undefined ? ROW_KINDS : SUMMARY_KINDS;
    const log = whole ? await foldBatches(rowSummary(), read(session, { needs })) : known;
    if (log.last_seq === undefined) return undefined;
    const left_open = known?.open ?? await open?.(session) ?? log.open;
    const row = agentSummary(session, { ...log, open: left_open }, { bytes: size, exact: whole });
    // The main thread's tokens alone are not the tokens of the session.
    if (!exact) { for (const field of ["usage", "cost_usd"] as const) delete row[field]; }
    return row;
  };
}

interface EdgeSource {
  read: AgentReads["read"];
  /** Summarizes a session from its file's edges. Not called if the edges are the whole file. */
  fromEdges(session: AgentSession, edges: FileEdges): Quick | Promise<Quick>;
  open?: RowSource["open"];
  edges?: EdgeOptions;
}

/** Returns the `summarize` method of an agent that keeps each session in a file of its own. */
export function summarizeFromEdges(
  { read, fromEdges, open, edges }: EdgeSource,
): AgentReads["summarize"] {
  return async (session, options) => {
    const ends = readEdges(session.path, edges);
    return await summarizeFrom({
      read,
      quick: () => ends.whole ? undefined : fromEdges(session, ends),
      open,
      bytes: () => ends.size,
    })(session, options);
  };
}

/**
 * Combines the summaries of a session's head and tail. The last prompt, error, time and state come
 * from the tail, all other facts from the head. Undefined if the head has no prompt.
 */
export function joinedSummary(head: RowSummary, tail: RowSummary): RowSummary | undefined {
  if (head.first_user_message === undefined) return undefined;
  const { last_user_message: _, last_error: ___, updated_at: begun_at, closed: __, ...rest } = head;
  const { last_user_message, last_error, closed, open } = tail;
  const { updated_at = begun_at } = tail;
  return present({ ...rest, open, last_user_message, last_error, updated_at, closed });
}

export type RowSummary = LogSummary & {
  /** True if the records end with an unanswered prompt, an open call or an unfinished answer. */
  open: boolean;
};

export const ROW_KINDS: ReadonlySet<EventKind> = new Set([
  ...SUMMARY_KINDS,
  "tool_end",
  "turn_failed",
]);

interface RowState {
  state: ReturnType<ReturnType<typeof wholeSummary>["initial"]>;
  open: boolean;
}

export function rowSummary(): Projection<RowState, RowSummary> {
  const { initial, apply, result } = wholeSummary();
  return {
    needs: ROW_KINDS,
    initial: () => ({ state: initial(), open: false }),
    apply({ state, open }, event): RowState {
      return { state: apply(state, event), open: leavesOpen(event) ?? open };
    },
    result: ({ state, open }) => ({ ...result(state), open }),
  };
}

/** True if an event continues the turn, false if it ends the turn, undefined if neither. */
function leavesOpen(event: LogEvent): boolean | undefined {
  if (event.form !== "known") return undefined;
  switch (event.kind) {
    case "user_message":
      return isUnseen(event.payload) ? undefined : true;
    case "assistant_message": {
      const { content } = event.payload;
      const calls = typeof content !== "string" && content.some(({ type }) => type === "tool_call");
      // A thought alone is the beginning of an answer; without content it only says what it took.
      return calls || (isSeen(content) ? false : undefined);
    }
    case "assistant_interrupted":
    case "tool_end":
      return true;
    case "turn_failed":
      return event.payload.reason === "cancelled";
    case "session_closed":
      return false;
    default:
      return undefined;
  }
}

const COUNTS = [
  ...["message_count", "turn_count", "active_ms", "usage", "cost_usd", "models"] as const,
  "last_seq",
] as const;

/**
 * Returns a session's row. The status comes from the session's records, and running processes are
 * not checked. Without `exact`, the row has no counts, because not all events were read.
 */
function agentSummary(
  session: AgentSession,
  log: LogSummary & { open?: boolean },
  { bytes, exact }: { bytes: number | undefined; exact: boolean },
): Summary {
  // The program is the agent.
  const {
    closed,
    open,
    parent,
    app: _app,
    renamed_at: _,
    archived_at: __,
    findings: ___,
    ...rest
  } = log;
  const { agent, id, path, archived } = session;
  const row: Summary = present({
    ...rest,
    // Only a read of the whole session shows how much of the parent was copied.
    parent: parent && present({ ...parent, seq: undefined }),
    ref: sessionRef(session),
    agent,
    session_id: id,
    path,
    status: closed ?? (open ? "interrupted" : rest.last_error === undefined ? "idle" : "failed"),
    archived: archived === true || rest.archived,
    bytes,
  });
  // Events have an empty text for each fact that the source does not record.
  if (row.cwd === "") delete row.cwd;
  if (row.created_at === "") delete row.created_at;
  if (!exact) { for (const field of COUNTS) delete row[field]; }
  return row;
}
