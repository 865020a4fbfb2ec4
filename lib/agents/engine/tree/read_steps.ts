/** Reads the records of a path in order. Adjacent records are read together. */
import { isDeeperThan, MAX_DEPTH } from "../../../core/event/decode.ts";
import { isUtf8 } from "../../../core/event/bytes.ts";
import { keepExactMembers } from "../records/exact_members.ts";
import { readRecordAt, readRuns, recordIn } from "../records/records_at.ts";
import type { RecordSink, SourceRecord } from "../records/source_record.ts";
import { DAMAGED, hasFlag, rowPlace, type TreeIndex } from "./record_index.ts";
import { isPiece, PIECE, rowOfStep, type Steps, toStep, TreeNode } from "./steps.ts";
import type { TreeFormat, TreeRecord } from "./tree_format.ts";

/** A step of a path and its records. The list is empty if they are not needed or cannot be read. */
export interface ReadStep {
  node: TreeNode;
  records: TreeRecord[];
}

export interface ReadStepsOptions extends RecordSink {
  signal?: AbortSignal | undefined;
  /** True to parse only the part of each record that holds the message, if the index located it. */
  bodies_only?: boolean;
  /** True if a row's record is needed. Other rows become steps without records. @default {all} */
  isNeeded?: ((row: number) => boolean) | undefined;
}

type RecordFormat = Pick<
  TreeFormat,
  "ownRecord" | "fromBody"
>;

/**
 * Reads the steps of a path, in batches.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readSteps(
  format: RecordFormat,
  path: string,
  index: TreeIndex,
  steps: Steps,
  options: ReadStepsOptions = {},
): AsyncGenerator<ReadStep[]> {
  const { isNeeded, signal } = options;
  const wanted = (row: number): boolean =>
    !hasFlag(index, row, DAMAGED) && (isNeeded === undefined || isNeeded(row));
  const all = withOtherPieces(index, steps);
  const rowAt = (at: number): number => rowOfStep(all[at] as number);
  const runs = readRuns(path, {
    count: all.length,
    offset: (at) => index.offset[rowAt(at)] as number,
    length: (at) => wanted(rowAt(at)) ? index.length[rowAt(at)] as number : 0,
  }, signal);
  let held: ReadStep | undefined;
  for await (const { from, to, offset, bytes } of runs) {
    const batch: ReadStep[] = held === undefined ? [] : [held];
    for (let at = from; at < to; at++) {
      const row = rowAt(at);
      const record = wanted(row)
        ? recordOf(format, index, row, bytes, (index.offset[row] as number) - offset, options)
        : undefined;
      if (!isPiece(all[at] as number)) {
        batch.push({ node: new TreeNode(index, all[at] as number), records: [] });
      }
      if (record !== undefined) batch.at(-1)?.records.push(record);
    }
    // Pieces of the last step may be in the next batch.
    held = all !== steps && to < all.length ? batch.pop() : undefined;
    yield batch;
  }
}

export interface ReadRecord {
  node: TreeNode;
  record: TreeRecord;
}

/**
 * Reads the first record of each step, one after another. Skips steps without a readable record.
 *
 * @throws {SessionError} As {@linkcode readSteps}.
 */
export async function* readEach(
  format: RecordFormat,
  path: string,
  index: TreeIndex,
  steps: Steps,
): AsyncGenerator<ReadRecord> {
  for await (const batch of readSteps(format, path, index, steps)) {
    for (const { node, records: [record] } of batch) {
      if (record !== undefined) yield { node, record };
    }
  }
}

function withOtherPieces({ pieces }: TreeIndex, steps: Steps): Steps {
  if (pieces.size === 0) return steps;
  return Int32Array.from(
    Array.from(steps).flatMap((step) => [
      step,
      ...(pieces.get(rowOfStep(step)) ?? []).map((row) => toStep(row, PIECE)),
    ]),
  );
}

/**
 * Reads the record of a row. Undefined if it cannot be read.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export function readRow(
  format: RecordFormat,
  path: string,
  index: TreeIndex,
  row: number,
): SourceRecord | undefined {
  return owned(format, index, row, readRecordAt(path, rowPlace(index, row)));
}

/** Returns the record as `ownRecord` gives it. Undefined if `record` is of another row. */
export function owned(
  { ownRecord }: RecordFormat,
  index: TreeIndex,
  row: number,
  record: SourceRecord | undefined,
): SourceRecord | undefined {
  if (record === undefined || ownRecord === undefined) return record;
  return ownRecord(record, index, row);
}

function recordOf(
  format: RecordFormat,
  index: TreeIndex,
  row: number,
  bytes: Uint8Array,
  start: number,
  options: ReadStepsOptions,
): TreeRecord | undefined {
  const body = index.body[row] as number;
  if (options.bodies_only === true && body > 0 && format.fromBody !== undefined) {
    const from = start + body;
    const value = parsedBody(bytes.subarray(from, from + (index.body_length[row] as number)));
    if (value !== undefined) return { value: format.fromBody(value, index, row) };
  }
  const raw = bytes.subarray(start, start + (index.length[row] as number));
  return owned(format, index, row, recordIn(rowPlace(index, row), raw, options));
}

const decoder = new TextDecoder();
/** Length in bytes up to which a body cannot be nested too deeply. */
const SHORTEST_DEEP_BODY = 2 * MAX_DEPTH - 2;

function parsedBody(bytes: Uint8Array): unknown {
  try {
    const text = decoder.decode(bytes);
    // Invalid UTF-8 and too deep values are reported when the whole line is parsed.
    if (text.includes("\ufffd") && !isUtf8(bytes)) return undefined;
    const body: unknown = JSON.parse(text);
    if (bytes.length > SHORTEST_DEEP_BODY && isDeeperThan(body, MAX_DEPTH - 1)) return undefined;
    keepExactMembers(body, text);
    return body;
  } catch {
    // SyntaxError: damaged, or more than a body.
    return undefined;
  }
}
