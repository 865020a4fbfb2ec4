/**
 * A session that `opencode export` wrote: `{info, messages: [{info, parts}]}` (OpenCode 1.18.34,
 * src/cli/cmd/export.ts).
 */
import { basename } from "node:path";
import type { LinePosition } from "../../../core/event/envelope.ts";
import { openToRead } from "../../../core/log/byte_source.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { readWhole } from "../../../core/log/read_whole.ts";
import { type JsonCell, parseCell } from "../../engine/sqlite/json_cell.ts";
import { asList, asName, asObject, type Json } from "../../engine/json.ts";
import { count } from "../../contract/source_account.ts";
import type { RecordSink } from "../../engine/records/source_record.ts";
import type { OpenCodeSession, StoredMessage } from "../stored_session.ts";
import { indexIn } from "./database_session.ts";
import { findElements, type JsonElement } from "../../../core/log/json_bytes/find_elements.ts";
import { SeekMode } from "../../../core/platform/file_system.ts";
import { toSessionInfo } from "./session_row.ts";

/** Maximum bytes of a message. Longer messages are reported and skipped. */
const MAX_ELEMENT_BYTES = 64 * 1024 * 1024;

interface Piece extends JsonElement {
  position: LinePosition;
}

export function openExport(path: string): OpenCodeSession {
  const { elements, size } = findElements(path);
  const pieces = toPieces(elements);
  const messages = pieces.filter(({ key }) => key === "messages");
  const others = pieces.filter(({ key }) => key !== "messages");
  const head = others.find(({ key }) => key === "info");
  const fields = head === undefined ? undefined : parsePiece(path, head);
  const info = fields !== undefined && "value" in fields ? fields.value : {};
  const id = asName(info.id) ?? sessionIdIn(path, messages) ?? basename(path);
  let ids: string[] | undefined;
  const load = (index: number, sink: RecordSink = {}): StoredMessage | undefined => {
    const piece = messages[index];
    return piece === undefined ? undefined : loadMessage(path, piece, index, sink);
  };
  return {
    unit: "bytes",
    info: toSessionInfo(id, info, 0),
    count: messages.length,
    load,
    indexOf: (wanted) => indexIn(ids ??= messages.map((_, index) => load(index)?.id ?? ""), wanted),
    countRest(sink): void {
      for (const piece of others) countPiece(piece, parsePiece(path, piece), sink);
      const framed = pieces.reduce((sum, { position }) => sum + position.length, 0);
      count(sink.account, "events", size - framed);
    },
    [Symbol.dispose](): void {},
  };
}

function toPieces(elements: readonly JsonElement[]): Piece[] {
  return elements.map((element, index) => {
    const { start, end } = element;
    return { ...element, position: { offset: start, length: end - start, line: index + 1 } };
  });
}

function parsePiece(path: string, { start, end, closed }: Piece): JsonCell {
  if (!closed) {
    return {
      code: "torn-tail",
      detail: "this record is incomplete: the file is cut off or damaged here",
    };
  }
  if (end - start > MAX_ELEMENT_BYTES) {
    return { code: "oversized-line", detail: `the record is too long: ${end - start} bytes` };
  }
  return parseCell(new TextDecoder().decode(readBytes(path, start, end)));
}

function readBytes(path: string, start: number, end: number): Uint8Array {
  try {
    using file = openToRead(path);
    file.seekSync(start, SeekMode.Start);
    return readWhole(file, new Uint8Array(end - start));
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}

/** Counts a record's bytes, as damage if it could not be parsed. Returns the parsed object. */
function countPiece(
  { key, position }: Piece,
  parsed: JsonCell,
  sink: RecordSink,
): Json | undefined {
  if ("value" in parsed) {
    count(sink.account, "events", position.length);
    return parsed.value;
  }
  const { code, detail } = parsed;
  sink.report?.({ code, ...position, detail: `an element of ${key}: ${detail}` });
  count(sink.account, "damage", position.length);
  return undefined;
}

function loadMessage(
  path: string,
  piece: Piece,
  index: number,
  sink: RecordSink,
): StoredMessage | undefined {
  const parsed = parsePiece(path, piece);
  if (!("value" in parsed)) {
    countPiece(piece, parsed, sink);
    return undefined;
  }
  const info = asObject(parsed.value.info);
  const id = asName(info.id) ?? `message/${index}`;
  const parts = asList(parsed.value.parts).map(asObject).map((data, at) => ({
    id: asName(data.id) ?? `${id}/${at}`,
    data,
    weight: 0,
  }));
  return { id, info, parts, weight: piece.position.length };
}

/** Finds the session's id in its first eight messages. Each message contains the id. */
function sessionIdIn(path: string, pieces: readonly Piece[]): string | undefined {
  for (const piece of pieces.slice(0, 8)) {
    const parsed = parsePiece(path, piece);
    const id = "value" in parsed ? asName(asObject(parsed.value.info).sessionID) : undefined;
    if (id !== undefined) return id;
  }
  return undefined;
}
