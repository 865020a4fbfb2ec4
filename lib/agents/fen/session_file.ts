/**
 * A session file of fen: its name, its header, and where fen keeps it.
 *
 * fen 0.17.0, extensions/adapters/session-backends/jsonl/session.fnl: `cwd-slug`, `sessions-root`,
 * `id-from-path`, `header`.
 */
import { basename } from "node:path";
import type { AgentSession } from "../../source/agent.ts";
import { readEdges, recordsIn } from "../../reading/records/file_edges.ts";
import { isoTime } from "../../reading/events/iso_time.ts";
import { asName } from "../../reading/json_value.ts";

/** What fen says in the first line of a session. */
export interface FenHeader {
  id?: string | undefined;
  cwd?: string | undefined;
  created_at?: string | undefined;
}

/** `<UTC time>_<id>.jsonl` */
const FILE_NAME = /^(\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d)_([A-Za-z0-9-]+)\.jsonl$/;
/** The header is one short line; a working directory's path is the longest thing in it. */
const HEADER_BYTES = 8 * 1024;

/** The folder name of a working directory. Lossy: `/a/b-c` and `/a-b/c` share one. */
export function fenSlug(cwd: string): string {
  return `--${cwd.replace(/^\//, "").replaceAll("/", "-")}--`;
}

/** True if a file can be a session: what `fen session doctor --repair` writes beside one is none. */
export function isSessionName(name: string): boolean {
  return name.endsWith(".jsonl") && !name.endsWith(".repaired.jsonl");
}

/** Reads a record as a header. */
export function toHeader(value: Readonly<Record<string, unknown>>): FenHeader | undefined {
  if (value.type !== "session") return undefined;
  return { id: asName(value.id), cwd: asName(value.cwd), created_at: isoTime(value.timestamp) };
}

/** The header of a file, which is its first line or nowhere. */
export function readHeader(path: string): FenHeader | undefined {
  const { head } = readEdges(path, { head_bytes: HEADER_BYTES, tail_bytes: 0 });
  const [first] = recordsIn(head.slice(0, 1));
  return first === undefined ? undefined : toHeader(first.value);
}

/** The session in a file. Its name tells the id; a file that was renamed has it in its header. */
export function sessionAt(path: string): AgentSession {
  const name = basename(path);
  const id = FILE_NAME.exec(name)?.[2] ?? readHeader(path)?.id ?? name.replace(/\.jsonl$/, "");
  return { agent: "fen", id, path };
}

/** When a session began, as its file's name says. */
export function timeInName(path: string): string | undefined {
  return isoTime(FILE_NAME.exec(basename(path))?.[1]);
}
