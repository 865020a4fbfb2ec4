/**
 * Opens the records of a Codex thread. A fork's own file follows the files of the threads that the
 * fork continues. Rolled-back turns are left out. An offset counts the bytes of all these files.
 */
import { textPattern } from "../../core/log/byte_pattern.ts";
import { readOpened } from "../../core/log/byte_source.ts";
import { byteSearch } from "../../core/log/json_bytes/byte_search.ts";
import type { Line } from "../../core/log/line_splitter.ts";
import { linesHolding } from "../../core/log/lines_holding.ts";
import { present } from "../engine/json.ts";
import { readEdges, recordsIn, reusedEdges } from "../engine/records/file_edges.ts";
import { readRecords, type RecordOptions, takeLine } from "../engine/records/jsonl_records.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { documentSource } from "../engine/sources/document_source.ts";
import { lastRecords } from "../engine/sources/line_source.ts";
import type {
  ForceStart,
  PlacedSource,
  RecordEdges,
  RecordSource,
  RecordStretch,
  SourcePosition,
} from "../engine/sources/record_source.ts";
import type { AgentSession } from "../contract/agent.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { count } from "../contract/source_account.ts";
import { inForceStart, readLineage, type RolloutStretch } from "./lineage.ts";
import { type DeadRange, deadRanges, isDead, standingAmong } from "./rollbacks.ts";
import { contentTexts, isShown } from "./item_content.ts";
import { documentItems, headRecords, rolloutLines } from "./rollout_file.ts";
import { rolloutForm } from "./rollout_files.ts";
import { lineType } from "./recognized_line.ts";
import {
  isPrompt,
  isTurnMark,
  ROLLED_BACK,
  type RolloutRecord,
  toRolloutRecord,
} from "./rollout_record.ts";

const START: SourcePosition = { offset: 0, line: 1 };

export function codexSource({ path }: AgentSession, thread: string): RecordSource {
  const form = rolloutForm(path);
  if (form === "document") return documentSource(path, documentItems);
  const source = threadSource(path, thread);
  return form === "lines" ? source : { rewritten: true, read: source.read };
}

function threadSource(path: string, thread: string): PlacedSource {
  let lineage: Promise<readonly RolloutStretch[]> | undefined;
  let dead: Promise<readonly DeadRange[]> | undefined;
  /** Offset from which no record was rolled back. */
  let live_from = Infinity;
  const stretches = ({ report }: RecordOptions = {}): Promise<readonly RolloutStretch[]> =>
    lineage ??= readLineage(path, report);
  return {
    async *read(options = {}, from = START): AsyncGenerator<readonly SourceRecord[]> {
      const known = await stretches(options);
      const is_live = from.offset >= live_from;
      const taken = is_live ? [] : await (dead ??= deadRanges(known, thread));
      for (const stretch of known) {
        const end = stretch.base + (stretch.to ?? Infinity);
        if (end > from.offset) yield* readStretch(stretch, taken, from, options);
      }
    },
    last: async (bytes, options = {}) => {
      // Only a read from the beginning shows which records existed before a rollback.
      if (thread !== MAIN_THREAD) return { records: [], whole: true };
      return await lastOf(await stretches(options), bytes, options);
    },
    edges: async (bytes) => await rowEdges(path) ?? await forkEdges(await stretches(), bytes),
    async inForce(signal): Promise<ForceStart | undefined> {
      const start = thread === MAIN_THREAD
        ? await inForceStart(await stretches(), signal)
        : undefined;
      live_from = Math.min(live_from, start?.position.offset ?? Infinity);
      return start;
    },
  };
}

