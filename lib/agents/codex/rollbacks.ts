/** Finds the records of a thread's files that rollbacks removed, and the range of each rollback. */
import { asName, asNumber, asObject } from "../engine/json.ts";
import { recordsIn } from "../engine/records/file_edges.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import { MAIN_THREAD } from "../../core/projection/session_thread.ts";
import { contentTexts, isContextual, shownPrompt } from "./item_content.ts";
import { mayHoldRollback, type RolloutStretch } from "./lineage.ts";
import { rolloutLines } from "./rollout_file.ts";
import { lineType } from "./recognized_line.ts";
import {
  isPrompt,
  isTurnStart,
  ROLLED_BACK,
  type RolloutRecord,
  toRolloutRecord,
} from "./rollout_record.ts";

/** Part of a thread that a rollback removed. Its id names the part as a thread of its own. */
export type RolledBack = RollbackScan["ranges"][number] & { id: string };

export async function findRollbacks(stretches: readonly RolloutStretch[]): Promise<RolledBack[]> {
  for (const stretch of stretches) {
    if (await mayHoldRollback(stretch)) return (await scanFiles(stretches)).ranges;
  }
  return [];
}

/**
 * Finds the ranges of a thread's files to skip when the thread is read.
 *
 * @param thread Id of the main thread, or of a part that a rollback removed.
 */
export async function deadRanges(
  stretches: readonly RolloutStretch[],
  thread: string,
): Promise<readonly DeadRange[]> {
  const ranges = await findRollbacks(stretches);
  const index = ranges.findIndex(({ id }) => id === thread);
  if (thread === MAIN_THREAD || index < 0) return ranges;
  // A removed part continues from the records before its rollback. Parts that earlier rollbacks
  // removed are skipped, and so are all records after its own.
  return [...ranges.slice(0, index), { from: ranges[index]?.to ?? 0, to: Infinity }];
}

export async function threadWithRecord(
  stretches: readonly RolloutStretch[],
  id: string,
): Promise<string | undefined> {
  const { ranges, found } = await scanFiles(stretches, id);
  if (found === undefined) return undefined;
  return ranges.find((range) => isDead([range], found))?.id ?? MAIN_THREAD;
}

/** True if no rollback follows `position`, a byte offset over all `stretches`, in the last file. */
export async function isLiveBehind(
  stretches: readonly RolloutStretch[],
  position: number,
): Promise<boolean> {
  const own = stretches.at(-1);
  return own === undefined || !await mayHoldRollback(own, Math.max(0, position - own.base));
}

async function scanFiles(
  stretches: readonly RolloutStretch[],
  wanted?: string,
): Promise<{ ranges: RolledBack[]; found: number | undefined }> {
  const scan = new RollbackScan();
  let found: number | undefined;
  for (const { path, base, to } of stretches) {
    for await (const lines of rolloutLines(to === undefined ? { path } : { path, to })) {
      for (const line of lines) {
        const type = wanted === undefined ? lineType(line.bytes) : undefined;
        if (type !== undefined && isOfNoAccount(type)) scan.count();
        else {
          for (const source of recordsIn([line])) {
            const record = toRolloutRecord(source);
            const position = base + source.position.offset;
            if (wanted !== undefined && recordIds(record).includes(wanted)) found ??= position;
            scan.take(record, position);
          }
        }
      }
    }
  }
  const ranges = scan.ranges.map((range, index) => ({
    ...range,
    id: range.id ?? `rolled-back-${index + 1}`,
  }));
  return { ranges, found };
}

// Finds the records that rollbacks removed. `thread_rolled_back {num_turns}` removes the newest
// prompts and all records after them, for the model and for people. The bytes stay, and so do the
// records before the first prompt (codex-rs/core, `drop_last_n_user_turns`). A compaction after a
// removed prompt is also removed: Codex itself loses more than that (openai/codex#32851).

/** A prompt, with the context before it and the records up to the next prompt. */
interface Turn {
  from: number;
  /** Id of the turn's first record that has an id. Undefined if no record has one. */
  id: string | undefined;
  /** The turn's first prompt as people saw it. Empty if there is none. */
  title: string;
  records: number;
  updated_at: string | undefined;
}

/** A range of positions that a rollback removed. */
export interface DeadRange {
  from: number;
  /** Exclusive end of the range, the position of the rollback's record. */
  to: number;
}

