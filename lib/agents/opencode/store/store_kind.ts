/**
 * Recognizes which of OpenCode's stores a file is. Its first bytes decide; only if they cannot, its
 * name does.
 */
import { openToRead } from "../../../log/byte_source.ts";
import { toSessionError } from "../../../log/io_error.ts";
import { readWhole } from "../../../log/read_whole.ts";
import { parseCell } from "../../../reading/sqlite/json_cell.ts";
import { isSqlite } from "../../../reading/sqlite/sqlite_file.ts";
import { isSessionJson } from "./session_json.ts";

/** A database, the file of a session in the folder of JSON files, or an export. */
export type StoreKind = "database" | "storage" | "export";

const HEAD_BYTES = 64 * 1024;
const EXPORT = /^\ufeff?\s*\{\s*"(info|messages)"\s*:\s*[{[]/;
const EXPORT_FIELDS = /"(projectID|directory|sessionID)"\s*:/;
/** `session/<project>/<session>.json`, and before that `session/info/<session>.json`. */
const STORAGE_NAME = /[\\/]session[\\/][^\\/]+[\\/]ses_[^\\/]+\.json$/;

/** What a file is that is known to be OpenCode's. */
export function storeKind(path: string): StoreKind {
  const kind = kindOfHead(path, readHead(path));
  if (kind !== undefined) return kind;
  if (path.endsWith(".db")) return "database";
  return STORAGE_NAME.test(path) ? "storage" : "export";
}

/** What the file may be; undefined when it is none. Whether a database is OpenCode's it does not tell. */
export function kindOfHead(path: string, head: Uint8Array): StoreKind | undefined {
  if (isSqlite(head)) return "database";
  const text = new TextDecoder().decode(head);
  if (EXPORT.test(text) && EXPORT_FIELDS.test(text)) return "export";
  const parsed = parseCell(text);
  if ("value" in parsed) return isSessionJson(parsed.value) ? "storage" : undefined;
  return STORAGE_NAME.test(path) && /^\s*\{/.test(text) ? "storage" : undefined;
}

function readHead(path: string): Uint8Array {
  try {
    using file = openToRead(path);
    return readWhole(file, new Uint8Array(HEAD_BYTES));
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}
