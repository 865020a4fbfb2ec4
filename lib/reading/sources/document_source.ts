/** A file that is one JSON document, as a source of records. */
import { readShortFile } from "../../file/short_file.ts";
import { toSessionError } from "../../log/io_error.ts";
import { count } from "../../source/source_account.ts";
import { parseRecords, type RecordSink, type SourceRecord } from "../records/source_record.ts";
import type { RewrittenSource } from "./record_source.ts";

/**
 * Makes the source of a document, which is one record unless it is damaged.
 *
 * @param partsOf Returns the records that the document holds, each a part of it.
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

// Reads a file that is one JSON document, as one record held in memory. Text before or behind the
// document is tolerated, as in a line.

const LARGEST_DOCUMENT = 256 * 1024 * 1024;

/**
 * Reads the objects of a document: one, unless it is damaged. Other JSON is counted and reported.
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

/**
 * Copies bytes without newlines: between values they mean nothing, inside of one they are escaped.
 */
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
