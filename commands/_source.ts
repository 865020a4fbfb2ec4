/**
 * What a reference leads to.
 */
import { basename, dirname, join, resolve } from "node:path";
import { AGENT_NAMES, type AgentName } from "../lib/event/agent_name.ts";
import { SessionError } from "../lib/event/session_error.ts";
import { readEvents } from "../lib/log/read_events.ts";
import { readHead } from "../lib/log/read_head.ts";
import type { Summary } from "../lib/projection/summary_row.ts";
import { exists } from "../lib/session/exists.ts";
import { summarizeSession } from "../lib/session/list_sessions.ts";
import { loadConversation } from "../lib/session/load_session.ts";
import { isJsonDocument, isOwnLog } from "../lib/session/recognize_log.ts";
import { parseRef } from "../lib/session/ref.ts";
import { readLogEdges } from "../lib/session/read_summary.ts";
import { LOG_FILE, type SessionFolder } from "../lib/session/session_folder.ts";
import { parseFolderName } from "../lib/session/session_id.ts";
import { verifyLog } from "../lib/session/verify_log.ts";
import type { Context } from "./_context.ts";
import type { SessionSource } from "./_session_source.ts";
import { contextStore } from "./_store.ts";

function logSource(
  ref: string,
  path: string,
  summary: (exact?: boolean) => Promise<Summary>,
): SessionSource {
  return {
    ref,
    path,
    summary,
    events: ({ needs, thread: _, ...options } = {}) =>
      readEvents(path, needs === undefined ? options : { ...options, kinds: needs }),
    conversation: (options) => loadConversation(path, options),
    verify: (report) => verifyLog(path, report),
  };
}

/** A session of the store that a list found. */
export function ownSource(row: Summary): SessionSource {
  return { ...logSource(row.ref, row.path, () => Promise.resolve(row)), id: row.session_id };
}

/**
 * The session that a reference names.
 *
 * @param damaged Whether a log's path may lead to what is no log any more: to verify or repair it.
 * @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`, `unsupported-source`
 */
export async function openSource(
  context: Context,
  ref: string,
  damaged = false,
): Promise<SessionSource> {
  const parsed = parseRef(ref, AGENT_NAMES);
  const seq = parsed.seq === undefined ? {} : { seq: parsed.seq };
  if (parsed.kind === "path") return { ...await openPath(context, parsed.path, damaged), ...seq };
  if (parsed.kind === "agent") {
    const { findForeign } = await import("./_foreign.ts");
    return { ...await findForeign(context, parsed.agent as AgentName, parsed.prefix), ...seq };
  }
  const store = contextStore(context);
  const folder = store.find(parsed.prefix, context.cwd);
  const summary = (exact?: boolean): Promise<Summary> => store.summarize(folder, exact);
  const id = folder.session_id;
  return { ...logSource(parsed.prefix, folder.path, summary), id, ...seq };
}

/** As {@linkcode openSource}, where no single event can be meant. */
export async function openWhole(
  context: Context,
  ref: string,
  damaged = false,
): Promise<SessionSource> {
  const source = await openSource(context, ref, damaged);
  if (source.seq !== undefined) throw notAnEvent(ref);
  return source;
}

/** The session of ours that a reference names, to change it. */
export function findOwn(context: Context, ref: string): SessionFolder {
  const { kind, seq } = parseRef(ref, AGENT_NAMES);
  if (seq !== undefined) throw notAnEvent(ref);
  if (kind === "agent") {
    const message = `Cannot change session "${ref}": another agent keeps it; ` +
      `to have a copy: reprise import ${ref}; to leave it out of lists: reprise archive ${ref}`;
    throw new SessionError("unsupported-source", message, { ref });
  }
  return contextStore(context).find(ref, context.cwd);
}

function notAnEvent(ref: string): SessionError {
  const message = `Cannot use reference "${ref}": give a session, not an event of one`;
  return new SessionError("invalid-ref", message, { ref });
}

/** The session in a file, or in the folder of one. */
async function openPath(
  context: Context,
  given: string,
  damaged: boolean,
): Promise<SessionSource> {
  const path = logPath(resolve(context.cwd, given));
  const head = await readHead(path);
  if (isJsonDocument(head)) throw jsonDocument(path);
  if (!isOwnLog(head)) {
    const { recognizeForeign } = await import("./_foreign.ts");
    const foreign = await recognizeForeign(context, path, head);
    if (foreign !== undefined) return foreign;
    // What is left of a log may hold no event; then its name alone tells what it was.
    if (!damaged || basename(path) !== LOG_FILE) throw unknownSource(path);
  }
  const folder = { directory: dirname(path), path, session_id: path, created_at: "" };
  return logSource(given, path, async (exact = false) => {
    const row = await summarizeSession(folder, new Map(), { exact });
    if (row !== undefined) return { ...row, session_id: sessionIdOf(path) };
    throw new SessionError("not-found", `Cannot find log: ${path}`, { path });
  });
}

/** The id of the session in a log: as its first event says, or else its folder's or file's name. */
function sessionIdOf(path: string): string {
  const { started } = readLogEdges(path).state;
  return started?.session_id ?? parseFolderName(basename(dirname(path)))?.session_id ??
    basename(path);
}

function unknownSource(path: string): SessionError {
  const message = `Cannot read session: the file is of no known agent: ${path}`;
  return new SessionError("unsupported-source", message, { path });
}

function jsonDocument(path: string): SessionError {
  const message = "Cannot read session: an export as json is for other programs; one that can be " +
    `read again: reprise export REF --format jsonl: ${path}`;
  return new SessionError("unsupported-source", message, { path });
}

function logPath(path: string): string {
  if (!isDirectory(path)) return path;
  const log = join(path, LOG_FILE);
  if (exists(log, "open log")) return log;
  const message = `Cannot read session: the directory is none of a session; name a file: ${path}`;
  throw new SessionError("unsupported-source", message, { path });
}

function isDirectory(path: string): boolean {
  try {
    return Deno.statSync(path).isDirectory;
  } catch {
    // Not there: opening it says so.
    return false;
  }
}
