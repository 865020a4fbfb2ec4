/** Indexes pi's entries. Each entry names its parent. */
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
  /** The session's header. Absent if no readable header was found. */
  header?: SourceRecord;
  /** The title from oh-my-pi's line before the header. */
  title?: string | undefined;
  /** True for files of version 1, where each entry's parent is the entry before it. */
  linear: boolean;
}

/** The type of an entry that names where to continue (OpenClaw 2026.9.6, transcript-tree). */
const LEAF = "leaf";
const ENTRY = fieldNames("type", "id", "parentId");

/** Returns a scanner that finds a line's id, type and parent without parsing the whole line. */
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

/** Indexes a line as header, entry or record outside the tree. Changes `index.head`. */
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

/** True for oh-my-pi's title line, which is no entry (18.2.3, SessionTitleSlotEntry). */
export function isTitleLine({ type, id }: SourceRecord["value"]): boolean {
  return type === "title" && id === undefined;
}

/**
 * Returns an id for an entry without one, made from the entry's number. Compactions of version 1
 * name their first kept entry by this number. The header has number 0.
 */
function syntheticId(index: number): string {
  return `#${index}`;
}

export function firstKept(compaction: SourceRecord["value"]): string | undefined {
  const index = asNumber(compaction.firstKeptEntryIndex);
  return asName(compaction.firstKeptEntryId) ??
    (index === undefined ? undefined : syntheticId(index));
}

/**
 * Types of entries that remove earlier entries from the conversation, except those that they keep.
 * OpenClaw 2026.9.6 restarts with `reset`, oh-my-pi 18.2.3 with `reset_boundary`.
 */
const BOUNDARIES: ReadonlySet<string> = new Set(["compaction", "reset", "reset_boundary"]);

export function isBoundary(index: RecordIndex, row: number): boolean {
  return BOUNDARIES.has(recordName(index, row));
}

export function allOfType(index: TreeIndex<PiHead>, type: string): number[] {
  return Array.from({ length: index.count }, (_, row) => row)
    .filter((row) => isWholeOf(index, row, type));
}

export function isWholeOf(index: TreeIndex<PiHead>, row: number, type: string): boolean {
  return recordName(index, row) === type && !hasFlag(index, row, DAMAGED);
}