export function isDead(ranges: readonly DeadRange[], position: number): boolean {
  return ranges.some(({ from, to }) => from <= position && position < to);
}

/** Matches types of records that neither begin a turn nor roll one back. */
const OF_NO_ACCOUNT =
  /^(?:world_state|token_usage_record|turn_context|session_meta|event_msg\/(?!task_started|turn_started|thread_rolled_back|user_message).*)$/;

function isOfNoAccount(type: string): boolean {
  return OF_NO_ACCOUNT.test(type);
}

/** Collects a thread's turns and rolled-back ranges. The records must be taken in order. */
class RollbackScan {
  readonly ranges: (DeadRange & Turn)[] = [];
  /** The turns that were not rolled back. */
  readonly #turns: Turn[] = [];
  /** A started turn whose prompt was not read yet. */
  #fresh: Turn | undefined;
  readonly #partial: boolean;

  /** @param partial True where the scan begins amid a thread. @default {false} */
  constructor(partial = false) {
    this.#partial = partial;
  }

  take(record: RolloutRecord, position: number): void {
    const { type, payload } = record;
    if (isOfNoAccount(type)) return void this.count();
    if (type === ROLLED_BACK) {
      return this.#rollBack(asNumber(payload.num_turns) ?? 0, position);
    }
    if (isTurnStart(record)) {
      this.#endFresh();
      this.#fresh = startTurn(position);
    } else if (isPrompt(record)) {
      this.#begin(contentTexts(payload.content), position);
    } else if (type.startsWith("response_item/message/") && isContext(record)) {
      this.#fresh ??= startTurn(position);
    } else if (type.startsWith("response_item/")) this.#endFresh();
    const turn = this.count();
    if (turn === undefined) return;
    turn.id ??= recordIds(record)[0];
    turn.updated_at = record.time ?? turn.updated_at;
  }

  /** Counts a record in the current turn. Returns that turn, or undefined before the first turn. */
  count(): Turn | undefined {
    const turn = this.#fresh ?? this.#turns.at(-1);
    if (turn !== undefined) turn.records++;
    return turn;
  }

  #begin(prompt: string, position: number): void {
    // Records before the first prompt are not part of its turn.
    const fresh = this.#turns.length === 0 && !this.#partial ? undefined : this.#fresh;
    const turn = fresh ?? startTurn(position);
    if (turn.title === "") turn.title = shownPrompt(prompt);
    this.#turns.push(turn);
    this.#fresh = undefined;
  }

  /** Ends a started turn that got no prompt. The turn's records are added to the turn before. */
  #endFresh(): void {
    const last = this.#turns.at(-1);
    if (last !== undefined) last.records += this.#fresh?.records ?? 0;
    this.#fresh = undefined;
  }

  #rollBack(count: number, to: number): void {
    this.#endFresh();
    const before = this.#partial && count > this.#turns.length ? [startTurn(0)] : [];
    const taken = this.#turns.splice(Math.max(0, this.#turns.length - count));
    const [first, ...more] = [...before, ...taken];
    if (first === undefined) return;
    const range = { ...first, to };
    for (const { id, title, records, updated_at } of more) {
      range.id ??= id;
      if (range.title === "") range.title = title;
      range.records += records;
      range.updated_at = updated_at ?? range.updated_at;
    }
    this.ranges.push(range);
  }
}

/**
 * Returns the records that no rollback removed.
 *
 * @param records The last records of a thread.
 * @param partial True if the thread has earlier records.
 */
export function standingAmong(records: SourceRecord[], partial: boolean): SourceRecord[] {
  const rollouts = records.map(toRolloutRecord);
  if (!rollouts.some(({ type }) => type === ROLLED_BACK)) return records;
  const scan = new RollbackScan(partial);
  for (const [index, record] of rollouts.entries()) scan.take(record, index);
  return records.filter((_, index) => !isDead(scan.ranges, index));
}

function startTurn(from: number): Turn {
  return { from, id: undefined, title: "", records: 0, updated_at: undefined };
}

function isContext({ type, payload }: RolloutRecord): boolean {
  return type.endsWith("/developer") || isContextual(payload.content);
}

function recordIds({ payload }: RolloutRecord): string[] {
  const ids = [payload.id, payload.call_id, payload.turn_id, asObject(payload.item).id];
  return ids.flatMap((id) => asName(id) ?? []);
}
