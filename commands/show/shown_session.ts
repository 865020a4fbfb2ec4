/** Decides how much of a session `show` reads: all of it, or its end alone. */
import type { LogEvent } from "../../lib/event/envelope.ts";
import { recordInTail } from "../../lib/library/find_record.ts";
import type { SessionHandle } from "../../lib/library/session_handle.ts";
import type { Report } from "../../lib/log/diagnostic.ts";
import type { ThreadSummary } from "../../lib/projection/summary_row.ts";
import { fileState } from "../../lib/session/import/source_state.ts";
import type { AgentTailOptions } from "../../lib/source/agent.ts";
import type { Context } from "../_context.ts";
import { say } from "../_message.ts";
import { tellOthers } from "../_threads.ts";
import type { ShowFlags } from "./shown_view.ts";

/** A session, and what is read of it. */
export interface ShownSession {
  source: SessionHandle;
  /** The events of its end, where these are all that is read; undefined where they are followed. */
  end?: readonly LogEvent[];
  /** False where only its end is read, and nothing tells the numbers of its events. */
  numbered: boolean;
  /** Its other threads, where only its end is read and they are known. */
  others?: readonly ThreadSummary[];
}

/** Bytes of a session's end in which a named record is looked for, before all of it is read. */
const END_BYTES = 4 * 1024 * 1024;
/** All of a shorter session is read as soon as its end: then its events have numbers. */
const SHORT_BYTES = 1024 * 1024;

/**
 * Finds what a reference names, and reads the end of the session where that is enough.
 *
 * @throws {SessionError} `not-found`, `ambiguous`; as reading it
 */
export async function shownSession(
  opened: SessionHandle,
  flags: ShowFlags,
  report: Report,
): Promise<ShownSession> {
  const { record, seq } = opened;
  const { last, follow } = flags;
  if (!hasLongEnd(opened, flags)) return { source: await opened.atEvent(), numbered: true };
  if (record !== undefined && !follow) {
    const shown = await readEnd(opened, { report, messages: Infinity, most_bytes: END_BYTES });
    const seq = recordInTail(shown.end ?? [], record);
    if (seq !== undefined) return { ...shown, source: opened.at({ seq }) };
  }
  if (record !== undefined || seq !== undefined || last === undefined) {
    return { source: await opened.atEvent(), numbered: true };
  }
  if (follow) return { source: opened, numbered: false };
  return await readEnd(opened, { report, messages: last });
}

/** True where the end can be read by itself, and its events' numbers are not in it as in a log of ours. */
function hasLongEnd(
  { has_tail, log, path, thread: named }: SessionHandle,
  { thread = named }: ShowFlags,
): boolean {
  return has_tail && log === undefined && thread === undefined &&
    fileState(path).bytes > SHORT_BYTES;
}

async function readEnd(
  source: SessionHandle,
  { messages, ...options }: AgentTailOptions,
): Promise<ShownSession> {
  const end = await source.tail(messages, options) ?? [];
  const is_all = end[0]?.kind === "session_started";
  const { last_seq, threads } = await source.knownCounts() ?? {};
  const known = threads === undefined ? {} : { others: threads };
  if (is_all || last_seq === undefined) return { source, end, numbered: is_all, ...known };
  const { numberedEnd } = await import("../../lib/library/known_counts.ts");
  return { source, end: numberedEnd(end, last_seq), numbered: true, ...known };
}

/** Says what is not shown of a session, and how to get it. */
export async function tellLeftOut(
  context: Context,
  { source, numbered, end, others }: ShownSession,
  flags: ShowFlags,
): Promise<void> {
  const { ref } = source;
  const { json, events, thread } = flags;
  const for_programs = json || events;
  if (!numbered && for_programs) {
    const all = `reprise show ${ref} ${json ? "--json" : "--events"}`;
    const names = 'there is no "seq", and REF@ID names the record of an "id"';
    return await say(context, `Only the end was read: ${names}; with numbers: ${all}`);
  }
  if (for_programs || thread !== undefined) return;
  if ((numbered && end === undefined) || others !== undefined) {
    return await tellOthers(context, source, "show", others);
  }
  const left_out = numbered
    ? "other threads are not counted"
    : "events have no number, and other threads are not counted";
  await say(context, `Only the end was read: ${left_out}; see: reprise show ${ref} --threads`);
}
