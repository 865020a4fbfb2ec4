/**
 * What rollbacks took back. `thread_rolled_back {num_turns}` takes the newest prompts and all behind
 * them from the thread, for the model and for people; the bytes stay (codex-rs/core,
 * `drop_last_n_user_turns`; what stands before the first prompt is kept). A compaction behind such a
 * prompt goes with it: Codex itself loses more than that (openai/codex#32851).
 */
import { SessionError } from "../../event/session_error.ts";
import { byteSource } from "../../log/byte_source.ts";
import type { Line } from "../../log/line_splitter.ts";
import { asNumber, asObject } from "../json_value.ts";
import { parseRecords, type SourceRecord } from "../source_record.ts";
import { wordSearch } from "./byte_word.ts";
import { isContextual } from "./contextual_message.ts";
import { lineType } from "./rollout_line.ts";
import { decompressed, rolloutLines, type RolloutStretch } from "./rollout_lines.ts";
import { rolloutForm } from "./rollout_name.ts";
import { type RolloutRecord, toRolloutRecord } from "./rollout_record.ts";

/** A place in a thread: which of its stretches, and the byte there. */
interface Place {
  stretch: number;
  offset: number;
}

/** What was taken back: from its first line to the record that took it. */
interface DeadRange {
  from: Place;
  to: Place;
}

/** Tells which lines were taken back. */
export type DeadRanges = readonly DeadRange[];

const ROLLBACK = "thread_rolled_back";
const WORD = `"${ROLLBACK}"`;
const findRollback = wordSearch(WORD);

function isBefore(one: Place, other: Place): boolean {
  return one.stretch < other.stretch ||
    (one.stretch === other.stretch && one.offset < other.offset);
}

function covers({ from, to }: DeadRange, place: Place): boolean {
  return !isBefore(place, from) && isBefore(place, to);
}

/** Whether the line at this place was taken back. */
export function isDead(ranges: DeadRanges, stretch: number, offset: number): boolean {
  return ranges.some((range) => covers(range, { stretch, offset }));
}

/**
 * What was taken back in a thread; or, with the id of a record that was, what was not there when it
 * was live.
 *
 * @throws {SessionError} `not-found`: no record has this id
 */
export async function findDeadRanges(
  stretches: readonly RolloutStretch[],
  branch: string | undefined,
): Promise<DeadRanges> {
  if (branch === undefined && !await mentionsRollback(stretches)) return [];
  const scan: Scan = { ranges: [], prompts: [], fresh: undefined, branch, found: undefined };
  for (const [stretch, range] of stretches.entries()) {
    for await (const lines of rolloutLines(range)) {
      for (const line of lines) scanLine(scan, line, stretch);
    }
  }
  return branch === undefined ? scan.ranges : otherBranch(scan, branch);
}

/** Whether the bytes say so anywhere; in a text the quotes of the word would be escaped. */
async function mentionsRollback(stretches: readonly RolloutStretch[]): Promise<boolean> {
  for (const { path } of stretches) {
    let seam = new Uint8Array(0);
    for await (const chunk of rolloutBytes(path)) {
      if (findRollback(chunk) >= 0) return true;
      if (findRollback(joined(seam, chunk.subarray(0, WORD.length))) >= 0) return true;
      seam = joined(seam, chunk.slice(-WORD.length)).slice(-WORD.length);
    }
  }
  return false;
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

/** The bytes of a rollout, decompressed; a chunk is valid until the next one is asked for. */
async function* rolloutBytes(path: string): AsyncGenerator<Uint8Array> {
  if (rolloutForm(path) === "compressed") return yield* decompressed(path);
  const { readable, recycle } = byteSource(path);
  for await (const chunk of readable) {
    yield chunk;
    recycle(chunk);
  }
}

interface Scan {
  ranges: DeadRange[];
  /** Where the line of each prompt that stands, or what was said just before it, begins. */
  prompts: Place[];
  /** Where a turn began in which nothing was said yet. */
  fresh: Place | undefined;
  branch: string | undefined;
  /** The record with the id of the branch. */
  found: Place | undefined;
}

/** Lines that begin no turn and take back none, told by their type alone. */
const OF_NO_ACCOUNT =
  /^(?:world_state|token_usage_record|turn_context|session_meta|event_msg\/(?!task_started|turn_started|thread_rolled_back|user_message).*)$/;

function scanLine(scan: Scan, line: Line, stretch: number): void {
  const type = scan.branch === undefined ? lineType(line.bytes) : undefined;
  if (type !== undefined && OF_NO_ACCOUNT.test(type)) return;
  const records: SourceRecord[] = [];
  parseRecords(line, records);
  for (const source of records) {
    const record = toRolloutRecord(source);
    const place = { stretch, offset: source.position.offset };
    if (scan.branch !== undefined && hasId(record, scan.branch)) scan.found ??= place;
    scanRecord(scan, record, place);
  }
}

function scanRecord(scan: Scan, record: RolloutRecord, place: Place): void {
  const { type, payload } = record;
  if (type === "event_msg/task_started" || type === "event_msg/turn_started") scan.fresh = place;
  else if (type === `event_msg/${ROLLBACK}`) {
    rollBack(scan, asNumber(payload.num_turns) ?? 0, place);
  } else if (isPrompt(record)) {
    // What stands before the first prompt is no part of its turn.
    scan.prompts.push(scan.prompts.length === 0 ? place : scan.fresh ?? place);
    scan.fresh = undefined;
  } else if (type.startsWith("response_item/message/") && isContext(record)) scan.fresh ??= place;
  else if (type.startsWith("response_item/")) scan.fresh = undefined;
}

function isPrompt({ type, payload }: RolloutRecord): boolean {
  if (type === "inter_agent_communication" || type === "response_item/agent_message") return true;
  return type === "response_item/message/user" && !isContextual(payload.content);
}

function isContext({ type, payload }: RolloutRecord): boolean {
  return type.endsWith("/developer") || isContextual(payload.content);
}

function rollBack(scan: Scan, turns: number, to: Place): void {
  const { prompts, ranges } = scan;
  const at = Math.max(0, prompts.length - turns);
  const from = prompts[at];
  scan.fresh = undefined;
  if (from === undefined) return;
  ranges.push({ from, to });
  prompts.length = at;
}

function hasId({ payload }: RolloutRecord, id: string): boolean {
  const item = asObject(payload.item);
  return [payload.id, payload.call_id, payload.turn_id, item.id].includes(id);
}

/** As the thread stood before the rollback that took the record away. */
function otherBranch({ ranges, found }: Scan, branch: string): DeadRanges {
  if (found === undefined) {
    const message = `Cannot find branch: no record has the id ${branch}`;
    throw new SessionError("not-found", message, { ref: branch });
  }
  const at = ranges.findIndex((range) => covers(range, found));
  const range = ranges[at];
  if (range === undefined) return ranges;
  return [...ranges.slice(0, at), { from: range.to, to: { stretch: Infinity, offset: 0 } }];
}
