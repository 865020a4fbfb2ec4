/** The sessions served to a client, their cached windows, and facts about each request. */
import type { Library } from "../../library/library.ts";
import type { RunningSession } from "../../library/running/running_sessions.ts";
import { doingText } from "../../text/render/running_table.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { markedTitle } from "../../text/render/integrity_mark.ts";
import { cutText } from "../../text/render/text_width.ts";
import { utcMinute } from "../../text/render/time_label.ts";
import { type Quotation, quotation } from "./quotation.ts";
import { type ServedOptions, ServedSessions } from "./served_sessions.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import { LeavingWindows } from "../../library/handle/window/leaving_windows.ts";
import { openWindow, type SessionWindow } from "../../library/handle/window/session_window.ts";
import { statFile } from "../../core/file/regular_file.ts";

/** Maximum number of cached windows. Each may hold some megabytes of memory. */
const MOST_KEPT = 4;

interface Kept {
  window: SessionWindow;
  state: string;
}

/** A cache of the last used windows. Opens a new window if the session's file has changed. */
export class OpenWindows {
  readonly #kept = new Map<string, Kept>();
  readonly #leaving = new LeavingWindows();
  #using = 0;
  #used = Promise.withResolvers<void>();

  /** Runs a task that uses windows. Windows load items in advance only while a task runs. */
  async use<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#using++;
    this.#used.resolve();
    try {
      return await task();
    } finally {
      if (--this.#using === 0) this.#used = Promise.withResolvers();
    }
  }

  of(handle: SessionHandle): SessionWindow {
    const key = JSON.stringify([handle.agent, handle.path, handle.id, handle.thread]);
    const state = stateOf(handle.path);
    const known = this.#kept.get(key);
    this.#kept.delete(key);
    if (known !== undefined && known.state !== state) this.#leaving.add(known.window);
    const kept = known?.state === state ? known : { window: this.#open(handle), state };
    this.#kept.set(key, kept);
    for (const [oldest, { window }] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT) break;
      this.#leaving.add(window);
      this.#kept.delete(oldest);
    }
    return kept.window;
  }

  #open(handle: SessionHandle): SessionWindow {
    return openWindow(handle, { uses_cuts: true, between: () => this.#used.promise });
  }

  close(): void {
    for (const { window } of this.#kept.values()) window.close();
    this.#kept.clear();
    this.#leaving.close();
    // What waits to read on sees that it was closed.
    this.#used.resolve();
  }
}

function stateOf(path: string): string {
  try {
    const { size, mtime } = statFile(path);
    return `${size} ${mtime?.getTime()}`;
  } catch {
    // It is gone: reading it tells why.
    return "gone";
  }
}

export interface HistoryOptions extends ServedOptions {
  /** False to keep secrets in quotations. */
  redacts: boolean;
  /** The id of the session that started the server, if its agent gives it. */
  caller?: string | undefined;
  now(): Date;
  /**
   * Parses a time as a person writes it.
   *
   * @throws {Error} The message says which forms are accepted.
   */
  parseSince(text: string): Date;
  parseUntil(text: string): Date;
}

export interface History extends HistoryOptions {
  library: Library;
  sessions: ServedSessions;
  windows: OpenWindows;
  quote: Quotation;
}

export interface Request {
  /** Ids of sessions that may have made the request. Searches leave these sessions out. */
  callers: ReadonlySet<string>;
  signal: AbortSignal;
}

export function openHistory(library: Library, options: HistoryOptions): History {
  return {
    ...options,
    library,
    sessions: new ServedSessions(library, options),
    windows: new OpenWindows(),
    quote: quotation(options.redacts),
  };
}

/** Maximum number of columns of a title: it only helps to recognize a session. */
const WIDEST_TITLE = 80;
/** The time since an update, in milliseconds, within which a session may still be open. */
const LATELY_MS = 2 * 60_000;

export function mayBeOpen(
  { now }: History,
  { status, updated_at = "" }: Pick<Summary, "status" | "updated_at">,
): boolean {
  return status === "running" || now().getTime() - Date.parse(updated_at) < LATELY_MS;
}

/**
 * Renders the facts after a session's name: time, state and title.
 *
 * @param waiting The session, if it waits for its user.
 */
export function sessionFacts(
  history: History,
  { callers }: Request,
  summary: Summary,
  waiting?: RunningSession,
): string {
  const { quote, all } = history;
  const { updated_at, status, title, altered, cwd, session_id, tags = [] } = summary;
  const waits = waiting === undefined
    ? ""
    : `: ${cutText(quote.line(doingText(waiting)), WIDEST_TITLE)}`;
  const open = status === "running" ? `(open now${waits})` : status;
  const state = callers.has(session_id) ? "(this session)" : open;
  const where = all && cwd !== undefined ? [quote.line(cwd)] : [];
  const when = updated_at === undefined ? "-" : utcMinute(updated_at);
  const named = tags.map((tag) => `#${quote.line(tag)}`);
  const shown = cutText(markedTitle(quote.line(title), altered), WIDEST_TITLE);
  return [when, state, ...where, ...named, shown].join("  ");
}
