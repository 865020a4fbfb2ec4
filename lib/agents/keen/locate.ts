/**
 * Locates Keen Code's sessions: a folder for each below `sessions/<working directory>`.
 *
 * Keen Code 0.38.1, internal/session/path.go: the folder of a working directory is `<slug>-<first
 * 10 hex of the SHA-1 of its path>`. The path is as the shell spells it: the same directory through
 * a symbolic link has another folder.
 */
import type { Json } from "../../reading/json_value.ts";
import { basename, dirname, join } from "node:path";
import { isoTime } from "../../reading/events/iso_time.ts";
import { listFolder } from "../../reading/files/folder.ts";
import { type FolderMatch, folderMatch, spellings } from "../../reading/files/folder_match.ts";
import { readEdges, recordsIn } from "../../reading/records/file_edges.ts";
import type { AgentSession, LocateOptions } from "../../source/agent.ts";
import type { AgentPlace } from "../../source/agent_environment.ts";
import { pathDigest } from "../../workspace/namespace.ts";
import { type KeenEvent, keenFault } from "./keen_event.ts";

export async function* locateKeen(
  place: AgentPlace,
  { cwd }: LocateOptions = {},
): AsyncGenerator<AgentSession> {
  const match = cwd === undefined ? undefined : folderMatch(cwd);
  for (const { name, path, isDirectory } of listFolder(join(place.folder, "sessions"))) {
    if (!isDirectory) continue;
    const sessions = sessionsBelow(path);
    const spelling = cwd === undefined
      ? undefined
      : spellings(cwd).find((one) => name.endsWith(`-${pathDigest(one)}`));
    // Another digest may be of another spelling of the same directory: only the headers tell.
    if (spelling === undefined && match !== undefined && !mayHold(sessions, match)) continue;
    for (const session of sessions) {
      yield spelling === undefined ? session : { ...session, cwd: spelling };
    }
  }
}

function sessionsBelow(namespace: string): AgentSession[] {
  return listFolder(namespace).flatMap(({ name: id, path, isDirectory }): AgentSession[] => {
    if (!isDirectory) return [];
    const log = listFolder(path).find(({ name, isFile }) => isFile && name === LOG_NAME);
    return log === undefined ? [] : [{ agent: "keen", id, path: log.path }];
  });
}

/**
 * True if the sessions may be of the directory. All of a namespace have one, so the first header
 * decides.
 */
function mayHold(sessions: readonly AgentSession[], match: FolderMatch): boolean {
  for (const { path } of sessions) {
    const cwd = readHeader(path)?.cwd;
    if (cwd !== undefined) return match(cwd);
  }
  return true;
}

// A session of Keen Code: `<namespace>/<session id>/transcript_events.jsonl`.
//
// Keen Code 0.38.1, internal/session/path.go, store.go `summarize`.

export const LOG_NAME = "transcript_events.jsonl";

interface KeenHeader {
  id?: string | undefined;
  cwd?: string | undefined;
  created_at?: string | undefined;
}

/** Folder names of sessions. */
const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The header is the first line. Where that is lost, a later one still counts. */
const HEADER_BYTES = 16 * 1024;

export function toHeader(value: Json): KeenHeader | undefined {
  if (value.kind !== "session_started" || keenFault(value) !== undefined) return undefined;
  const { session_started } = value as KeenEvent;
  if (!session_started) return undefined;
  return {
    id: session_started.session_id || undefined,
    cwd: session_started.cwd || undefined,
    created_at: isoTime(session_started.created_at),
  };
}

/** Reads the first header near the start of a log. */
export function readHeader(path: string): KeenHeader | undefined {
  for (const line of readEdges(path, { head_bytes: HEADER_BYTES, tail_bytes: 0 }).head) {
    for (const { value } of recordsIn([line])) {
      const header = toHeader(value);
      if (header !== undefined) return header;
    }
  }
  return undefined;
}

/** Returns the session in a file. Its folder has the id, unless it was copied elsewhere. */
export function sessionAt(path: string): AgentSession {
  const folder = basename(dirname(path));
  const id = SESSION_ID.test(folder) ? folder : readHeader(path)?.id ?? folder;
  return { agent: "keen", id, path };
}
