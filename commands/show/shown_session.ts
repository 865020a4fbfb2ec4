/** Decides how much of a session `show` reads: all of it, or only its end. */
import type { LogEvent } from "../../lib/core/event/envelope.ts";
import { present } from "../../lib/core/event/present.ts";
import type { SessionTail } from "../../lib/library/handle/session_tail.ts";
import type { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import type { Report } from "../../lib/core/log/diagnostic.ts";
import type { ThreadSummary } from "../../lib/core/projection/summary_row.ts";
import type { Context } from "../_context.ts";
import { say } from "../_message.ts";
import { tellOthers } from "../_threads.ts";
import type { Flags, FlagsOf } from "../_command.ts";
import { IDENTITY_FLAG } from "../_scope_flags.ts";
import { parseCount } from "../_values.ts";
import { PAGE_FLAGS } from "../_page.ts";

export const SHOW_FLAGS = {
  "--last <count>": {
    help: "the number of messages and calls to show, counted from the end",
    parse: parseCount,
  },
  "--full": "show long outputs in full",
  "--tools <detail>": {
    help: "how much of each tool call to show",
    choices: ["full", "brief", "none"],
  },
  "--answer": {
    help: "print only the text of the last answer, or with REF#12 of the answer to prompt 12",
    conflicts: ["last", "follow", "json", "events", "threads"],
  },
  "--follow": "show new events as they arrive, until ^C",
  "--json": "print each message and call as one line of JSON",
  "--events": { help: "print each event as one line of JSON, as stored", conflicts: ["json"] },
  "--thread <id>": "use this branch or subagent of the session (same as REF~ID)",
  "--threads": "list the session's branches and subagents",
  ...IDENTITY_FLAG,
  ...PAGE_FLAGS,
} as const satisfies Flags;

export type ShowFlags = FlagsOf<typeof SHOW_FLAGS>;

export interface ShownSession {
  source: SessionHandle;
  /** The session's last events. Undefined while following, or if the whole session is read. */
  end?: readonly LogEvent[];
  /** False if only the session's end is read and its event numbers are unknown. */
  numbered: boolean;
  /** The session's other threads, if they are known without reading the whole session. */
  others?: readonly ThreadSummary[];
}

/**
 * Finds the event that a reference names. Reads only the session's end if that is enough.
 *
 * @throws {SessionError} `not-found`, `ambiguous`, and the errors of reading the session
 */
export async function shownSession(
  opened: SessionHandle,
  flags: ShowFlags,
  report: Report,
): Promise<ShownSession> {
  const { last, follow, thread = opened.thread } = flags;
  const is_named = opened.record !== undefined || opened.seq !== undefined;
  if (opened.has_long_end && thread === undefined) {
    const named = is_named && !follow ? await opened.readEndAtPlace({ report }) : undefined;
    if (named !== undefined) return shownEnd(opened.at({ seq: named.seq }), named);
    if (!is_named && last !== undefined) {
      if (follow) return { source: opened, numbered: false };
      return shownEnd(opened, await opened.readEnd({ report, messages: last }));
    }
  }
  return { source: await opened.atEvent(), numbered: true };
}

function shownEnd(
  source: SessionHandle,
  { events, numbered, threads }: SessionTail,
): ShownSession {
  return present({ source, end: events, numbered, others: threads });
}

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
    const names = 'lines have no "seq"; use REF@ID with their "id"';
    const how = `to read the whole session, with event numbers: ${all}`;
    return await say(context, `Only the end of the session was read: ${names}; ${how}`);
  }
  if (for_programs || thread !== undefined) return;
  if ((numbered && end === undefined) || others !== undefined) {
    return await tellOthers(context, source, "show", others);
  }
  const left_out = numbered
    ? "branches and subagents were not counted"
    : "event numbers, branches and subagents are unknown until the whole file is read";
  const see = `to see them: reprise show ${ref} --threads`;
  await say(context, `Only the end of the session was read: ${left_out}; ${see}`);
}
