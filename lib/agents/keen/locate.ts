/**
 * Locates Keen Code's sessions: a folder for each below `sessions/<working directory>`.
 *
 * Keen Code 0.38.1, internal/session/path.go: the folder of a working directory is `<slug>-<first
 * 10 hex of the SHA-1 of its path>`. The path is as the shell spells it: the same directory through
 * a symbolic link has another folder.
 */
import type { Json } from "../engine/json.ts";
import { basename, dirname, join } from "node:path";
import { isoTime } from "../engine/events/iso_time.ts";
import { folders, listFolder } from "../engine/files/folder.ts";
import { readEdges, recordsIn } from "../engine/records/file_edges.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";
import { type KeenEvent, keenFault } from "./keen_event.ts";

export async function* locateKeen(
  place: AgentPlace,
): AsyncGenerator<AgentSession> {
  for (const path of folders(join(place.folder, "sessions"))) yield* sessionsBelow(path);
}

function sessionsBelow(namespace: string): AgentSession[] {
  return listFolder(namespace).flatMap(({ name: id, path, isDirectory }): AgentSession[] => {
    if (!isDirectory) return [];
    const log = listFolder(path).find(({ name, isFile }) => isFile && name === LOG_NAME);
    return log === undefined ? [] : [{ agent: "keen", id, path: log.path }];
  });
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

const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** Bytes to search for the header: the first line or, if that is lost, a later one. */
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

export function readHeader(path: string): KeenHeader | undefined {
  for (const line of readEdges(path, { head_bytes: HEADER_BYTES, tail_bytes: 0 }).head) {
    for (const { value } of recordsIn([line])) {
      const header = toHeader(value);
      if (header !== undefined) return header;
    }
  }
  return undefined;
}

/** Returns the session in a file. Its id is the folder's name or, in a copy, the header's id. */
export function sessionAt(path: string): AgentSession {
  const folder = basename(dirname(path));
  const id = SESSION_ID.test(folder) ? folder : readHeader(path)?.id ?? folder;
  return { agent: "keen", id, path };
}
