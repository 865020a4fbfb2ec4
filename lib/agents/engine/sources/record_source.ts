/**
 * The contract of a source of records, such as a file of lines, a JSON document or database rows.
 */
import type { RecordOptions } from "../records/jsonl_records.ts";
import type { SourceRecord } from "../records/source_record.ts";

/** A position between two records of a source. */
export interface SourcePosition {
  /** The byte offset of the record to read next, or its row number in a database. */
  readonly offset: number;
  /** The line number of the record to read next, from 1. */
  readonly line: number;
}

export interface RecordStretch {
  /** The records, in the order of the source. */
  readonly records: readonly SourceRecord[];
  /** True if these are all records of the source. */
  readonly whole: boolean;
}

/**
 * The first and last records of a source. Records that a list's row does not need may be left out.
 */
export interface RecordEdges {
  /** The first records. If `whole`: all records, or none if the source is quick to read again. */
  readonly head: readonly SourceRecord[];
  /** The last records. None if `whole`, or if the source does not read the tail with the head. */
  readonly tail: readonly SourceRecord[];
  /** True if the source is not larger than both requested ends together. */
  readonly whole: boolean;
  /** Size of the session in bytes. Absent if the file also has other sessions. */
  readonly bytes?: number;
}

/** The start of the current conversation. The model no longer gets the messages before it. */
export interface ForceStart {
  readonly position: SourcePosition;
  /** True if no record after the position replaces earlier messages. */
  readonly settled: boolean;
}

export type RecordSource = PlacedSource | RewrittenSource;

/** A source in which reading can continue at a position, such as a file of lines. */
export interface PlacedSource {
  /**
   * Reads the records after a position in batches. Without a position, reads all records. Counts
   * blank and damaged bytes, and reports the damage. The caller counts whole-line records.
   *
   * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
   */
  read(options?: RecordOptions, from?: SourcePosition): AsyncIterable<readonly SourceRecord[]>;
  /**
   * Reads the records in the last `bytes`: at least one record if there is any.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  last(bytes: number, options?: RecordOptions): Promise<RecordStretch>;
  /**
   * Reads the records in the first and the last `bytes`, for the row of a list.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  edges(bytes: number, options?: Pick<RecordOptions, "skip">): Promise<RecordEdges>;
  /**
   * Finds where the current conversation begins. Undefined if only a read of all records shows
   * this. Only sources whose records can replace all earlier messages have this method.
   *
   * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
   */
  inForce?(signal?: AbortSignal): Promise<ForceStart | undefined>;
  /**
   * Returns the given records without those that later records replaced. Present only if records of
   * the source can replace earlier ones. The given records must come from the same opened source,
   * because it replays the file only once.
   */
  standing?(records: readonly SourceRecord[]): SourceRecord[];
}

/**
 * A source that its agent rewrites as a whole, such as a JSON document or a compressed file. The
 * source is always read from the start, because any change invalidates positions.
 */
export interface RewrittenSource {
  readonly rewritten: true;
  /** True if the file has other sessions, too. Its size is not the session's. @default {false} */
  readonly shared?: boolean;
  read(
    options?: RecordOptions,
  ): AsyncIterable<readonly SourceRecord[]> | Iterable<readonly SourceRecord[]>;
}

/**
 * Returns the position after a record. Undefined for a part of a line, or a record salvaged from a
 * damaged line.
 */
export function positionBehind(
  { position: { offset, length, line }, salvaged, behind, part }: SourceRecord,
): SourcePosition | undefined {
  if (salvaged || part !== undefined) return undefined;
  return behind ?? { offset: offset + length, line: line + 1 };
}
