/**
 * Mends the links of records, each of which names its parent. Pure.
 *
 * The first bytes of a torn record still name its parent, so this parent is not a guess. Without
 * these bytes, the preceding record in the file becomes the parent, as a guess.
 */
import type { LinePosition } from "../../core/event/envelope.ts";
import { present } from "../../core/event/present.ts";
import type { RecordLinks } from "../../agents/contract/session_repair.ts";
import type { RecordChange, RepairFinding } from "./finding.ts";

/** A record that names its parent. If the record is damaged, only its first bytes may remain. */
export interface LinkedRecord extends LinePosition {
  /** The number of the record; -1 if only its first bytes remain. */
  index: number;
  id: string;
  /** The id of the parent; null for a first record, undefined if the parent is unknown. */
  parent: string | null | undefined;
  /** Checksum of the record's content; absent if unknown. */
  words?: number;
}

export interface LinkOptions {
  links: RecordLinks;
  dropped: ReadonlySet<number>;
  relink: boolean;
}

interface Linking extends LinkOptions, MendedLinks {
  records: readonly LinkedRecord[];
  byId: Map<string, LinkedRecord>;
  remains: Map<string, LinkedRecord>;
  /** The current parent of each record, changes included. */
  parents: Map<LinkedRecord, string | null | undefined>;
}

export interface MendedLinks {
  changes: Map<number, RecordChange>;
  findings: RepairFinding[];
  /** Parents that the agent's client assumes to break a cycle of links. Keys are record numbers. */
  bridges: Map<number, RecordChange>;
}

export function mendLinks(
  records: readonly LinkedRecord[],
  options: LinkOptions,
): MendedLinks {
  const linking: Linking = {
    ...options,
    records: records.filter(({ index }) => index >= 0 && !options.dropped.has(index)),
    byId: new Map(),
    remains: new Map(),
    parents: new Map(records.map((record) => [record, record.parent])),
    changes: new Map(),
    bridges: new Map(),
    findings: [],
  };
  for (const record of records) {
    const kept = record.index >= 0 && !options.dropped.has(record.index);
    const table = kept ? linking.byId : linking.remains;
    if (options.links.wins === "last" || !table.has(record.id)) table.set(record.id, record);
  }
  for (const [at, record] of linking.records.entries()) mendParent(linking, record, at);
  cutCycles(linking);
  return linking;
}

type Resolved = { parent: string | null } | "lost";

/** Follows a parent, past lost records, to the first record that remains. */
function resolve({ byId, remains }: Linking, parent: string): Resolved {
  const seen = new Set<string>();
  for (let id = parent;;) {
    if (byId.has(id)) return { parent: id };
    const gone = remains.get(id);
    if (gone === undefined || gone.parent === undefined || seen.has(id)) return "lost";
    if (gone.parent === null) return { parent: null };
    seen.add(id);
    id = gone.parent;
  }
}

function mendParent(linking: Linking, record: LinkedRecord, at: number): void {
  const { parent } = record;
  if (typeof parent !== "string") return;
  const resolved = resolve(linking, parent);
  if (resolved === "lost") return takeLost(linking, record, at);
  if (resolved.parent === parent) return;
  const torn = linking.remains.get(parent)?.index === -1;
  // The client itself continues with the record before, which is the parent of the torn record.
  if (torn && linking.links.bridged) return;
  setParent(linking, record, resolved.parent);
  linking.findings.push({
    ...placeOf(record),
    damage: "lost-parent",
    found: torn
      ? `the parent record, ${parent}, is incomplete: only its first bytes are left`
      : `the repair removes the parent record, ${parent}`,
    repair: resolved.parent === null
      ? "this record becomes the first record, without a parent"
      : `this record's new parent is ${resolved.parent}, the nearest undamaged record before it`,
  });
}

function placeOf({ offset, length, line }: LinkedRecord): LinePosition {
  return { offset, length, line };
}

function takeLost(linking: Linking, record: LinkedRecord, at: number): void {
  const before = linking.records[at - 1];
  // The first record has no record before it. Its client also takes it as a first record.
  if (before === undefined) return;
  const found = `the parent record, ${record.parent}, is not in the file`;
  const place = { ...placeOf(record), damage: "lost-parent" as const, found };
  if (linking.links.bridged) return;
  if (!linking.relink || descends(linking, before, record)) {
    linking.findings.push({ ...place, needs: "relink" });
    return;
  }
  setParent(linking, record, before.id);
  linking.findings.push({
    ...place,
    repair:
      `this record's new parent is ${before.id}, the record just before it in the file (a guess)`,
  });
}

function setParent(
  { parents, changes }: Linking,
  record: LinkedRecord,
  parent: string | null,
): void {
  parents.set(record, parent);
  changes.set(record.index, { ...changes.get(record.index), parent });
}

function descends({ byId, parents }: Linking, record: LinkedRecord, other: LinkedRecord): boolean {
  const seen = new Set<LinkedRecord>();
  let at: LinkedRecord | undefined = record;
  while (at !== undefined && !seen.has(at)) {
    if (at === other) return true;
    seen.add(at);
    const parent: string | null | undefined = parents.get(at);
    at = typeof parent === "string" ? byId.get(parent) : undefined;
  }
  return false;
}

/** Breaks each cycle at its first record in the file, because parents precede their children. */
function cutCycles(linking: Linking): void {
  const { byId, parents, records } = linking;
  const done = new Set<LinkedRecord>();
  for (const start of records) {
    const way: LinkedRecord[] = [];
    const onWay = new Set<LinkedRecord>();
    let at: LinkedRecord | undefined = start;
    while (at !== undefined && !done.has(at) && !onWay.has(at)) {
      way.push(at);
      onWay.add(at);
      const parent: string | null | undefined = parents.get(at);
      at = typeof parent === "string" ? byId.get(parent) : undefined;
    }
    if (at !== undefined && onWay.has(at)) cutCycle(linking, way.slice(way.indexOf(at)));
    for (const record of way) done.add(record);
  }
}

function cutCycle(linking: Linking, cycle: readonly LinkedRecord[]): void {
  const first = cycle.reduce((one, other) => other.index < one.index ? other : one);
  const before = linking.records[linking.records.indexOf(first) - 1];
  const place = {
    ...placeOf(first),
    damage: "parent-cycle" as const,
    found: `the parent record, ${linking.parents.get(first)}, comes later in the file`,
  };
  if (linking.links.bridged) {
    linking.findings.push(place);
    linking.bridges.set(first.index, { parent: before?.id ?? null });
    return;
  }
  const guess = linking.relink && before !== undefined && !descends(linking, before, first)
    ? before
    : undefined;
  linking.findings.push(present({
    ...place,
    repair: guess === undefined
      ? "this record now has no parent, because its parent is unknown"
      : `this record's new parent is ${guess.id}, the record just before it in the file (a guess)`,
    needs: guess === undefined && before !== undefined ? "relink" as const : undefined,
  }));
  setParent(linking, first, guess?.id ?? null);
}
