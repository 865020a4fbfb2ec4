/**
 * Reads the rows of a session in a database as a source of records. A row's offset is its number.
 */
import type { SourceAccount } from "../../contract/agent.ts";
import type { RecordOptions } from "../records/jsonl_records.ts";
import type { RecordSink, SourceRecord } from "../records/source_record.ts";
import type { PlacedSource, RecordEdges, RecordStretch } from "./record_source.ts";

/** A record made from a row. `size` is the total length of the row's texts. */
export type SessionRow = Pick<SourceRecord, "value" | "weight"> & { size: number };

export interface SessionRows extends Disposable {
  readonly count: number;
  /** Unit of the `SourceAccount`, such as bytes if the rows come from a file. @default {"rows"} */
  readonly unit?: SourceAccount["unit"];
  /** Returns the row at an index from 0. Undefined if damaged, which is reported and counted. */
  at(number: number, sink: RecordSink): SessionRow | undefined;
  countRest?(sink: RecordSink): void;
}

const BATCH = 64;

/**
 * Makes the source of a session's rows. Each read opens the rows anew.
 *
 * @param open Opens the rows. Throws the errors of {@linkcode RecordSource.read}.
 */
export function rowSource(open: () => SessionRows): PlacedSource {
  return {
    read: (options = {}, from) => readRows(open, options, from?.offset),
    last: (bytes, options = {}) => Promise.resolve().then(() => lastRows(open, bytes, options)),
    edges: (bytes) => Promise.resolve().then(() => rowEdges(open, bytes)),
  };
}

async function* readRows(
  open: () => SessionRows,
  options: RecordOptions,
  from?: number,
): AsyncGenerator<SourceRecord[]> {
  const { account, signal } = options;
  using rows = open();
  if (account !== undefined) account.unit = rows.unit ?? "rows";
  for (let start = from ?? 0; start < rows.count; start += BATCH) {
    signal?.throwIfAborted();
    const numbers = Array.from({ length: BATCH }, (_, index) => start + index);
    const records = numbers.flatMap((number) => recordAt(rows, number, options));
    if (records.length > 0) yield records;
  }
  if (from === undefined) rows.countRest?.(options);
}

function recordAt(rows: SessionRows, number: number, sink: RecordSink): SourceRecord[] {
  const row = number < rows.count ? rows.at(number, sink) : undefined;
  return row === undefined
    ? []
    : [{ ...row, position: { offset: number, length: 1, line: number + 1 } }];
}

function lastRows(open: () => SessionRows, bytes: number, sink: RecordSink): RecordStretch {
  using rows = open();
  const numbers = Array.from({ length: rows.count }, (_, index) => rows.count - 1 - index);
  const { records, whole } = rowsIn(rows, numbers, bytes, sink);
  return { records: records.reverse(), whole };
}

/** Fraction of `bytes` to read at each end. Less than for a file, because rows are never cut. */
const EDGE_PART = 1 / 4;

function rowEdges(open: () => SessionRows, bytes: number): RecordEdges {
  using rows = open();
  const numbers = Array.from({ length: rows.count }, (_, index) => index);
  const all = rowsIn(rows, numbers, 2 * bytes * EDGE_PART, {});
  if (all.whole) return { head: all.records, tail: [], whole: true };
  const tail = rowsIn(rows, numbers.reverse(), bytes * EDGE_PART, {}).records.reverse();
  return { head: all.records, tail, whole: false };
}

/** Reads rows until `bytes` would be exceeded, but at least one row. */
function rowsIn(
  rows: SessionRows,
  numbers: readonly number[],
  bytes: number,
  sink: RecordSink,
): { records: SourceRecord[]; whole: boolean } {
  const records: SourceRecord[] = [];
  let size = 0;
  for (const number of numbers) {
    for (const record of recordAt(rows, number, sink)) {
      size += record.size ?? 0;
      if (size > bytes && records.length > 0) return { records, whole: false };
      records.push(record);
    }
  }
  return { records, whole: true };
}
