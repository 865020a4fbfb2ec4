/**
 * Cuts one line of a session into whole records and damaged pieces. Pure. A record is whole JSON,
 * and is never put together from pieces. Damaged pieces are listed, so that every byte is accounted
 * for.
 */
import { hasBytesAt, isUtf8 } from "../../core/event/bytes.ts";
import type { LinePosition } from "../../core/event/envelope.ts";
import { isObject } from "../../core/event/guard.ts";
import { parsedJson } from "../../core/event/parsed_json.ts";
import { openToRead } from "../../core/log/byte_source.ts";
import type { Diagnostic } from "../../core/log/diagnostic.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { isBlank, type Line } from "../../core/log/line_splitter.ts";
import { SeekMode } from "../../core/platform/file_system.ts";
import { parseRecords, type SourceRecord } from "../../agents/engine/records/source_record.ts";
import type { DamageKind } from "../../agents/contract/session_repair.ts";
import { cutChunk, startCutter, type StringCutter } from "./cut_strings.ts";

interface RecordPiece extends LinePosition {
  kind: "record";
  value: Readonly<Record<string, unknown>>;
  /** The bytes of the record, as valid UTF-8 and without white space around them. */
  bytes: Uint8Array;
  /** True if some of the record's bytes were not UTF-8, and were replaced by U+FFFD. */
  spoiled: boolean;
}

export interface DamagedPiece extends LinePosition {
  kind: "damage";
  damage: DamageKind;
  bytes: Uint8Array;
}

type LinePiece = RecordPiece | DamagedPiece;

export interface SessionLine extends LinePosition {
  /** Records and damage, in order. Empty if the line is blank, too long or nested too deeply. */
  pieces: LinePiece[];
  /** Damage of the line or of its records that loses no content. */
  marks: (LinePosition & { damage: DamageKind })[];
  /** True if the line is copied unread. */
  sealed: boolean;
  ending: "" | "\n" | "\r\n";
}

const BOM = new Uint8Array([0xef, 0xbb, 0xbf]);
const BOM_BYTES = BOM.length;
const OPENING_BRACE = 0x7b;
const LF = 0x0a;
/** White space of JSON. Includes the carriage return with which Windows programs end a line. */
const SPACES: ReadonlySet<number | undefined> = new Set([0x20, 0x09, 0x0d, LF]);

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/**
 * Cuts a line into records and damage. `isRecord` tells a record from an object inside a record.
 */
export function cutSessionLine(
  line: Line,
  isRecord: (value: Readonly<Record<string, unknown>>) => boolean,
): SessionLine {
  const { offset, length } = line;
  const position: LinePosition = { offset, length, line: line.line };
  const cut: SessionLine = {
    ...position,
    pieces: [],
    marks: [],
    sealed: line.oversized,
    ending: endingOf(line),
  };
  if (line.oversized) {
    addMissingNewline(cut, line);
    return cut;
  }
  if (hasBom(line)) {
    cut.marks.push({ offset, length: BOM_BYTES, line: line.line, damage: "byte-order-mark" });
  }
  if (isBlank(line.bytes)) return { ...cut, sealed: cut.marks.length === 0 };
  const records: SourceRecord[] = [];
  const faults: Diagnostic[] = [];
  parseRecords(line, records, { report: (fault) => faults.push(fault) });
  if (faults.some(({ code }) => code === "too-deep")) return { ...cut, sealed: true };
  const found = [
    ...records.map((record) => recordPiece(line, record, isRecord)),
    ...faults.filter(({ code }) => code !== "invalid-utf8").map((fault) => faultPiece(line, fault)),
  ].toSorted((one, other) => one.offset - other.offset);
  cut.pieces = found;
  addMarks(cut, line);
  return cut;
}

function endingOf({ bytes, length, terminated, oversized }: Line): SessionLine["ending"] {
  if (!terminated) return "";
  const around = length - bytes.length - 1;
  return !oversized && (around === 1 || around === BOM_BYTES + 1) ? "\r\n" : "\n";
}

function hasBom({ bytes, length, terminated }: Line): boolean {
  return length - bytes.length - Number(terminated) >= BOM_BYTES;
}

/** Returns the bytes of a range of a line, without a byte order mark that comes before the line. */
function bytesAt(line: Line, { offset, length }: LinePosition): Uint8Array {
  const lead = hasBom(line) ? BOM_BYTES : 0;
  const start = offset - line.offset - lead;
  return line.bytes.subarray(Math.max(0, start), Math.max(0, start + length));
}

