/**
 * Locates Factory Droid's sessions: `sessions/<slug of the directory>/<id>.jsonl` (0.226). A
 * sub-agent's session lies beside that of its caller, and names it in its first line.
 */
import { basename, dirname, join } from "node:path";
import { SessionError } from "../../event/session_error.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { listFolder } from "../../reading/files/folder.ts";
import { folderMatch } from "../../reading/files/folder_match.ts";
import { asName, present } from "../../reading/json_value.ts";
import { readHeadRecords } from "../../reading/records/file_edges.ts";
import type { AgentSession, LocateOptions } from "../../source/agent.ts";
import type { AgentPlace } from "../../source/agent_environment.ts";
import { NO_FACTS } from "../../source/located_facts.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";

/** The facts at the start of a session's file. */
export interface DroidHead {
  id?: string;
  cwd?: string;
  title?: string;
  /** The first time in the records: the first line has none. */
  created_at?: string;
  /** The session that was compacted into this one, or forked. */
  parent?: string;
  /** The session whose call started this one. */
  caller?: string;
}

/** Finds the sessions, and those of sub-agents where they are wanted. */
export async function* locateDroid(
  { folder }: AgentPlace,
  { cwd, subagents = false, facts = NO_FACTS }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const match = cwd === undefined ? undefined : folderMatch(cwd);
  for (const { path, isDirectory } of listFolder(join(folder, "sessions"))) {
    const files = isDirectory ? sessionFiles(path) : [];
    const ids = new Set(files.map(idInName));
    for (const path of files) {
      const head = await facts.recall([path], () => headOrNone(path));
      if (!subagents && head.caller !== undefined && ids.has(head.caller)) continue;
      if (match !== undefined && head.cwd !== undefined && !match(head.cwd)) continue;
      yield present({ agent: "droid", id: idInName(path), path, cwd: head.cwd });
    }
  }
}

/** Returns the head of a file; what cannot be read is told when the session is. */
function headOrNone(path: string): DroidHead {
  try {
    return readDroidHead(path);
  } catch (error) {
    if (error instanceof SessionError) return {};
    throw error;
  }
}

function sessionFiles(folder: string): string[] {
  return listFolder(folder).filter(({ name, isFile }) => isFile && name.endsWith(".jsonl"))
    .map(({ path }) => path);
}

export function idInName(path: string): string {
  return basename(path, ".jsonl");
}

/**
 * Reads the start of a session's file.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function readDroidHead(path: string): DroidHead {
  const values = readHeadRecords(path).map(({ value }) => value);
  const start = values.find(({ type }) => type === "session_start") ?? {};
  const time = values.map(({ timestamp }) => isoTime(timestamp)).find((one) => one !== undefined);
  const titles = [start.sessionTitle, start.title].map((one) => asName(one)?.trim());
  return present({
    id: asName(start.id),
    cwd: asName(start.cwd),
    title: titles.find((title) => title !== undefined && title !== "" && title !== "New Session"),
    created_at: time,
    parent: asName(start.parent),
    caller: asName(start.callingSessionId),
  });
}

/** A session of a sub-agent, and the thread that started it. */
export interface Subagent extends AgentSession {
  thread: string;
  parent: string;
}

/**
 * The callers in whole heads, by path; null for none. A head keeps its caller, and statistics ask for
 * the sub-agents of every session in a folder.
 */
const callers = new Map<string, string | null>();

function callerIn(path: string): string | null {
  const known = callers.get(path);
  if (known !== undefined) return known;
  const { id, caller = null } = headOrNone(path);
  if (id !== undefined) callers.set(path, caller);
  return caller;
}

/** Returns the sub-agents of a session and theirs, each behind the one that started it. */
export function subagentsOf(session: AgentSession): Subagent[] {
  const files = sessionFiles(dirname(session.path));
  const found = new Map<string, Subagent>();
  const take = (owner: string, parent: string): void => {
    for (const path of files) {
      const id = idInName(path);
      if (id === session.id || found.has(id) || callerIn(path) !== owner) continue;
      found.set(id, { agent: "droid", id, path, thread: id, parent });
      take(id, id);
    }
  };
  take(session.id, MAIN_THREAD);
  return [...found.values()];
}
