/**
 * Makes the first pass over a file: finds its records and their parents. If the format has a
 * scanner, only some bytes of most lines are read.
 */
import { type Diagnostic, isDamage } from "../../../core/log/diagnostic.ts";
import { lineBlocksInTurns, lineIn, linesIn } from "../../../core/log/line_blocks.ts";
import type { Line } from "../../../core/log/line_splitter.ts";
import { count, countSide } from "../../contract/source_account.ts";
import { readLines, type RecordOptions } from "../records/jsonl_records.ts";
import { recordIn } from "../records/records_at.ts";
import { parseRecords, type SourceRecord } from "../records/source_record.ts";
import { linkParents, linkRepeated } from "./parent_link.ts";
import type { IndexFormat, LineScanner, NodeFacts } from "./path_format.ts";
import { build } from "./record_ids.ts";
import {
  addLinked,
  codeOf,
  DAMAGED,
  emptyIndex,
  emptyRecord,
  hasFlag,
  hostOf,
  LOST,
  type NewRecord,
  recordId,
  REPEATED,
  ROOT,
  rowOf,
  rowPlace,
  SALVAGED,
  type TreeIndex,
} from "./record_index.ts";

const CR = 0x0d;
const CLOSE_OBJECT = 0x7d;
/** Number of records for which memory is reserved at first. Most sessions have fewer. */
const FIRST_ROWS = 4096;

/**
 * Indexes a file. With `thorough`, every line is parsed, so that all damage is found and all bytes
 * are counted. Otherwise lines that look whole are only scanned.
 */
export async function indexFile<Head>(
  format: IndexFormat<Head>,
  path: string,
  options: RecordOptions,
  thorough: boolean,
): Promise<TreeIndex<Head>> {
  if (!thorough && format.scanner !== undefined) {
    const indexing = new Indexing(format, options, FIRST_ROWS);
    await indexing.takeBlocks(path);
    return indexing.end();
  }
  const indexing = new Indexing(format, options);
  for await (const lines of readLines(path, options)) {
    for (const line of lines) indexing.parse(line);
  }
  const index = indexing.end();
  if (thorough) linkRepeated(index);
  return index;
}

export function indexLines<Head>(
  format: IndexFormat<Head>,
  lines: readonly Line[],
): TreeIndex<Head> {
  const indexing = new Indexing(format, {}, lines.length + 1);
  for (const line of lines) indexing.take(line);
  return indexing.end();
}

export function indexRecords<Head>(
  format: IndexFormat<Head>,
  records: Iterable<SourceRecord>,
): TreeIndex<Head> {
  const indexing = new Indexing(format, {});
  for (const record of records) indexing.add(record);
  return indexing.end();
}

class Indexing<Head> {
  readonly #index: TreeIndex<Head>;
  readonly #format: IndexFormat<Head>;
  readonly #options: RecordOptions;
  readonly #scanner: LineScanner<Head> | undefined;
  /** The current record. All lines share this object, because a file has very many lines. */
  readonly #found: NewRecord = emptyRecord();
  /** Offset at which the last damage begins, or -1. `#end` is the offset after the last record. */
  #damage = -1;
  #end = 0;

  constructor(format: IndexFormat<Head>, options: RecordOptions, rows?: number) {
    this.#index = emptyIndex(format.head(), format.types, rows);
    this.#format = format;
    this.#options = options;
    this.#scanner = format.scanner?.();
  }