function recordPiece(
  line: Line,
  { value, position, salvaged = false }: SourceRecord,
  isRecord: (value: Readonly<Record<string, unknown>>) => boolean,
): LinePiece {
  const bytes = trimmed(salvaged ? bytesAt(line, position) : line.bytes);
  // A line that is one object may be a record that only a newer version knows.
  if (salvaged && !isRecord(value)) {
    return { kind: "damage", damage: "torn-record", bytes, ...position };
  }
  const spoiled = !isUtf8(bytes);
  const whole = spoiled ? encoder.encode(decoder.decode(bytes)) : bytes;
  return { kind: "record", value, bytes: whole, spoiled, ...position };
}

function trimmed(bytes: Uint8Array): Uint8Array {
  let start = 0;
  let end = bytes.length;
  for (;;) {
    if (start < end && SPACES.has(bytes[start])) start++;
    else if (hasBytesAt(bytes, BOM, start)) start += BOM.length;
    else break;
  }
  while (end > start && SPACES.has(bytes[end - 1])) end--;
  return bytes.subarray(start, end);
}

function faultPiece(line: Line, { code, offset, length }: Diagnostic): DamagedPiece {
  const position = { offset, length, line: line.line };
  const bytes = bytesAt(line, position);
  if (code === "nul-run") return { kind: "damage", damage: "nul-run", bytes, ...position };
  if (code === "torn-tail") return { kind: "damage", damage: "torn-end", bytes, ...position };
  const torn = code === "glued-line" || trimmed(bytes)[0] === OPENING_BRACE;
  return { kind: "damage", damage: torn ? "torn-record" : "no-record", bytes, ...position };
}

function addMarks(cut: SessionLine, line: Line): void {
  const records = cut.pieces.filter((piece) => piece.kind === "record");
  for (const [index, { offset, length, spoiled }] of records.entries()) {
    const at = { offset, length, line: line.line };
    if (index > 0) cut.marks.push({ ...at, damage: "fused-records" });
    if (spoiled) cut.marks.push({ ...at, damage: "bad-utf8" });
  }
  if (cut.pieces.at(-1)?.kind === "record") addMissingNewline(cut, line);
}

function addMissingNewline(cut: SessionLine, { offset, length, line, terminated }: Line): void {
  if (terminated) return;
  cut.marks.push({ offset: offset + length, length: 0, line, damage: "no-newline" });
}

/** True if a line can be copied unchanged. */
export function isSound({ pieces, marks, sealed }: SessionLine): boolean {
  return marks.length === 0 && (sealed || pieces.every(({ kind }) => kind === "record"));
}

const CHUNK_BYTES = 256 * 1024;
/** Number of bytes of each string to keep. They are enough to identify the kind of the record. */
const SKETCH_STRING_BYTES = 4096;
const SKETCH_BYTES = 8 * 1024 * 1024;

/**
 * Reads a range of a file. Each chunk is valid until the next chunk.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function* rangeOf(
  path: string,
  { offset, length }: Pick<LinePosition, "offset" | "length">,
): Generator<Uint8Array> {
  const file = openToRead(path);
  try {
    file.seekSync(offset, SeekMode.Start);
    const buffer = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(length, 1)));
    for (let left = length; left > 0;) {
      const count = file.readSync(buffer.subarray(0, Math.min(left, buffer.length)));
      if (count === null) return;
      left -= count;
      yield buffer.subarray(0, count);
    }
  } catch (error) {
    throw toSessionError(error, "read session", path);
  } finally {
    file.close();
  }
}

/** Starts to cut all long strings of a record, so that the record fits into memory. */
export function startSketch(): StringCutter {
  return startCutter({ limitOf: () => SKETCH_STRING_BYTES, note: () => "" });
}

export function sketchOf(
  path: string,
  place: Pick<LinePosition, "offset" | "length">,
): Record<string, unknown> | undefined {
  const cutter = startSketch();
  const decoder = new TextDecoder();
  let text = "";
  for (const chunk of rangeOf(path, place)) {
    text += decoder.decode(cutChunk(cutter, chunk), { stream: true });
    if (text.length > SKETCH_BYTES) break;
  }
  text += decoder.decode();
  // The text may be damaged, or made of a million small values.
  const value = parsedJson(text);
  return isObject(value) ? value : undefined;
}

export function* cutRange(
  chunks: Iterable<Uint8Array>,
  cutter: StringCutter,
): Generator<Uint8Array> {
  for (const chunk of chunks) yield cutChunk(cutter, chunk);
}
