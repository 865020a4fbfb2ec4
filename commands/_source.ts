/**
 * What a reference leads to: a session that can be read, wherever it is kept.
 */
import { dirname, join, resolve } from "node:path";
import type { LogEvent } from "../lib/event/envelope.ts";
import { SessionError } from "../lib/event/session_error.ts";
import type { ByteTally, Report } from "../lib/log/diagnostic.ts";
import { readEvents } from "../lib/log/read_events.ts";
import { readHead } from "../lib/log/read_head.ts";
import type { Conversation, ConversationOptions } from "../lib/projection/conversation.ts";
import type { Summary } from "../lib/projection/summary_row.ts";
import { summarizeSession } from "../lib/session/list_sessions.ts";
import { loadConversation } from "../lib/session/load_session.ts";
import { isOwnLog } from "../lib/session/recognize_log.ts";
import { parseRef } from "../lib/session/ref.ts";
import { LOG_FILE } from "../lib/session/session_folder.ts";
import { openStore, type SessionStore } from "../lib/session/session_store.ts";
import { verifyLog } from "../lib/session/verify_log.ts";
import type { Context } from "./_context.ts";

/** How to read the events of a source. */
export interface SourceOptions {
  needs?: ReadonlySet<string>;
  report?: Report;
  signal?: AbortSignal;
}

/** A session that can be read. */
export interface SessionSource {
  /** How messages name it. */
  ref: string;
  path: string;
  /** The event that the reference names. */
  seq?: number;
  summary(exact?: boolean): Promise<Summary>;
  events(options?: SourceOptions): AsyncIterable<readonly LogEvent[]>;
  conversation(
    options: Omit<ConversationOptions, "partial"> & { report?: Report },
  ): Promise<Conversation>;
  /** Reports all that is wrong; says what every byte is. */
  verify(report: Report): Promise<ByteTally>;
}

/** The store of a command's environment. */
export function contextStore(context: Context): SessionStore {
  return openStore({ now: context.now });
}

function logSource(
  ref: string,
  path: string,
  summary: (exact?: boolean) => Promise<Summary>,
): SessionSource {
  return {
    ref,
    path,
    summary,
    events: ({ needs, ...options } = {}) =>
      readEvents(path, needs === undefined ? options : { ...options, kinds: needs }),
    conversation: (options) => loadConversation(path, options),
    verify: (report) => verifyLog(path, report),
  };
}

/**
 * The session that a reference names.
 *
 * @param damaged Whether a path may lead to what is no log any more: to verify or repair it.
 * @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`, `unsupported-source`
 */
export async function openSource(
  context: Context,
  ref: string,
  damaged = false,
): Promise<SessionSource> {
  const parsed = parseRef(ref);
  const seq = parsed.seq === undefined ? {} : { seq: parsed.seq };
  if (parsed.kind === "path") return { ...await openPath(context, parsed.path, damaged), ...seq };
  const store = contextStore(context);
  const folder = store.find(parsed.prefix, context.cwd);
  const summary = (exact?: boolean): Promise<Summary> => store.summarize(folder, exact);
  return { ...logSource(folder.session_id.slice(0, 8), folder.path, summary), ...seq };
}

/** The session in a file, or in the folder of one. */
async function openPath(
  context: Context,
  given: string,
  damaged: boolean,
): Promise<SessionSource> {
  const path = logPath(resolve(context.cwd, given));
  if (!isOwnLog(await readHead(path)) && !damaged) {
    const message = `Cannot read session: the file is of no known agent: ${path}`;
    throw new SessionError("unsupported-source", message, { path });
  }
  const folder = { directory: dirname(path), path, session_id: given, created_at: "" };
  return logSource(given, path, async (exact = false) => {
    const row = await summarizeSession(folder, new Map(), { exact });
    if (row !== undefined) return row;
    throw new SessionError("not-found", `Cannot find log: ${path}`, { path });
  });
}

function logPath(path: string): string {
  try {
    return Deno.statSync(path).isDirectory ? join(path, LOG_FILE) : path;
  } catch {
    // Not there: opening it says so.
    return path;
  }
}
