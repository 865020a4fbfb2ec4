/**
 * Reads the records at both ends of a rollout that tell a list's row. Lines are told by their first
 * bytes, so nearly all of them stay unparsed.
 */
import { textPattern } from "../../log/byte_pattern.ts";
import { readOpened } from "../../log/byte_source.ts";
import { byteSearch } from "../../log/json_bytes/byte_search.ts";
import type { Line } from "../../log/line_splitter.ts";
import { linesHolding } from "../../log/lines_holding.ts";
import { readEdges, recordsIn, reusedEdges } from "../../reading/records/file_edges.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import type { RecordEdges } from "../../reading/sources/record_source.ts";
import { lineType } from "./rollout_line.ts";
import {
  isPrompt,
  isTurnMark,
  ROLLED_BACK,
  type RolloutRecord,
  toRolloutRecord,
} from "./rollout_record.ts";

/** A smaller file is read as a whole, so that its counts are known. */
const SMALL_BYTES = 16 * 1024;
/** What goes before the first prompt took 45 KB in 0.169; instructions can make it far more. */
const EDGES = [
  reusedEdges(SMALL_BYTES, SMALL_BYTES),
  { head_bytes: 128 * 1024, tail_bytes: 128 * 1024 },
  { head_bytes: 4 * 1024 * 1024, tail_bytes: 4 * 1024 * 1024 },
];
/** Bytes of the end in which the last prompt is looked for. */
const PROMPT_BYTES = 16 * 1024 * 1024;
const USER_MESSAGE = textPattern('"role":"user"');
const TAKEN_BACK = textPattern('"thread_rolled_back"');

/** Where the head says from which thread it goes on: before the instructions, or behind them. */
const findBase = byteSearch('"history_base"');

/**
 * Reads the first records up to a prompt, the last prompt, and the last item with all behind it.
 * Undefined where the head may name another thread that comes before.
 */
export async function rowEdges(path: string): Promise<RecordEdges | undefined> {
  for (const [step, options] of EDGES.entries()) {
    const { head, tail, whole, size } = readEdges(path, options);
    const [first] = head;
    if (first !== undefined && mayBeFork(first)) return undefined;
    if (whole && size <= SMALL_BYTES) return { head: [], tail: [], whole, bytes: size };
    const begin = upToPrompt(head);
    const end = whole ? head : tail;
    if (step < EDGES.length - 1 && !whole && !(begin.prompted && end.length > 0)) continue;
    const last = tellingEnd(end);
    const prompted = last.some((record) => isPromptRecord(record) || isRollback(record));
    const prompt = prompted ? [] : await lastPrompt(path, end[0]?.offset ?? size);
    return { head: begin.records, tail: [...prompt, ...last], whole: false, bytes: size };
  }
  return undefined;
}

function mayBeFork({ bytes }: Line): boolean {
  return lineType(bytes) !== "session_meta" || findBase(bytes) >= 0;
}

function upToPrompt(lines: readonly Line[]): { records: SourceRecord[]; prompted: boolean } {
  const records: SourceRecord[] = [];
  for (const line of lines) {
    const found = recordsIn([line]);
    records.push(...found);
    if (found.some(isPromptRecord)) return { records, prompted: true };
  }
  return { records, prompted: false };
}

function isPromptRecord(record: SourceRecord): boolean {
  return isPrompt(toRolloutRecord(record));
}

function isRollback(record: SourceRecord): boolean {
  return toRolloutRecord(record).type === ROLLED_BACK;
}

/** Finds the last prompt before a line; none where a rollback came behind it. */
async function lastPrompt(path: string, to: number): Promise<SourceRecord[]> {
  return await readOpened(path, async (file) => {
    const from = Math.max(0, to - PROMPT_BYTES);
    for await (const line of linesHolding(file, [USER_MESSAGE, TAKEN_BACK], { from, to })) {
      const records = recordsIn([line]);
      if (records.some(isRollback)) return [];
      const prompt = records.findLast(isPromptRecord);
      if (prompt !== undefined) return [prompt];
    }
    return [];
  });
}

/** Picks the last prompt and the last mark of a turn, and the records from the last item on. */
function tellingEnd(lines: readonly Line[]): SourceRecord[] {
  const found: SourceRecord[] = [];
  const missing = { item: true, prompt: true, mark: true };
  for (const line of lines.toReversed()) {
    const type = lineType(line.bytes);
    if (type !== undefined && !mayTell(type, missing)) continue;
    for (const source of recordsIn([line]).reverse()) {
      const record = toRolloutRecord(source);
      found.push(source);
      // What stands before it was perhaps taken back.
      if (record.type === ROLLED_BACK) return found.reverse();
      missing.item &&= !isLasting(record);
      missing.mark &&= !isTurnMark(record.type);
      missing.prompt &&= !isPrompt(record);
    }
    if (!missing.item && !missing.mark && !missing.prompt) break;
  }
  return found.reverse();
}

function mayTell(
  type: string,
  missing: { item: boolean; prompt: boolean; mark: boolean },
): boolean {
  return missing.item || type === ROLLED_BACK || (missing.mark && isTurnMark(type)) ||
    (missing.prompt && type === "response_item/message/user");
}

/** True for a record that becomes an event, and tells if its turn goes on. */
function isLasting(record: RolloutRecord): boolean {
  const { type } = record;
  if (type === "response_item/message/user") return isPrompt(record);
  return type.startsWith("response_item/") && type !== "response_item/ghost_snapshot" &&
    type !== "response_item/message/developer";
}
