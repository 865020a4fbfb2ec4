/**
 * Builds a list's row of a session from the edges of its file. If these do not suffice, it reads
 * the whole file.
 */
import { SUMMARY_KINDS } from "../../event/policy.ts";
import { foldBatches } from "../../projection/projection.ts";
import type { AgentSession } from "../../source/agent.ts";
import type { AgentReads } from "../session_reader.ts";
import { agentSummary } from "./agent_summary.ts";
import { type EdgeOptions, type FileEdges, readEdges } from "../records/file_edges.ts";
import { ROW_KINDS, type RowSummary, rowSummary } from "./row_summary.ts";

/** What the edges of a session tell; undefined where only all of it does. */
type Quick = RowSummary | undefined;

/** Where a session's row is made from. */
export interface RowSource {
  read: AgentReads["read"];
  /** What is known without reading all of it. */
  quick(session: AgentSession): Quick | Promise<Quick>;
  /** True if the last turn was left open; undefined where the events tell. */
  open?(session: AgentSession): boolean | undefined | Promise<boolean | undefined>;
  /** Bytes of a session, where they are its own. */
  bytes?(session: AgentSession): number;
}

/** Makes an agent's `summarize`. */
export function summarizeFrom({ read, quick, open, bytes }: RowSource): AgentReads["summarize"] {
  return async (session, { exact = false } = {}) => {
    const size = bytes === undefined ? {} : { bytes: bytes(session) };
    const known = await quick(session);
    const whole = exact || known === undefined;
    // The edges tell how the last turn ended: then no result is read for it.
    const needs = known === undefined ? ROW_KINDS : SUMMARY_KINDS;
    const log = whole ? await foldBatches(rowSummary(), read(session, { needs })) : known;
    if (log.last_seq === undefined) return undefined;
    const left_open = known?.open ?? await open?.(session) ?? log.open;
    return agentSummary(session, { ...log, open: left_open }, { ...size, exact: whole });
  };
}

/** Where the row of a session that has a file of its own is made from. */
export interface EdgeSource {
  read: AgentReads["read"];
  /** What the edges tell where they are not the whole file. */
  fromEdges(session: AgentSession, edges: FileEdges): Quick | Promise<Quick>;
  /** As {@linkcode RowSource.open}. */
  open?: RowSource["open"];
  /** How much of either end is read. */
  edges?: EdgeOptions;
}

/** Makes the `summarize` of an agent that keeps a file a session. */
export function summarizeFromEdges(
  { read, fromEdges, open, edges }: EdgeSource,
): AgentReads["summarize"] {
  return async (session, options) => {
    const ends = readEdges(session.path, edges);
    return await summarizeFrom({
      read,
      quick: () => ends.whole ? undefined : fromEdges(session, ends),
      ...(open === undefined ? {} : { open }),
      bytes: () => ends.size,
    })(session, options);
  };
}

/**
 * The summary of a session of which the head and the tail were folded: the first prompt is the head's,
 * the last one, the time and the end are the tail's. Undefined where the head holds no prompt.
 */
export function joinedSummary(head: RowSummary, tail: RowSummary): RowSummary | undefined {
  if (head.first_user_message === undefined) return undefined;
  const { last_user_message: _, updated_at: begun_at, closed: __, ...rest } = head;
  const { last_user_message, last_error = rest.last_error, closed, open } = tail;
  const { updated_at = begun_at } = tail;
  return {
    ...rest,
    open,
    ...(last_user_message === undefined ? {} : { last_user_message }),
    ...(last_error === undefined ? {} : { last_error }),
    ...(updated_at === undefined ? {} : { updated_at }),
    ...(closed === undefined ? {} : { closed }),
  };
}
