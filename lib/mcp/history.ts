/** The sessions that the tools answer from, and the facts about the client. */
import type { Library } from "../library/library.ts";
import type { Summary } from "../projection/summary_row.ts";
import { markedTitle } from "../render/integrity_mark.ts";
import { cutText } from "../render/text_width.ts";
import { utcMinute } from "../render/time_label.ts";
import { OpenWindows } from "./open_windows.ts";
import { type Quotation, quotation } from "./quotation.ts";
import { type ServedOptions, ServedSessions } from "./served_sessions.ts";

/** What the tools answer from. */
export interface HistoryOptions extends ServedOptions {
  /** False to leave secrets in what is quoted. */
  redacts: boolean;
  /** The id of the session that started the server, as its agent says. */
  caller?: string;
  /** The time now. */
  now(): Date;
  /**
   * Reads a time as a person writes it.
   *
   * @throws {Error} That says what may be given.
   */
  parseSince(text: string): Date;
}

/** The history of coding sessions, as it is served to one client. */
export interface History extends HistoryOptions {
  library: Library;
  sessions: ServedSessions;
  windows: OpenWindows;
  quote: Quotation;
}

/** One request of a client. */
export interface Request {
  /** Ids of the sessions that may have made it: they hold it already. */
  callers: ReadonlySet<string>;
  /** Aborted when nobody waits for the answer. */
  signal: AbortSignal;
}

/** Opens the history. */
export function openHistory(library: Library, options: HistoryOptions): History {
  return {
    ...options,
    library,
    sessions: new ServedSessions(library, options),
    windows: new OpenWindows(),
    quote: quotation(options.redacts),
  };
}

/** Columns of a title: it is there to be known again. */
const WIDEST_TITLE = 80;
/** A session that changed so lately may be the caller's, whoever writes it. */
const LATELY_MS = 2 * 60_000;

/** True for a session that somebody may be working in. */
export function mayBeOpen(
  { now }: History,
  { status, updated_at = "" }: Pick<Summary, "status" | "updated_at">,
): boolean {
  return status === "running" || now().getTime() - Date.parse(updated_at) < LATELY_MS;
}

/** The facts of a session, after its name: time, state and title. */
export function sessionFacts(history: History, { callers }: Request, summary: Summary): string {
  const { quote, all } = history;
  const { updated_at, status, title, altered, cwd, session_id } = summary;
  const open = status === "running" ? "(open now)" : status;
  const state = callers.has(session_id) ? "(this session)" : open;
  const where = all && cwd !== undefined ? [quote.line(cwd)] : [];
  const when = updated_at === undefined ? "-" : utcMinute(updated_at);
  return [when, state, ...where, cutText(markedTitle(quote.line(title), altered), WIDEST_TITLE)]
    .join("  ");
}
