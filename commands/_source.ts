/**
 * What a reference leads to: a session that can be read, wherever it is kept.
 */
import { basename, dirname, join, resolve } from "node:path";
import type { LogEvent } from "../lib/event/envelope.ts";
import type { EventKind } from "../lib/event/payload.ts";
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
import { readLogEdges } from "../lib/session/read_summary.ts";
import { LOG_FILE, type SessionFolder } from "../lib/session/session_folder.ts";
import { parseFolderName } from "../lib/session/session_id.ts";
import { openStore, type SessionStore } from "../lib/session/session_store.ts";
import { verifyLog } from "../lib/session/verify_log.ts";
import type { SourceAccount } from "../lib/agents/agent.ts";
import { AGENT_NAMES, type AgentName } from "../lib/event/agent_name.ts";
import { dataRoot } from "../lib/workspace/data_root.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";

/** How to read the events of a source. */
export interface SourceOptions {
  needs?: ReadonlySet<EventKind>;
  report?: Report;
  signal?: AbortSignal;
  /** Of another agent's session: a record on the branch to read. */
  branch?: string;
  /** Of another agent's session: filled while reading. */
  account?: SourceAccount;
  /** Of a log: filled while reading. */
  tally?: ByteTally;
}

/** What a source is made of, by what it is: of a log of ours, or of another agent's source. */
export type SourceTally = ByteTally | SourceAccount;

/** A session that can be read. */
export interface SessionSource {
  /** How messages name it. */
  ref: string;
  path: string;
  /** Its id, where it is one of the store's: then it can be gone on with. */
  id?: string;
  /** The event that the reference names. */
  seq?: number;
  summary(exact?: boolean): Promise<Summary>;
  events(options?: SourceOptions): AsyncIterable<readonly LogEvent[]>;
  /** The events of at least so many last messages, where the format lets a reader work from the end. */
  tail?(messages: number, options?: SourceOptions): Promise<readonly LogEvent[]>;
  conversation(
    options: Omit<ConversationOptions, "partial"> & { report?: Report; branch?: string },
  ): Promise<Conversation>;
  /** Reports all that is wrong; says what every byte or row is. */
  verify(report: Report): Promise<SourceTally>;
  /** Of another agent's session: the files that hold it alone; none where a database holds it. */
  files?(): Promise<string[]>;
  /** The command line that goes on with it in its own agent. */
  resumeCommand?(): readonly string[] | undefined;
}

/** Whether another agent keeps the session. */
export function isForeign({ resumeCommand }: SessionSource): boolean {
  return resumeCommand !== undefined;
}

/** Refuses to choose a branch where there is only one. */
export function assertBranches(source: SessionSource): void {
  if (isForeign(source)) return;
  throw new UsageError(
    "--branch is for other agents' sessions; those that Reprise keeps have none",
  );
}

/** The store of a command's environment. */
export function contextStore({ now, variable }: Context): SessionStore {
  const root = dataRoot(variable, Deno.build.os === "windows");
  return openStore(root === undefined ? { now } : { now, root });
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
    events: ({ needs, branch: _, ...options } = {}) =>
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
 * @param damaged Whether a path may lead to what is no log any more: to verify or repair it.
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
    const message = `Cannot change session "${ref}": another agent keeps it`;
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
  if (!isOwnLog(head)) {
    const { recognizeForeign } = await import("./_foreign.ts");
    const foreign = await recognizeForeign(context, path, head);
    if (foreign !== undefined) return foreign;
    if (!damaged) throw unknownSource(path);
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

function logPath(path: string): string {
  try {
    return Deno.statSync(path).isDirectory ? join(path, LOG_FILE) : path;
  } catch {
    // Not there: opening it says so.
    return path;
  }
}
