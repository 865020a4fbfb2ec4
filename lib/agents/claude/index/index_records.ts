/**
 * First pass over a session of Claude Code: which records it has, which one each follows, and what
 * the records beside the dialogue say of the whole. Most lines are looked at only at both their ends.
 */
import { lineBlocksInTurns } from "../../../log/line_blocks.ts";
import { type Line, trimLine } from "../../../log/line_splitter.ts";
import { countSide } from "../../../source/source_account.ts";
import { readLines, type RecordOptions } from "../../jsonl_records.ts";
import { asName, asObject, asText } from "../../json_value.ts";
import { parseRecords, type SourceRecord } from "../../source_record.ts";
import { addSide } from "../side_facts.ts";
import { blocksOf } from "../content.ts";
import {
  beginsLastPrompt,
  keepLastPrompt,
  type LastPrompts,
  takeLastPrompts,
} from "./last_prompts.ts";
import { boundaryOf } from "./boundary.ts";
import { blockMarks, lineMarks } from "./line_marks.ts";
import { type LineReading, readMessageLine } from "./message_line.ts";
import {
  addRecord,
  ASSISTANT,
  DAMAGED,
  emptyIndex,
  linkParents,
  LOST,
  type NewRecord,
  PASSING,
  RECORD_TYPES,
  type RecordIndex,
  RESULTS,
  ROOT,
  SALVAGED,
  SIDECHAIN,
  USER,
} from "./record_index.ts";
import { rowOfId } from "./record_ids.ts";
import { responseOfId, scanDamaged, scanRecord } from "./scan_record.ts";

const CLOSE_OBJECT = 0x7d;

/** Reused from line to line: there are as many as there are lines. */
const found: NewRecord = emptyRecord();
const reading: LineReading = { found, marks: lineMarks(new Uint8Array(0)) };

function emptyRecord(): NewRecord {
  return {
    type: USER,
    flags: 0,
    parent: ROOT,
    offset: 0,
    length: 0,
    line: 0,
    time: NaN,
    response: 0,
    body: 0,
    body_length: 0,
  };
}

/**
 * Indexes a session. `thorough`: each line is parsed, so that all damage is found and all bytes are
 * accounted for; else a line that looks whole is taken for whole.
 */
export async function indexRecords(
  path: string,
  options: RecordOptions,
  thorough: boolean,
): Promise<RecordIndex> {
  const index = emptyIndex(FIRST_ROWS);
  if (!thorough && await indexBlocks(index, path, options)) return linkParents(index);
  const whole = emptyIndex();
  for await (const lines of readLines(path, options)) {
    for (const line of lines) indexLine(whole, line, options, thorough);
  }
  return linkParents(whole);
}

/** Room for the records of most sessions. */
const FIRST_ROWS = 4096;
const LF = 0x0a;

/** Indexes a file by its blocks; false where it cannot be read so. */
async function indexBlocks(
  index: RecordIndex,
  path: string,
  options: RecordOptions,
): Promise<boolean> {
  const prompts: LastPrompts = {};
  let number = 1;
  for await (const block of lineBlocksInTurns(path, options.signal)) {
    const { finder, end, offset, oversized } = block;
    if (oversized) return false;
    const { bytes } = finder;
    reading.marks = blockMarks(finder, end);
    for (let start = 0; start < end; number++) {
      const feed = bytes.indexOf(LF, start);
      const terminated = feed >= 0 && feed < end;
      const stop = terminated ? feed : end;
      const next = terminated ? feed + 1 : end;
      place.offset = offset + start;
      place.length = next - start;
      place.line = number;
      const known = terminated && (indexMessage(index, bytes, start, stop, place) ||
        isLastPrompt(bytes, start, stop) &&
          keepLastPrompt(prompts, bytes.slice(start, stop), index.count));
      if (!known) {
        const line = trimLine(bytes.subarray(start, stop));
        const rest = { bytes: line, terminated, oversized: false };
        indexRest(index, { ...place, ...rest }, options, !terminated);
      }
      start = next;
    }
  }
  takeLastPrompts(index.side, prompts);
  return true;
}

/** A record of the last prompt that no other record is glued to. */
function isLastPrompt(bytes: Uint8Array, start: number, end: number): boolean {
  return beginsLastPrompt(bytes, start, end) && reading.marks.second(start, end) < 0;
}

const place = { offset: 0, length: 0, line: 0 };

/** Adds the message in a line of the usual form; false where it is of another. */
function indexMessage(
  index: RecordIndex,
  bytes: Uint8Array,
  start: number,
  end: number,
  at: Place,
): boolean {
  found.id = undefined;
  found.subtype = undefined;
  if (!readMessageLine(index, bytes, start, end, reading)) return false;
  addFound(index, at);
  return true;
}

