/** Indexes pi's entries: each names the one that it follows. */
import { fieldNames, findFields, textField } from "../../core/log/json_bytes/find_fields.ts";
import { asName, asNumber, asText } from "../engine/json.ts";
import type { SourceRecord } from "../engine/records/source_record.ts";
import type { Indexed, LineScanner } from "../engine/tree/path_format.ts";
import {
  codeOf,
  DAMAGED,
  hasFlag,
  LOST,
  type NewRecord,
  type RecordIndex,
  recordName,
  ROOT,
  type TreeIndex,
} from "../engine/tree/record_index.ts";

export interface PiHead {
  /** The first line, unless it was lost. */
  header?: SourceRecord;
  /** The title in the line before it; see `givenTitle`. */
  title?: string | undefined;
  /** True where entries follow each other in the order of the file. */
  linear: boolean;
}

/** An entry that goes on from the one that it chooses (OpenClaw 2026.9.6, transcript-tree). */
const LEAF = "leaf";
const ENTRY = fieldNames("type", "id", "parentId");

/** Makes a scanner that reads the facts of entries from the first fields of their lines. */
export function entryScanner(): LineScanner<PiHead> {
  const scan = (index: TreeIndex<PiHead>, found: NewRecord, line: Uint8Array): boolean => {
    if (index.head.linear) return false;
    const spans = findFields(line, ENTRY);
    const type = textField(line, spans, 0);
    const id = textField(line, spans, 1);
    if (
      type === undefined || type === "session" || type === LEAF || id === undefined || id === ""
    ) return false;
    found.id = id;
    found.type = codeOf(index.types, type);
    found.flags = 0;
    found.parent_id = textField(line, spans, 2) || undefined;
    found.parent = found.parent_id === undefined ? ROOT : LOST;
    return true;
  };
  return {
    scan: (index, found, bytes, start, end) =>
      scan(index, found, bytes.subarray(start, end)) ? "record" : undefined,
    rescue: scan,
  };
}

/** Tells where a line belongs: the header, once, and entries. */
export function indexEntry({ value, ...record }: SourceRecord, index: TreeIndex<PiHead>): Indexed {
  const { head, count } = index;
  if (value.type === "session") {
    const is_first = !index.flags.subarray(0, count).some((flags) => (flags & DAMAGED) === 0);
    if (head.header !== undefined || !is_first) return { beside: "session" };
    head.header = { value, ...record };
    head.linear = (asNumber(value.version) ?? 1) < 2;
    return "head";
  }
  if (isTitleLine(value)) {
    head.title = asText(value.title);
    return { beside: "title" };
  }
  const own = head.linear ? undefined : asName(value.id);
  return {
    id: own ?? syntheticId(count + 1),
    parent_id: own === undefined
      ? null
      : asName(value.type === LEAF ? value.targetId : value.parentId),
    type: asText(value.type) ?? "unknown",
  };
}

/** True for the line in which oh-my-pi keeps the title (18.2.3, SessionTitleSlotEntry): no entry. */
export function isTitleLine({ type, id }: SourceRecord["value"]): boolean {
  return type === "title" && id === undefined;
}

/**
 * Returns the id of an entry without one. The first version counted entries, with the header as 0.
 * Its compactions name their first kept entry by this number.
 */
function syntheticId(index: number): string {
  return `#${index}`;
}

/** Returns the entry that a compaction keeps first, as it names it. */
export function firstKept(compaction: SourceRecord["value"]): string | undefined {
  const index = asNumber(compaction.firstKeptEntryIndex);
  return asName(compaction.firstKeptEntryId) ??
    (index === undefined ? undefined : syntheticId(index));
}

/**
 * Entries before which nothing counts, but for what they keep. OpenClaw 2026.9.6 begins a talk anew
 * with `reset`, oh-my-pi 18.2.3 with `reset_boundary`.
 */
const BOUNDARIES: ReadonlySet<string> = new Set(["compaction", "reset", "reset_boundary"]);

/** True for the row of such an entry. */
export function isBoundary(index: RecordIndex, row: number): boolean {
  return BOUNDARIES.has(recordName(index, row));
}

/** Returns the rows of the whole entries of a type, in file order. */
export function allOfType(index: TreeIndex<PiHead>, type: string): number[] {
  return Array.from({ length: index.count }, (_, row) => row)
    .filter((row) => isWholeOf(index, row, type));
}

/** True for an entry of a type whose line is whole. */
export function isWholeOf(index: TreeIndex<PiHead>, row: number, type: string): boolean {
  return recordName(index, row) === type && !hasFlag(index, row, DAMAGED);
}
