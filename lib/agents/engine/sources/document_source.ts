/** Reads a file that is one JSON document as a source of records. */
import { isDeeperThan, MAX_DEPTH } from "../../../core/event/decode.ts";
import { isObject } from "../../../core/event/guard.ts";
import { readShortFile } from "../../../core/file/short_file.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { count } from "../../contract/source_account.ts";
import { type Json, parsedObject } from "../json.ts";
import { keepExactMembers } from "../records/exact_members.ts";
import { parseJsonPrefix } from "../records/head_records.ts";
import { parseRecords, type RecordSink, type SourceRecord } from "../records/source_record.ts";
import type { RewrittenSource } from "./record_source.ts";

/**
 * Makes the source of a JSON document. The document is one record, unless it is damaged.
 *
 * @param partsOf Returns the records within the document. By default the document is the record.
 */
export function documentSource(
  path: string,
  partsOf?: (document: readonly SourceRecord[]) => readonly SourceRecord[],
): RewrittenSource {
  return {
    rewritten: true,
    *read({ report, account } = {}): Generator<readonly SourceRecord[]> {
      const document = readJsonDocument(path, { report, account });
      if (partsOf === undefined) return yield document;
      for (const { position } of document) count(account, "events", position.length);
      yield partsOf(document).map((record) => ({ ...record, part: record.part ?? 0 }));
    },
  };
}

// Reads a file that is one JSON document, as one record held in memory. Text before or after the
// document is tolerated, as in a line.

const decoder = new TextDecoder();
const LARGEST_DOCUMENT = 256 * 1024 * 1024;

/**
 * Returns the document's object, or all readable objects of a damaged document.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function readJsonDocument(path: string, sink: RecordSink = {}): SourceRecord[] {
  const bytes = readBytes(path);
  const line = { offset: 0, length: bytes.length, line: 1, terminated: true, oversized: false };
  const records: SourceRecord[] = [];
  if (bytes.length > 0) parseRecords({ bytes: oneLine(bytes), ...line }, records, sink);
  return records;
}

export interface CutDocument {
  /** The parsed object. Undefined if the text is no JSON object, or is nested too deeply. */
  value: Json | undefined;
  length: number;
  /** True if the end of the document is missing. */
  salvaged: boolean;
}

/**
 * Reads a JSON document and counts its bytes. If the end is missing, the beginning is read, because
 * the agent may be rewriting the file.
 *
 * @param list Name of the member that holds a top-level list in the result. Only values of members
 * keep exact numbers.
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function readCutDocument(
  path: string,
  list: string,
  { report, account }: RecordSink = {},
): CutDocument {
  const bytes = readBytes(path);
  const { length } = bytes;
  const found = decoder.decode(bytes);
  const is_list = found.trimStart().startsWith("[");
  const open = is_list ? `{"${list}":${found}` : found;
  const text = is_list ? `${open}}` : open;
  const whole = parsedObject(text);
  const value = whole ?? parseJsonPrefix(open);
  const fault = found.trim() === "" ? undefined : faultOf(value, whole !== undefined);
  count(account, fault !== undefined ? "damage" : whole === undefined ? "blank" : "events", length);
  if (fault !== undefined) report?.({ ...fault, offset: 0, length, line: 1 });
  if (fault?.code === "too-deep" || !isObject(value)) {
    return { value: undefined, length, salvaged: false };
  }
  if (whole !== undefined) keepExactMembers(value, text);
  return { value, length, salvaged: whole === undefined };
}

function faultOf(
  value: unknown,
  is_whole: boolean,
): { code: "malformed-line" | "torn-tail" | "too-deep"; detail: string } | undefined {
  if (!isObject(value)) return { code: "malformed-line", detail: "the file is not JSON" };
  if (isDeeperThan(value, MAX_DEPTH)) {
    return { code: "too-deep", detail: `the file has more than ${MAX_DEPTH} nested levels` };
  }
  return is_whole ? undefined : { code: "torn-tail", detail: "the end of the file is missing" };
}

/** Returns the bytes with spaces for newlines. In JSON, newlines only occur between values. */
function oneLine(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => byte === 0x0a || byte === 0x0d ? 0x20 : byte);
}

function readBytes(path: string): Uint8Array {
  try {
    return readShortFile(path, LARGEST_DOCUMENT, { what: "session" });
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}
