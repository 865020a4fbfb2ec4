/**
 * A source for a file whose later lines change or remove earlier records. It returns the records
 * that remain at the end. The file is first replayed, and only positions stay in memory.
 */
import type { LinePosition } from "../../../core/event/envelope.ts";
import { count, countSide } from "../../contract/source_account.ts";
import { readRecords, type RecordOptions } from "../records/jsonl_records.ts";
import { readRecordsAt, type RecordPlace } from "../records/records_at.ts";
import type { SourceRecord } from "../records/source_record.ts";
import { lineEdges } from "./line_source.ts";
import type { PlacedSource, RecordStretch } from "./record_source.ts";

/** The position of a record that no later line removed. The record is a line or part of a line. */
export interface StandingPlace extends RecordPlace {
  /** Index of the record within its line. Absent if the record is the whole line. */
  part?: number | undefined;
  /** True if the record continues the message of the previous record. */
  continues?: boolean | undefined;
}

export interface ReplayRules<Replay> {
  /**
   * Returns the state of a replay before the first record.
   *
   * @param partial True if the replay gets only some of the file's records.
   */
  begin(partial: boolean): Replay;
  /** Takes the next record. Returns the record's type if it is not part of the dialogue. */
  take(replay: Replay, record: SourceRecord): string | undefined;
  /** Returns the record with the facts about the whole session. Undefined if there is none. */
  head(replay: Replay): SourceRecord | undefined;
  /** Returns the positions of the records that no later record removed, in order. */
  standing(replay: Replay): Iterable<StandingPlace>;
  parts(value: SourceRecord["value"]): readonly Record<string, unknown>[];
}

/** A line with records that the replay keeps. `parts` has their indexes if it is a list. */
interface StandingLine extends RecordPlace {
  parts?: number[];
  continues?: boolean | undefined;
}

interface Standing {
  head: SourceRecord | undefined;
  lines: readonly StandingLine[];
}

export function replayedSource<Replay>(path: string, rules: ReplayRules<Replay>): PlacedSource {
  let replayed: Standing | undefined;
  const replay = async (options: RecordOptions): Promise<Standing> =>
    replayed ??= await replayFile(path, rules, options);
  return {
    async *read(options = {}, from): AsyncGenerator<readonly SourceRecord[]> {
      const { head, lines } = await replay(options);
      if (from === undefined && head !== undefined) yield [head];
      // The position after the head is in no line of the list: then all lines follow.
      const behind = lines.findIndex(({ offset, length, parts }) =>
        parts === undefined && offset + length === from?.offset
      );
      yield* recordsOf(path, rules, lines.slice(behind + 1), options);
    },
    last: async (bytes, options = {}) =>
      await lastStanding(path, rules, (await replay(options)).lines, bytes),
    edges: (bytes) => Promise.resolve().then(() => lineEdges(path, bytes)),
    standing: (records) => standingAmong(rules, records, true),
  };
}

export function standingAmong<Replay>(
  rules: ReplayRules<Replay>,
  records: readonly SourceRecord[],
  partial = false,
): SourceRecord[] {
  const replay = rules.begin(partial);
  for (const record of records) rules.take(replay, record);
  const standing = recordsAmong(rules, records, rules.standing(replay));
  const head = rules.head(replay);
  return head === undefined ? standing : [head, ...standing];
}

/** Returns the records at the given positions, taken from `records` instead of the file. */
export function recordsAmong<Replay>(
  rules: ReplayRules<Replay>,
  records: readonly SourceRecord[],
  places: Iterable<StandingPlace>,
): SourceRecord[] {
  const by_offset = new Map(records.map((record) => [record.position.offset, record]));
  return standingLines(places).flatMap((line) =>
    recordsIn(rules, line, by_offset.get(line.offset))
  );
}

export function recordsAt<Replay>(
  path: string,
  rules: ReplayRules<Replay>,
  places: Iterable<StandingPlace>,
): AsyncGenerator<SourceRecord[]> {
  return recordsOf(path, rules, standingLines(places), {});
}

async function replayFile<Replay>(
  path: string,
  rules: ReplayRules<Replay>,
  { account, report, signal }: RecordOptions,
): Promise<Standing> {
  const replay = rules.begin(false);
  let bytes = 0;
  for await (const records of readRecords(path, { account, report, signal })) {
    for (const record of records) {
      const side = rules.take(replay, record);
      if (side === undefined) bytes += record.position.length;
      else countSide(account, side, record.position.length);
    }
  }
  const standing = { head: rules.head(replay), lines: standingLines(rules.standing(replay)) };
  countStanding(standing, bytes, account);
  return standing;
}

/** Counts fully removed lines as `dead`. Counts lines that were removed in part as `events`. */
function countStanding(
  { head, lines }: Standing,
  bytes: number,
  account: RecordOptions["account"],
): void {
  const whole = new Map<number, number>();
  const parted = new Map<number, number>();
  const take = ({ offset, length }: LinePosition, is_part: boolean): void =>
    void (is_part ? parted : whole).set(offset, length);
  for (const line of lines) take(line, line.parts !== undefined);
  if (head !== undefined) take(head.position, head.part !== undefined);
  for (const offset of whole.keys()) parted.delete(offset);
  const events = sumOf(parted);
  count(account, "events", events);
  count(account, "dead", bytes - events - sumOf(whole));
}

function sumOf(lengths: ReadonlyMap<number, number>): number {
  return [...lengths.values()].reduce((sum, length) => sum + length, 0);
}

/** Returns positions grouped by line: adjacent parts of one line become one entry. */
function standingLines(places: Iterable<StandingPlace>): StandingLine[] {
  const lines: StandingLine[] = [];
  for (const { part, ...place } of places) {
    const last = lines.at(-1);
    if (part === undefined) lines.push(place);
    else if (last?.parts !== undefined && last.offset === place.offset) last.parts.push(part);
    else lines.push({ ...place, parts: [part] });
  }
  return lines;
}

async function* recordsOf<Replay>(
  path: string,
  rules: ReplayRules<Replay>,
  lines: readonly StandingLine[],
  { signal }: RecordOptions,
): AsyncGenerator<SourceRecord[]> {
  for await (const batch of readRecordsAt(path, lines, { signal })) {
    yield batch.flatMap(({ place, record }) => recordsIn(rules, place, record));
  }
}

function recordsIn<Replay>(
  rules: ReplayRules<Replay>,
  { parts, continues }: StandingLine,
  record: SourceRecord | undefined,
): SourceRecord[] {
  if (record === undefined) return [];
  if (parts === undefined) return [continues ? { ...record, continues } : record];
  const values = rules.parts(record.value);
  return parts.map((part) => ({ ...record, value: values[part] ?? {}, part }));
}

async function lastStanding<Replay>(
  path: string,
  rules: ReplayRules<Replay>,
  lines: readonly StandingLine[],
  bytes: number,
): Promise<RecordStretch> {
  let first = lines.length;
  for (let size = 0; first > 0; first--) {
    size += lines[first - 1]?.length ?? 0;
    if (size > bytes && first < lines.length) break;
  }
  const records: SourceRecord[] = [];
  for await (const batch of recordsOf(path, rules, lines.slice(first), {})) {
    for (const one of batch) {
      records.push(one);
    }
  }
  return { records, whole: first === 0 };
}
