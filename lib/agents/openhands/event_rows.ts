/** Reads a conversation's files as rows: one row `{base}`, then a row `{event}` for each event. */
import { basename } from "node:path";
import { readShortText, RECORDS_BYTES } from "../../core/file/short_file.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import type { RecordSink } from "../engine/records/source_record.ts";
import type { SessionRow, SessionRows } from "../engine/sources/row_source.ts";
import { parseCell } from "../engine/sqlite/json_cell.ts";
import { count } from "../contract/source_account.ts";
import { BASE_STATE, filesOf } from "./conversation_files.ts";

/**
 * Opens the files of a conversation. Each file is one row.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`
 */
export function openFiles(session: { path: string }): SessionRows {
  const files = filesOf(session);
  return {
    count: files.length,
    at(number, sink): SessionRow | undefined {
      const value = readObject(files[number] ?? "", number, sink);
      if (value === undefined) return undefined;
      const name = basename(files[number] ?? "") === BASE_STATE ? "base" : "event";
      return { value: { [name]: value.object }, size: value.size };
    },
    [Symbol.dispose](): void {},
  };
}

/** Returns the object in a file. If there is none, reports it and counts the file as damage. */
function readObject(
  path: string,
  number: number,
  { report, account }: RecordSink,
): { object: Record<string, unknown>; size: number } | undefined {
  let text: string;
  try {
    text = readShortText(path, RECORDS_BYTES);
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
  const parsed = parseCell(text);
  if ("value" in parsed) return { object: parsed.value, size: text.length };
  const detail = `file ${path} ${parsed.detail}`;
  report?.({ code: parsed.code, offset: number, length: 1, line: number + 1, detail });
  count(account, "damage", 1);
  return undefined;
}
