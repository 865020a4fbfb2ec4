/** Finds different records with the same id. A client sends only one of them to the model. Pure. */
import { present } from "../../core/event/present.ts";
import type { RecordChange, RepairFinding } from "./finding.ts";
import type { LinkedRecord, LinkOptions } from "./record_links.ts";

export interface UniqueRecords {
  records: LinkedRecord[];
  changes: Map<number, RecordChange>;
  findings: RepairFinding[];
}

/**
 * Gives a new id to each record whose id a later record repeats. If several records have the id of
 * a parent, the nearest record before the child becomes the parent. Records with the same id and
 * the same parent become a chain, which is a guess.
 */
export function withUniqueIds(
  records: readonly LinkedRecord[],
  { links, relink, dropped }: LinkOptions,
): UniqueRecords {
  const unique: UniqueRecords = { records: [], changes: new Map(), findings: [] };
  const repeats = links.merges ? new Map() : repeatsOf(records, dropped);
  if (repeats.size === 0) return { ...unique, records: [...records] };
  const ids = new Set(records.map(({ id }) => id));
  /** By original id: the `own` (new) id and `followed` (old parent) of its last record. */
  const last = new Map<string, { own: string; followed: LinkedRecord["parent"] }>();
  for (const record of records) {
    const next = repeats.get(record);
    if (next !== undefined) unique.findings.push(findingOf(record, next, relink));
    const before = last.get(record.id);
    const after = before !== undefined && before.followed === record.parent
      ? before
      : last.get(record.parent ?? "");
    const own = next !== undefined && relink ? newId(record.id, ids) : record.id;
    const parent = relink && after !== undefined ? after.own : record.parent;
    last.set(record.id, { own, followed: record.parent });
    unique.records.push({ ...record, id: own, parent });
    const change = present({
      id: own === record.id ? undefined : own,
      parent: parent === record.parent ? undefined : parent,
    });
    if (Object.keys(change).length > 0) unique.changes.set(record.index, change);
  }
  return unique;
}

/** Maps each record to the next record with the same id but another content. */
function repeatsOf(
  records: readonly LinkedRecord[],
  dropped: ReadonlySet<number>,
): Map<LinkedRecord, LinkedRecord> {
  const repeats = new Map<LinkedRecord, LinkedRecord>();
  const known = new Map<string, LinkedRecord>();
  for (const record of records) {
    if (record.index < 0 || dropped.has(record.index) || record.words === undefined) continue;
    const before = known.get(record.id);
    if (before !== undefined && before.words !== record.words) repeats.set(before, record);
    known.set(record.id, record);
  }
  return repeats;
}

function findingOf(
  { id, offset, length, line }: LinkedRecord,
  next: LinkedRecord,
  relink: boolean,
): RepairFinding {
  const found = `the record on line ${next.line} has the same id ${id}, but different content`;
  const fault = { damage: "repeated-id" as const, offset, length, line, found };
  return relink
    ? {
      ...fault,
      repair: "this record gets a new id, and becomes the parent of the record on line " +
        `${next.line} (a guess)`,
    }
    : { ...fault, needs: "relink" };
}

/** Makes an id in the form of `id` that is not in `ids`, and adds it to `ids`. */
function newId(id: string, ids: Set<string>): string {
  for (let number = 1;; number++) {
    const digits = number.toString(16);
    const own = digits.length < id.length ? id.slice(0, -digits.length) + digits : id + digits;
    if (ids.has(own)) continue;
    ids.add(own);
    return own;
  }
}