async function* readStretch(
  stretch: RolloutStretch,
  dead: readonly DeadRange[],
  { offset, line }: SourcePosition,
  { skip, signal, report, account }: RecordOptions,
): AsyncGenerator<SourceRecord[]> {
  const { path, base, to, inherited } = stretch;
  const begin = offset > base ? { from: offset - base, line } : {};
  // Inherited records belong to another session, which counts them and reports their damage.
  const options = inherited ? { skip } : { skip, report, account };
  const range = { path, ...begin, ...present({ to }) };
  const batches = dead.length === 0 && rolloutForm(path) === "lines"
    ? readRecords(path, { ...options, ...range, signal })
    : standingRecords({ ...range, base }, dead, { ...options, signal });
  for await (const records of batches) {
    yield base === 0 && !inherited ? records : records.map((record) => placedIn(stretch, record));
  }
}

async function* standingRecords(
  { base, ...range }: Parameters<typeof rolloutLines>[0] & { base: number },
  dead: readonly DeadRange[],
  options: RecordOptions,
): AsyncGenerator<SourceRecord[]> {
  for await (const lines of rolloutLines(range, options)) {
    const records: SourceRecord[] = [];
    for (const one of lines) {
      if (!isDead(dead, base + one.offset)) takeLine(one, records, options);
      else count(options.account, "dead", one.length);
    }
    if (records.length > 0) yield records;
  }
}

/** Returns a record with the position after it, counted over all files of the thread. */
function placedIn({ base, inherited }: RolloutStretch, record: SourceRecord): SourceRecord {
  const { offset, length, line } = record.position;
  const behind = { offset: base + offset + length, line: line + 1 };
  return { ...record, behind, ...present({ inherited: inherited ? true as const : undefined }) };
}

async function lastOf(
  stretches: readonly RolloutStretch[],
  bytes: number,
  options: RecordOptions,
): Promise<RecordStretch> {
  let found: SourceRecord[] = [];
  for (const stretch of stretches.toReversed()) {
    const { path, to } = stretch;
    if (rolloutForm(path) !== "lines") return { records: [], whole: true };
    const { records, whole } = await lastRecords(path, bytes, { ...options, ...present({ to }) });
    found = [...records.map((record) => placedIn(stretch, record)), ...found];
    if (!whole) return { records: standingAmong(found, true), whole };
  }
  return { records: standingAmong(found, false), whole: true };
}

/** Reads the head of the first thread that a fork continues, and the fork's own end. */
async function forkEdges(
  stretches: readonly RolloutStretch[],
  bytes: number,
): Promise<RecordEdges> {
  const [first, own] = [stretches[0] as RolloutStretch, stretches.at(-1) as RolloutStretch];
  const { size } = readEdges(own.path, { head_bytes: 0, tail_bytes: 0 });
  const { records: tail, whole } = await lastOf(stretches, bytes, {});
  if (whole) return { head: [], tail: [], whole, bytes: size };
  const { to = Infinity } = first;
  const head: SourceRecord[] = [];
  for await (const { source, ...record } of headRecords(first.path)) {
    if (source.position.offset >= to) break;
    head.push(placedIn(first, source));
    if (isPrompt({ source, ...record })) break;
  }
  return { head, tail, whole, bytes: size };
}

// Reads the records at both ends of a rollout from which a list's row is made. The first bytes of a
// line tell its type, so nearly all lines stay unparsed.

/** Maximum bytes of a rollout that is read whole, so that the counts in its list row are known. */
const SMALL_BYTES = 16 * 1024;
/**
 * Numbers of bytes to read at each end of a rollout, tried in turn. In Codex 0.169, 45 KB precede
 * the first prompt. Long instructions make this part much longer.
 */
const EDGES = [
  reusedEdges(SMALL_BYTES, SMALL_BYTES),
  { head_bytes: 128 * 1024, tail_bytes: 128 * 1024 },
  { head_bytes: 4 * 1024 * 1024, tail_bytes: 4 * 1024 * 1024 },
];
/** Maximum bytes before a rollout's tail that are searched for the last prompt. */
const PROMPT_BYTES = 16 * 1024 * 1024;
const TAKEN_BACK = textPattern('"thread_rolled_back"');
/** Types of messages between threads. A thread can get these messages instead of prompts. */
const OF_AGENT = ["inter_agent_communication", "agent_message"];
const PROMPTS = [...OF_AGENT.map((type) => `"type":"${type}"`), '"role":"user"'].map(textPattern);

