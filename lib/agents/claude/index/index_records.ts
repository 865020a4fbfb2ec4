/**
 * Makes the first pass over a Claude Code session. It finds the records, their parents, and the
 * session's facts beside the dialogue. Of most lines only both ends are read.
 */
import { lineBlocksInTurns } from "../../../log/line_blocks.ts";
import { type Line, trimLine } from "../../../log/line_splitter.ts";
import { countSide } from "../../../source/source_account.ts";
import { readLines, type RecordOptions } from "../../../reading/records/jsonl_records.ts";
import { addFound, addLinked, clearNames, found, type Place } from "./found_record.ts";
import {
  beginsLastPrompt,
  keepLastPrompt,
  type LastPrompts,
  takeLastPrompts,
} from "./last_prompts.ts";
import { blockMarks, lineMarks } from "./line_marks.ts";
import { type LineReading, readMessageLine } from "./message_line.ts";
import { indexParsed } from "./parsed_record.ts";
import { linkParents, linkRepeated } from "./link_parents.ts";
import { emptyIndex, type RecordIndex } from "./record_index.ts";
import { scanRecord } from "./scan_record.ts";

const CLOSE_OBJECT = 0x7d;

const reading: LineReading = { found, marks: lineMarks(new Uint8Array(0)) };

/**
 * Indexes a session. `thorough`: each line is parsed, so that all damage is found and all bytes are
 * accounted for; else a line that looks whole is taken for whole.
 */
export async function indexRecords(
  path: string,
  options: RecordOptions,
  thorough: boolean,
): Promise<RecordIndex> {
  if (!thorough) {
    const index = emptyIndex(FIRST_ROWS);
    if (await indexBlocks(index, path, options)) return linkParents(index);
  }
  const whole = emptyIndex();
  for await (const lines of readLines(path, options)) {
    for (const line of lines) (thorough ? indexParsed : indexLine)(whole, line, options);
  }
  return thorough ? linkRepeated(linkParents(whole)) : linkParents(whole);
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
        indexRest(index, { ...place, ...rest }, options);
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
  for (const line of lines) indexLine(index, line, {});
  return linkParents(index);
}

function indexLine(index: RecordIndex, line: Line, options: RecordOptions): void {
  const { bytes } = line;
  reading.marks = lineMarks(bytes);
  const known = looksWhole(line) && indexMessage(index, bytes, 0, bytes.length, line);
  if (!known) indexRest(index, line, options);
}

/** Indexes a line that is not of the usual form. */
function indexRest(index: RecordIndex, line: Line, options: RecordOptions): void {
  if (!looksWhole(line) || !indexScanned(index, line, options)) indexParsed(index, line, options);
}

/** Indexes a line by a look at its ends; false if only parsing tells what it is. */
function indexScanned(index: RecordIndex, line: Line, options: RecordOptions): boolean {
  clearNames();
  found.body = found.body_length = 0;
  const scanned = scanRecord(line, found);
  if (scanned === undefined) return false;
  if (scanned === "record") addLinked(index, line);
  else countSide(options.account, scanned.side, line.length);
  return true;
}

function looksWhole({ bytes, terminated, oversized }: Line): boolean {
  return terminated && !oversized && bytes[bytes.length - 1] === CLOSE_OBJECT;
}