  end(): TreeIndex<Head> {
    const index = this.#index;
    this.#scanner?.end?.(index);
    if (this.#format.looksUp?.(index) ?? true) build(index.ids);
    linkParents(index);
    this.#format.finish?.(index);
    return index;
  }

  async takeBlocks(path: string): Promise<void> {
    const found = this.#found;
    let number = 1;
    for await (const block of lineBlocksInTurns(path, this.#options.signal)) {
      const { finder, feeds, end, offset, oversized } = block;
      if (oversized) {
        for (const line of linesIn(block, number++)) this.take(line);
        continue;
      }
      const { bytes } = finder;
      this.#scanner?.begin?.(bytes, end, finder);
      const { count } = this.#index;
      for (let start = 0, at = 0; start < end; number++) {
        const stop = feeds[at++] ?? end;
        const next = Math.min(stop + 1, end);
        found.offset = offset + start;
        found.length = next - start;
        found.line = number;
        if (stop === end || !this.#scan(bytes, start, stop)) {
          this.parse(lineIn(block, start, stop, number));
        }
        start = next;
      }
      if (this.#index.count > count) this.#check(bytes, offset);
    }
  }

  #check(bytes: Uint8Array, offset: number): void {
    const index = this.#index;
    const row = index.count - 1;
    const place = rowPlace(index, row);
    const start = place.offset - offset;
    const record = recordIn(place, bytes.subarray(start, start + place.length), {});
    const is_whole = record !== undefined && !record.salvaged && !hasFlag(index, row, DAMAGED);
    if (is_whole && this.#format.idOf(record) === recordId(index, row)) index.whole_row = row;
  }

  take(line: Line): void {
    const { bytes, terminated, oversized, offset, length, line: number } = line;
    Object.assign(this.#found, { offset, length, line: number });
    if (!oversized) this.#scanner?.begin?.(bytes, bytes.length);
    if (oversized || !terminated || !this.#scan(bytes, 0, bytes.length)) this.parse(line);
  }

  /** Adds a line's record without parsing the line. Returns false if the line must be parsed. */
  #scan(bytes: Uint8Array, start: number, stop: number): boolean {
    if (this.#scanner === undefined) return false;
    const end = bytes[stop - 1] === CR ? stop - 1 : stop;
    if (bytes[end - 1] !== CLOSE_OBJECT) return false;
    const scanned = this.#scanner.scan(this.#index, this.#found, bytes, start, end);
    if (scanned === undefined) return false;
    if (scanned === "record") addLinked(this.#index, this.#found);
    else if (scanned !== "head") {
      countSide(this.#options.account, scanned.beside, this.#found.length);
    }
    return true;
  }

  parse(line: Line): void {
    const { account, report } = this.#options;
    const records: SourceRecord[] = [];
    let damaged = false;
    parseRecords(line, records, {
      account,
      report: (diagnostic: Diagnostic): void => {
        damaged ||= diagnostic.code !== "invalid-utf8";
        if (isDamage(diagnostic.code)) this.#damage = diagnostic.offset;
        report?.(diagnostic);
      },
    });
    if (damaged) this.#rescue(line, records);
    for (const record of records) this.add(record);
  }

  /** Links a damaged line to the parent that it names. So earlier records stay in the path. */
  #rescue(
    { bytes, oversized, offset, length, line }: Line,
    records: readonly SourceRecord[],
  ): void {
    const found = this.#found;
    if (oversized || this.#scanner?.rescue(this.#index, found, bytes) !== true) return;
    if (records.some((record) => this.#format.idOf(record) === found.id)) return;
    Object.assign(found, { offset, length, line, flags: found.flags | DAMAGED });
    addLinked(this.#index, found);
  }

  add(record: SourceRecord): void {
    const { position: { offset, length } } = record;
    const facts = this.#format.index(record, this.#index);
    if (facts === "head") count(this.#options.account, "events", length);
    else if ("beside" in facts) countSide(this.#options.account, facts.beside, length);
    else this.#addFacts(facts, record);
    this.#end = offset + length;
  }

  #addFacts(facts: NodeFacts, { position, salvaged }: SourceRecord): void {
    const index = this.#index;
    const { id, parent_id, type, subtype, flags = 0, time = NaN, answer = 0 } = facts;
    const first = this.#format.repeated === "joined" ? rowOf(index, id) : -1;
    const row = addLinked(index, {
      ...{ id, type: codeOf(index.types, type), subtype, time, answer, body: 0, body_length: 0 },
      flags: flags | (salvaged ? SALVAGED : 0) | (first >= 0 ? REPEATED : 0),
      parent: parent_id === undefined || first >= 0 ? ROOT : LOST,
      parent_id: parent_id ?? undefined,
      ...position,
    });
    if (first >= 0) this.#join(row, first);
    else if (this.#damage >= 0) this.#bridge(row, facts);
  }

  /** Marks `row` as a further piece of `first`, a record with the same id. */
  #join(row: number, first: number): void {
    const { pieces, ids } = this.#index;
    const others = pieces.get(first);
    if (others === undefined) pieces.set(first, [row]);
    else others.push(row);
    ids.joined.add(row);
  }

  /** Stores the last leaf before damaged lines as fallback parent of the record after them. */
  #bridge(row: number, facts: NodeFacts): void {
    const index = this.#index;
    const is_behind = this.#end <= this.#damage && this.#damage < (index.offset[row] as number);
    if (!is_behind || this.#format.isBridged?.(facts) !== true) return;
    const leaf = lastLeaf(this.#format, index, row - 1);
    if (leaf >= 0) index.bridges.set(row, leaf);
  }
}

/** Returns the last row up to `from` from which the agent may continue, or -1. */
export function lastLeaf<Head>(
  format: IndexFormat<Head>,
  index: TreeIndex<Head>,
  from = index.count - 1,
): number {
  let row = from;
  while (row >= 0 && (hasFlag(index, row, DAMAGED) || format.isLeaf?.(index, row) === false)) row--;
  return hostOf(index, row);
}
