/**
 * Finds what rollbacks took back. `thread_rolled_back {num_turns}` takes the newest prompts and all
 * behind them from the thread, for the model and for people. The bytes stay, and so does what
 * stands before the first prompt (codex-rs/core, `drop_last_n_user_turns`). A compaction behind
 * such a prompt goes with it: Codex itself loses more than that (openai/codex#32851).
 */
import type { Line } from "../../log/line_splitter.ts";
import { asName, asNumber, asObject } from "../../reading/json_value.ts";
import { parseRecords, type SourceRecord } from "../../reading/records/source_record.ts";
import { isContextual } from "./contextual_message.ts";
import { contentTexts } from "./item_content.ts";
import { lineType } from "./rollout_line.ts";
import { rolloutLines, type RolloutStretch } from "./rollout_lines.ts";
import { type RolloutRecord, toRolloutRecord } from "./rollout_record.ts";
import { shownPrompt } from "./shown_prompt.ts";

/** A place in a thread: which of its stretches, and the byte there. */
export interface Place {
  stretch: number;
  offset: number;
}

/** What stands from a prompt on, or from what was said just before it, to the next one. */
interface Turn {
  from: Place;
  /** The id of the first record that has one. */
  id: string | undefined;
  /** The first prompt that people saw. */
  title: string;
  records: number;
  /** Time of the last record. */
  updated_at: string | undefined;
}

/** What was taken back: from its first line to the record that took it. */
export interface DeadRange extends Turn {
  to: Place;
}

/** What a thread's rollbacks took back. */
export interface RollbackScan {
  /** In the order of the rollbacks. */
  ranges: DeadRange[];
  /** The record with the id that was looked for. */
  found: Place | undefined;
}

interface Scan extends RollbackScan {
  /** The turns that stand. */
  turns: Turn[];
  /** What began in which nothing was said yet: it belongs to the prompt to come. */
  fresh: Turn | undefined;
  wanted: string | undefined;
}

/** Scans a thread; `wanted` is the id of a record to find. */
export async function scanRollbacks(
  stretches: readonly RolloutStretch[],
  wanted?: string,
): Promise<RollbackScan> {
  const scan: Scan = { ranges: [], turns: [], fresh: undefined, wanted, found: undefined };
  for (const [stretch, range] of stretches.entries()) {
    for await (const lines of rolloutLines(range)) {
      for (const line of lines) scanLine(scan, line, stretch);
    }
  }
  return scan;
}

/** Lines that begin no turn and take back none, told by their type alone. */
const OF_NO_ACCOUNT =
  /^(?:world_state|token_usage_record|turn_context|session_meta|event_msg\/(?!task_started|turn_started|thread_rolled_back|user_message).*)$/;

function scanLine(scan: Scan, line: Line, stretch: number): void {
  const type = scan.wanted === undefined ? lineType(line.bytes) : undefined;
  if (type !== undefined && OF_NO_ACCOUNT.test(type)) return void countRecord(scan);
  const records: SourceRecord[] = [];
  parseRecords(line, records);
  for (const source of records) {
    const record = toRolloutRecord(source);
    const place = { stretch, offset: source.position.offset };
    if (scan.wanted !== undefined && recordIds(record).includes(scan.wanted)) scan.found ??= place;
    if (OF_NO_ACCOUNT.test(record.type)) countRecord(scan);
    else scanRecord(scan, record, place);
  }
}

function scanRecord(scan: Scan, record: RolloutRecord, place: Place): void {
  const { type, payload } = record;
  if (type === "event_msg/thread_rolled_back") {
    return rollBack(scan, asNumber(payload.num_turns) ?? 0, place);
  }
  if (type === "event_msg/task_started" || type === "event_msg/turn_started") {
    endFresh(scan);
    scan.fresh = startTurn(place);
  } else if (isPrompt(record)) {
    takePrompt(scan, record, place);
  } else if (type.startsWith("response_item/message/") && isContext(record)) {
    scan.fresh ??= startTurn(place);
  } else if (type.startsWith("response_item/")) endFresh(scan);
  const turn = countRecord(scan);
  if (turn === undefined) return;
  turn.id ??= recordIds(record)[0];
  turn.updated_at = record.time ?? turn.updated_at;
}

function startTurn(from: Place): Turn {
  return { from, id: undefined, title: "", records: 0, updated_at: undefined };
}

/** Counts a record where it belongs. */
function countRecord({ fresh, turns }: Scan): Turn | undefined {
  const turn = fresh ?? turns.at(-1);
  if (turn !== undefined) turn.records++;
  return turn;
}

/** No prompt came: what began belongs to the turn before it. */
function endFresh(scan: Scan): void {
  const { fresh, turns } = scan;
  const last = turns.at(-1);
  scan.fresh = undefined;
  if (fresh !== undefined && last !== undefined) last.records += fresh.records;
}

function takePrompt(scan: Scan, { payload }: RolloutRecord, place: Place): void {
  const { turns, fresh } = scan;
  // What stands before the first prompt is no part of its turn.
  const turn = turns.length === 0 ? startTurn(place) : fresh ?? startTurn(place);
  if (turn.title === "") turn.title = shownPrompt(contentTexts(payload.content));
  turns.push(turn);
  scan.fresh = undefined;
}

function isPrompt({ type, payload }: RolloutRecord): boolean {
  if (type === "inter_agent_communication" || type === "response_item/agent_message") return true;
  return type === "response_item/message/user" && !isContextual(payload.content);
}

function isContext({ type, payload }: RolloutRecord): boolean {
  return type.endsWith("/developer") || isContextual(payload.content);
}

function rollBack(scan: Scan, count: number, to: Place): void {
  const { turns, ranges } = scan;
  endFresh(scan);
  const [first, ...more] = turns.splice(Math.max(0, turns.length - count));
  if (first === undefined) return;
  const range = { ...first, to };
  for (const { id, title, records, updated_at } of more) {
    range.id ??= id;
    if (range.title === "") range.title = title;
    range.records += records;
    range.updated_at = updated_at ?? range.updated_at;
  }
  ranges.push(range);
}

/** The ids that a record goes by. */
function recordIds({ payload }: RolloutRecord): string[] {
  const ids = [payload.id, payload.call_id, payload.turn_id, asObject(payload.item).id];
  return ids.flatMap((id) => asName(id) ?? []);
}