/**
 * Searches a rollout's first line for the field that names the thread that a fork continues. The
 * field can be before or after the long instructions.
 */
const findBase = byteSearch('"history_base"');

/**
 * Reads the records up to the first prompt, and the last prompt. Also reads all records from the
 * last message or call to the end. Undefined if the thread may be a fork.
 */
async function rowEdges(path: string): Promise<RecordEdges | undefined> {
  for (const [step, options] of EDGES.entries()) {
    const { head, tail, whole, size } = readEdges(path, options);
    const [first] = head;
    if (first !== undefined && mayBeFork(first)) return undefined;
    if (whole && size <= SMALL_BYTES) return { head: [], tail: [], whole, bytes: size };
    const begin = upToPrompt(head);
    const end = whole ? head : tail;
    const last = tellingEnd(end);
    const tells = last.some((one) => isRollback(one) || isLasting(toRolloutRecord(one)));
    if (step < EDGES.length - 1 && !whole && !(begin.prompted && tells)) continue;
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
    for (const one of found) records.push(one);
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

function isShownNote(source: SourceRecord): boolean {
  const { type, payload } = toRolloutRecord(source);
  return type === "response_item/message/user" && isShown(contentTexts(payload.content));
}

/** Finds the last prompt before `to`, and the last shown note after it. Empty after a rollback. */
async function lastPrompt(path: string, to: number): Promise<SourceRecord[]> {
  return await readOpened(path, async (file) => {
    const from = Math.max(0, to - PROMPT_BYTES);
    let spoken: SourceRecord[] = [];
    for await (const line of linesHolding(file, [...PROMPTS, TAKEN_BACK], { from, to })) {
      const records = recordsIn([line]);
      if (records.some(isRollback)) return [];
      const prompt = records.findLast(isPromptRecord);
      if (prompt !== undefined) return [prompt, ...spoken];
      if (spoken.length === 0) spoken = records.filter(isShownNote);
    }
    return spoken;
  });
}

/**
 * Returns the last records that show a thread's state. These are the last prompt, the last start or
 * end of a turn, and all records from the last item.
 */
function tellingEnd(lines: readonly Line[]): SourceRecord[] {
  const found: SourceRecord[] = [];
  const missing = { item: true, prompt: true, mark: true };
  for (const line of lines.toReversed()) {
    const type = lineType(line.bytes);
    if (type !== undefined && !mayTell(type, missing)) continue;
    for (const source of recordsIn([line]).reverse()) {
      const record = toRolloutRecord(source);
      found.push(source);
      // The records before a rollback may be rolled back.
      if (record.type === ROLLED_BACK) return found.reverse();
      missing.item &&= !isLasting(record);
      missing.mark &&= !isTurnMark(record.type);
      missing.prompt &&= !isPrompt(record);
    }
    if (!missing.item && !missing.mark && !missing.prompt) break;
  }
  return found.reverse();
}

const PROMPT = /^(?:response_item\/(?:message\/user|agent_message)|inter_agent_communication)$/;

function mayTell(
  type: string,
  missing: { item: boolean; prompt: boolean; mark: boolean },
): boolean {
  return missing.item || type === ROLLED_BACK || (missing.mark && isTurnMark(type)) ||
    (missing.prompt && PROMPT.test(type));
}

/** True for a record that becomes an event and shows whether its turn continues. */
function isLasting(record: RolloutRecord): boolean {
  const { type } = record;
  if (type === "response_item/message/user") return isPrompt(record);
  return type.startsWith("response_item/") && type !== "response_item/ghost_snapshot" &&
    type !== "response_item/message/developer";
}
