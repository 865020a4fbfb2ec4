/** Finds the JSON objects in a line of an agent's file, even if the line is damaged. */
import { isDeeperThan, MAX_DEPTH } from "../../../core/event/decode.ts";
import type { LinePosition } from "../../../core/event/envelope.ts";
import { isObject } from "../../../core/event/guard.ts";
import { type DiagnosticCode, isDamage, type Report } from "../../../core/log/diagnostic.ts";
import { cutLine, type EventPiece } from "../../../core/log/line_pieces.ts";
import { isBlank, type Line } from "../../../core/log/line_splitter.ts";
import { isUtf8 } from "../../../core/event/bytes.ts";
import type { SourceAccount } from "../../contract/agent.ts";
import { count } from "../../contract/source_account.ts";
import { keepExactMembers } from "./exact_members.ts";

export interface SourceRecord {
  value: Record<string, unknown>;
  position: LinePosition;
  /** True if the record was taken from a damaged line. */
  salvaged?: boolean;
  /** Bytes or rows that the record adds to a `SourceAccount`. @default {position.length} */
  weight?: number;
  /** Number of bytes to read for the record, for example for a row. @default {position.length} */
  size?: number;
  /** The position after the record. @default {the next line} */
  behind?: { readonly offset: number; readonly line: number };
  /** Index of the record within its line. Absent if the record is the whole line. */
  part?: number;
  /** True if the record continues the message of the previous record. */
  continues?: boolean | undefined;
  /**
   * True if the record comes from an earlier session that this session continues. Only the earlier
   * session's `SourceAccount` counts the record.
   */
  inherited?: boolean;
}

export interface RecordSink {
  report?: Report | undefined;
  account?: SourceAccount | undefined;
}

const decoder = new TextDecoder();
/** Length in bytes up to which a line cannot be nested too deeply. */
const SHORTEST_DEEP_LINE = 2 * MAX_DEPTH;

/**
 * Appends a line's records to `records`. Reports and counts damaged bytes, and counts blank bytes.
 * The caller counts the bytes of records.
 */
export function parseRecords(line: Line, records: SourceRecord[], sink: RecordSink = {}): void {
  const { bytes, offset, length } = line;
  const position = { offset, length, line: line.line };
  if (line.oversized) {
    return find(sink, "oversized-line", position, `the line is too long: ${length} bytes`);
  }
  if (isBlank(bytes)) return count(sink.account, "blank", length);
  const value = parseObject(bytes);
  if (value === "too-deep") {
    find(sink, "too-deep", position, `the line has more than ${MAX_DEPTH} nested levels`);
  } else if (value !== undefined) {
    if (value.text.includes("\ufffd") && !isUtf8(bytes)) {
      find(sink, "invalid-utf8", position, "invalid UTF-8 is shown as U+FFFD");
    }
    records.push({ value: value.object, position });
  } else {
    salvageRecords(line, records, sink);
  }
}

interface Parsed {
  object: Record<string, unknown>;
  text: string;
}

function parseObject(bytes: Uint8Array): Parsed | "too-deep" | undefined {
  let text: string;
  let object: unknown;
  try {
    text = decoder.decode(bytes);
    object = JSON.parse(text);
  } catch {
    // SyntaxError: no JSON. RangeError or TypeError: longer than a string can be.
    return undefined;
  }
  if (!isObject(object)) return undefined;
  if (bytes.length > SHORTEST_DEEP_LINE && isDeeperThan(object, MAX_DEPTH)) return "too-deep";
  keepExactMembers(object, text);
  return { object, text };
}

/** Appends the records that a damaged line still has. Reports and counts the rest of the line. */
function salvageRecords(line: Line, records: SourceRecord[], sink: RecordSink): void {
  for (const { value, code = "malformed-line", ...position } of cutLine(line, takeObject)) {
    if (value !== undefined) records.push({ value, position, salvaged: true });
    else find(sink, code, position, DETAIL[code] ?? code);
  }
}

/**
 * Returns an object in a damaged line, if the object ends the line or no damage precedes it. Any
 * other object is uncertain, because records have no checksum.
 */
function takeObject({ bytes, last, clean }: EventPiece): Record<string, unknown> | undefined {
  if (!last && !clean) return undefined;
  const value = parseObject(bytes);
  return typeof value === "object" ? value.object : undefined;
}

const DETAIL: Partial<Record<DiagnosticCode, string>> = {
  "glued-line": "an incomplete record and the next record are on the same line",
  "torn-tail": "this record is incomplete: the program that wrote it stopped in the middle",
  "malformed-line": "the line is not valid JSON",
  "nul-run": "the file has NUL bytes here",
};

function find(
  { report, account }: RecordSink,
  code: DiagnosticCode,
  position: LinePosition,
  detail: string,
): void {
  if (isDamage(code)) count(account, "damage", position.length);
  report?.({ code, ...position, detail });
}