/** Indexes lines that are at hand. */
export function indexRecordLines(lines: readonly Line[]): RecordIndex {
  const index = emptyIndex(lines.length + 1);
  for (const line of lines) indexLine(index, line, {}, false);
  return linkParents(index);
}

function indexLine(
  index: RecordIndex,
  line: Line,
  options: RecordOptions,
  thorough: boolean,
): void {
  if (!thorough && looksWhole(line)) {
    const { bytes } = line;
    reading.marks = lineMarks(bytes);
    if (indexMessage(index, bytes, 0, bytes.length, line)) return;
  }
  indexRest(index, line, options, thorough);
}

/** Indexes a line that is not of the usual form. */
function indexRest(
  index: RecordIndex,
  line: Line,
  options: RecordOptions,
  thorough: boolean,
): void {
  if (!thorough && looksWhole(line)) {
    Object.assign(found, NO_NAMES);
    found.body = found.body_length = 0;
    const scanned = scanRecord(line, found);
    if (scanned === "record") return void addLinked(index, line);
    if (scanned !== undefined) return countSide(options.account, scanned.side, line.length);
  }
  const records: SourceRecord[] = [];
  let damaged = false;
  parseRecords(line, records, {
    account: options.account,
    report: (diagnostic) => {
      damaged ||= diagnostic.code !== "invalid-utf8";
      options.report?.(diagnostic);
    },
  });
  if (damaged) addDamaged(index, line, records);
  for (const record of records) indexRecord(index, record, options);
}

const NO_NAMES = { id: undefined, subtype: undefined, parent_id: undefined };

function looksWhole({ bytes, terminated, oversized }: Line): boolean {
  return terminated && !oversized && bytes[bytes.length - 1] === CLOSE_OBJECT;
}

type Place = Pick<Line, "offset" | "length" | "line">;

function addFound(index: RecordIndex, { offset, length, line }: Place): number {
  found.offset = offset;
  found.length = length;
  found.line = line;
  return addRecord(index, found);
}

/** A record that says nothing of its parent, as minimal writers leave it out, follows the last one. */
function addLinked(index: RecordIndex, at: Place): number {
  if (found.parent === LOST) {
    const parent = found.parent_id === undefined
      ? index.count - 1
      : rowOfId(index.ids, found.parent_id);
    if (parent >= 0) found.parent = parent;
    else if (found.parent_id === undefined) found.parent = ROOT;
  }
  return addFound(index, at);
}

/** A damaged line may still say what it follows: so the history before it is not lost with it. */
function addDamaged(index: RecordIndex, line: Line, records: readonly SourceRecord[]): void {
  Object.assign(found, emptyRecord(), NO_NAMES);
  if (!scanDamaged(line, found)) return;
  if (!records.some(({ value }) => value.uuid === found.id)) addLinked(index, line);
}

function indexRecord(index: RecordIndex, record: SourceRecord, options: RecordOptions): void {
  const { value, position, salvaged } = record;
  const type = asText(value.type) ?? "unknown";
  const known = (RECORD_TYPES as readonly string[]).indexOf(type);
  if (known < 0 && !leadsOn(value)) {
    addSide(index.side, value, index.count);
    return countSide(options.account, type, position.length);
  }
  const code = known < 0 ? PASSING : known;
  const message = asObject(value.message);
  const message_id = code === ASSISTANT ? asName(message.id) : undefined;
  const parent_id = asName(value.parentUuid);
  let flags = value.isSidechain === true ? SIDECHAIN : 0;
  if (salvaged) flags |= SALVAGED;
  if (code === USER && holdsResult(message.content)) flags |= RESULTS;
  Object.assign(found, {
    id: asName(value.uuid) ?? `#${index.count + 1}`,
    type: code,
    flags,
    parent: value.parentUuid === null ? ROOT : LOST,
    parent_id: value.parentUuid === null ? undefined : parent_id,
    time: Date.parse(asName(value.timestamp) ?? ""),
    response: message_id === undefined ? 0 : responseOfId(message_id),
    body: 0,
    body_length: 0,
    subtype: asName(value.subtype) ?? asName(asObject(value.attachment).type),
  });
  const row = addLinked(index, position);
  if (code === PASSING && type !== "progress") index.passing_types.set(row, type);
  if (value.subtype === "compact_boundary") index.boundaries.set(row, boundaryOf(value));
}

function holdsResult(content: unknown): boolean {
  return typeof content !== "string" &&
    blocksOf(content).some(({ type }) => type === "tool_result");
}

/** A record of a type that is not known may still stand between two that are. */
function leadsOn({ uuid, parentUuid }: SourceRecord["value"]): boolean {
  return asName(uuid) !== undefined && (parentUuid === null || asName(parentUuid) !== undefined);
}

/** True where the index knows of damage. */
export function isDamaged({ count, flags }: RecordIndex): boolean {
  for (let row = 0; row < count; row++) if (((flags[row] as number) & DAMAGED) !== 0) return true;
  return false;
}
