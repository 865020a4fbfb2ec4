/**
 * Locates Factory Droid's sessions: `sessions/<slug of the directory>/<id>.jsonl` (0.226). A
 * sub-agent's file is in the same folder as its caller's, and names the caller in its first line.
 */
import { basename, dirname, join } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import { isoTime } from "../engine/events/iso_time.ts";
import { statSync } from "../../core/platform/files.ts";
import { listFolder } from "../engine/files/folder.ts";
import { asName, present } from "../engine/json.ts";
import { readHeadRecords } from "../engine/records/file_edges.ts";
import type { AgentSession, LocateOptions } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { NO_FACTS } from "../contract/located_facts.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";

export interface DroidHead {
  id?: string;
  cwd?: string;
  title?: string;
  /** The first timestamp in the records. The first line has none. */
  created_at?: string;
  /** The id of the session that was compacted or forked into this one. */
  parent?: string;
  /** The id of the session whose call started this one. */
  caller?: string;
}

/** Finds sessions. Skips a sub-agent's session unless `subagents` is set or its caller is gone. */
export async function* locateDroid(
  { folder }: AgentPlace,
  { subagents = false, facts = NO_FACTS }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  for (const { path, isDirectory } of listFolder(join(folder, "sessions"))) {
    const files = isDirectory ? sessionFiles(path) : [];
    const ids = new Set(files.map(idInName));
    for (const path of files) {
      const head = await facts.recall([path], () => headOrNone(path));
      if (!subagents && head.caller !== undefined && ids.has(head.caller)) continue;
      yield present({ agent: "droid", id: idInName(path), path, cwd: head.cwd });
    }
  }
}

/** Returns facts at a file's start. Empty if unreadable, because a later read reports the error. */
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

/**
 * A cache by folder: the paths of sub-agents' files, by the id of the calling session. Statistics
 * look up the sub-agents of every session.
 */
const started = new Map<string, { state: string; by_caller: Map<string, string[]> }>();

function startedIn(folder: string): Map<string, string[]> {
  const files = sessionFiles(folder);
  const state = `${files.length} ${statSync(folder).mtime?.getTime()}`;
  const known = started.get(folder);
  if (known?.state === state) return known.by_caller;
  const heads = files.map((path) => ({ path, ...headOrNone(path) }));
  const by_caller = new Map<string, string[]>();
  for (const { path, caller } of heads) {
    if (caller !== undefined) by_caller.set(caller, [...by_caller.get(caller) ?? [], path]);
  }
  // A head that is being written changes without its folder.
  const are_whole = heads.every(({ id, created_at }) =>
    id !== undefined || created_at !== undefined
  );
  if (are_whole) started.set(folder, { state, by_caller });
  return by_caller;
}

/**
 * Returns all sub-agents below a session, each after the session that started it. Values are the
 * ids of the threads that started them.
 */
export function subagentsOf(session: AgentSession): Map<AgentSession, string> {
  const by_caller = startedIn(dirname(session.path));
  const found = new Map<AgentSession, string>();
  const seen = new Set([session.id]);
  const take = (owner: string, thread: string): void => {
    for (const path of by_caller.get(owner) ?? []) {
      const id = idInName(path);
      if (seen.has(id)) continue;
      seen.add(id);
      found.set({ agent: "droid", id, path }, thread);
      take(id, id);
    }
  };
  take(session.id, MAIN_THREAD);
  return found;
}
