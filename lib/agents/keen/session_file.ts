/**
 * A session of Keen Code: `<namespace>/<session id>/transcript_events.jsonl`.
 *
 * Keen Code 0.38.1, internal/session/path.go, store.go `summarize`.
 */
import { basename, dirname } from "node:path";
import type { AgentSession } from "../../source/agent.ts";
import { readEdges, recordsIn } from "../../reading/records/file_edges.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { type KeenEvent, keenFault } from "./keen_event.ts";

export const LOG_NAME = "transcript_events.jsonl";

/** What the head of a session tells. */
export interface KeenHeader {
  id?: string | undefined;
  cwd?: string | undefined;
  created_at?: string | undefined;
}

/** Folder names of sessions. */
const SESSION_ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
/** The header is the first line. Where that is lost, a later one still counts. */
const HEADER_BYTES = 16 * 1024;

/** Reads a record as a header. */
export function toHeader(value: Readonly<Record<string, unknown>>): KeenHeader | undefined {
  if (value.kind !== "session_started" || keenFault(value) !== undefined) return undefined;
  const { session_started } = value as KeenEvent;
  if (!session_started) return undefined;
  return {
    id: session_started.session_id || undefined,
    cwd: session_started.cwd || undefined,
    created_at: isoTime(session_started.created_at),
  };
}

/** The first header near the start of a log. */
export function readHeader(path: string): KeenHeader | undefined {
  for (const line of readEdges(path, { head_bytes: HEADER_BYTES, tail_bytes: 0 }).head) {
    for (const { value } of recordsIn([line])) {
      const header = toHeader(value);
      if (header !== undefined) return header;
    }
  }
  return undefined;
}

/** The session in a file; its folder tells the id, unless it was copied elsewhere. */
export function sessionAt(path: string): AgentSession {
  const folder = basename(dirname(path));
  const id = SESSION_ID.test(folder) ? folder : readHeader(path)?.id ?? folder;
  return { agent: "keen", id, path };
}
