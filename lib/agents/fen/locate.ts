import { asName, type Json } from "../engine/json.ts";
import { basename, join } from "node:path";
import { isoTime } from "../engine/events/iso_time.ts";
import { type FolderEntry, folders, listFolder } from "../engine/files/folder.ts";
import { readEdges, recordsIn } from "../engine/records/file_edges.ts";
import type { AgentSession } from "../contract/agent.ts";
import type { AgentPlace } from "../contract/agent_environment.ts";

export async function* locateFen(
  place: AgentPlace,
): AsyncGenerator<AgentSession> {
  for (const folder of folders(join(place.folder, "sessions"))) {
    for (const { path } of listFolder(folder).filter(isSession)) yield sessionAt(path);
  }
}

function isSession({ name, isFile }: FolderEntry): boolean {
  return isFile && isSessionName(name);
}

// A session file of fen: its name, its header, and where fen keeps it.
//
// fen 0.17.0, extensions/adapters/session-backends/jsonl/session.fnl: `cwd-slug`, `sessions-root`,
// `id-from-path`, `header`.

interface FenHeader {
  id?: string | undefined;
  cwd?: string | undefined;
  created_at?: string | undefined;
}

/** Matches a session's file name, `<UTC time>_<id>.jsonl`. */
const FILE_NAME = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)_([A-Za-z0-9-]+)\.jsonl$/;
/** Number of bytes read for the header, a short line whose longest value is a directory's path. */
const HEADER_BYTES = 8 * 1024;

/** Returns a working directory's folder name. `/a/b-c` and `/a-b/c`, for example, share one. */
export function fenSlug(cwd: string): string {
  return `--${cwd.replace(/^\//, "").replaceAll("/", "-")}--`;
}

/** True for a session's file name, but not for a backup by `fen session doctor --repair`. */
function isSessionName(name: string): boolean {
  return name.endsWith(".jsonl") && !name.endsWith(".repaired.jsonl");
}

export function toHeader(value: Json): FenHeader | undefined {
  if (value.type !== "session") return undefined;
  return { id: asName(value.id), cwd: asName(value.cwd), created_at: isoTime(value.timestamp) };
}

function readHeader(path: string): FenHeader | undefined {
  const { head } = readEdges(path, { head_bytes: HEADER_BYTES, tail_bytes: 0 });
  const [first] = recordsIn(head.slice(0, 1));
  return first === undefined ? undefined : toHeader(first.value);
}

/** Returns the session in a file. Its id is in the name or, in a renamed file, in the header. */
export function sessionAt(path: string): AgentSession {
  const name = basename(path);
  const id = FILE_NAME.exec(name)?.[2] ?? readHeader(path)?.id ?? name.replace(/\.jsonl$/, "");
  return { agent: "fen", id, path };
}

export function timeInName(path: string): string | undefined {
  return isoTime(FILE_NAME.exec(basename(path))?.[1]);
}
