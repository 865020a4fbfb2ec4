/**
 * Finds the faults in the records of a session, and plans their repair. The faults are lost links,
 * results without calls, empty thoughts, and a lost header. Records come in the order of the file.
 * Little of their content stays in memory.
 */
import { crc32 } from "node:zlib";
import { equalBytes } from "../../core/event/bytes.ts";
import type { LinePosition } from "../../core/event/envelope.ts";
import { present } from "../../core/event/present.ts";
import {
  fieldIs,
  type FieldNames,
  fieldNames,
  findFields,
  textField,
} from "../../core/log/json_bytes/find_fields.ts";
import type { LargePart, LineRepair, LostHeader } from "../../agents/contract/session_repair.ts";
import type { RecordChange, RecordPlan, RepairFinding } from "./finding.ts";
import { type LinkedRecord, type MendedLinks, mendLinks } from "./record_links.ts";
import { type UniqueRecords, withUniqueIds } from "./repeated_ids.ts";

/** A tool result whose call was not found, or a thought without content. */
interface Removable extends LinePosition {
  index: number;
  /** The id of the call that this tool result answers. Absent for a thought. */
  call_id?: string;
  /** Position of the part to remove within its record; absent to remove the whole record. */
  part?: { path: readonly string[]; count: number; at: number };
}

/** Facts of the session's records read so far, from which a repair is planned. */
export interface RecordRules {
  readonly repair: LineRepair;
  readonly fields: FieldNames | undefined;
  count: number;
  readonly linked: LinkedRecord[];
  readonly calls: Set<string>;
  readonly open: Map<string, LinePosition & { index: number }>;
  readonly removable: Removable[];
  readonly large: (LinePosition & LargePart & { index: number })[];
  last_spoken: number;
  headed: boolean;
  first: { bytes: Uint8Array; position: LinePosition } | undefined;
  repeated_at: LinePosition | undefined;
  time: string | undefined;
  cwd: string | undefined;
}

interface PlanOptions {
  relink: boolean;
  lost: Omit<LostHeader, "time">;
}

/** Maximum bytes of a first record to remember. It is compared to find a repetition of it. */
const FIRST_BYTES = 1024 * 1024;

export function startRules(repair: LineRepair): RecordRules {
  const { links } = repair;
  return {
    repair,
    fields: links === undefined ? undefined : fieldNames(links.id, links.parent),
    count: 0,
    linked: [],
    calls: new Set(),
    open: new Map(),
    removable: [],
    large: [],
    last_spoken: -1,
    headed: false,
    first: undefined,
    repeated_at: undefined,
    time: undefined,
    cwd: undefined,
  };
}

/** Adds the facts of the next record to `rules`. Does not keep `bytes` after the call. */
export function takeRecord(
  rules: RecordRules,
  value: Readonly<Record<string, unknown>>,
  position: LinePosition,
  bytes?: Uint8Array,
): void {
  const { repair } = rules;
  const index = rules.count++;
  if (index === 0) {
    rules.headed = repair.isHeader?.(value) ?? true;
    const short = bytes !== undefined && bytes.length <= FIRST_BYTES;
    if (short) rules.first = { bytes: bytes.slice(), position };
  } else if (rules.repeated_at === undefined && isFirstAgain(rules, bytes)) {
    rules.repeated_at = position;
  }
  if (typeof value.timestamp === "string") rules.time ??= value.timestamp;
  takeLink(rules, value, { ...position, index });
  takeFacts(rules, value, { ...position, index });
}

/** Counts a record that cannot be examined. The repair copies the record unchanged. */
export function takeUnknown(rules: RecordRules): void {
  if (rules.count++ === 0) rules.headed = true;
}

function isFirstAgain({ first }: RecordRules, bytes: Uint8Array | undefined): boolean {
  return first !== undefined && bytes !== undefined && equalBytes(first.bytes, bytes);
}

function takeLink(
  { repair: { links, isHeader }, linked }: RecordRules,
  value: Readonly<Record<string, unknown>>,
  { index, offset, length, line }: LinePosition & { index: number },
): void {
  // A header has the id of its session. No record names the header as parent.
  if (links === undefined || isHeader?.(value)) return;
  const { [links.id]: id, [links.parent]: parent } = value;
  if (typeof id !== "string" || id === "") return;
  const known = typeof parent === "string" && parent !== "" ? parent : null;
  const words = crc32(JSON.stringify(value.message ?? value));
  linked.push({ index, id, parent: known, offset, length, line, words });
}

function takeFacts(
  rules: RecordRules,
  value: Readonly<Record<string, unknown>>,
  place: LinePosition & { index: number },
): void {
  const facts = rules.repair.facts(value);
  const { calls = [], answered = [], result_of, hollow, parts, large = [], speaks, cwd } = facts;
  if (speaks) rules.last_spoken = place.index;
  if (cwd !== undefined) rules.cwd ??= cwd;
  for (const id of calls) {
    rules.calls.add(id);
    rules.open.set(id, place);
  }
  for (const id of answered) rules.open.delete(id);
  for (const part of large) rules.large.push({ ...place, ...part });
  if (hollow) rules.removable.push(place);
  if (result_of !== undefined) takeResult(rules, { ...place, call_id: result_of });
  if (parts === undefined) return;
  const { path, count, results } = parts;
  for (const { index: at, call_id } of results) {
    takeResult(rules, { ...place, call_id, part: { path, count, at } });
  }
  for (const at of parts.hollow) {
    rules.removable.push({ ...place, part: { path, count, at } });
  }
}

function takeResult(rules: RecordRules, result: Removable & { call_id: string }): void {
  rules.open.delete(result.call_id);
  if (rules.repair.strays && !rules.calls.has(result.call_id)) rules.removable.push(result);
}

export function takeRemains(rules: RecordRules, bytes: Uint8Array, position: LinePosition): void {
  const { fields, linked } = rules;
  if (fields === undefined) return;
  const spans = findFields(bytes, fields);
  const id = textField(bytes, spans, 0);
  if (id === undefined || id === "") return;
  const parent = textField(bytes, spans, 1);
  const known = fieldIs(bytes, spans, 1, "null") ? null : parent;
  linked.push({ index: -1, id, parent: known, ...position });
}

/** Returns the changes to make. Must be called after `takeRecord` has got all records. */
export function planRecords(rules: RecordRules, { relink, lost }: PlanOptions): RecordPlan {
  const { repair: { links }, linked } = rules;
  const removed = removeParts(rules);
  const replaced = replaceLarge(rules);
  const dropped = new Set<number>();
  for (const [index, { drop }] of removed.changes) if (drop) dropped.add(index);
  const options = links && { links, dropped, relink };
  const unique = options === undefined ? NOTHING : withUniqueIds(linked, options);
  const mended = options === undefined ? NOTHING : mendLinks(unique.records, options);
  const changes = new Map(removed.changes);
  for (const [index, change] of [...replaced.changes, ...unique.changes, ...mended.changes]) {
    changes.set(index, { ...changes.get(index), ...change });
  }
  const header = planHeader(rules, lost);
  const findings = [
    ...[header, removed, replaced, unique, mended].flatMap((found) => found.findings),
    ...notes(rules),
  ];
  const plan: RecordPlan = { changes, bridges: mended.bridges, findings };
  return header.header === undefined ? plan : { ...plan, header: header.header };
}

/** The result for records that name no parents. Such records have no links to mend. */
const NOTHING: MendedLinks & UniqueRecords = {
  records: [],
  changes: new Map(),
  bridges: new Map(),
  findings: [],
};

interface Removal {
  changes: Map<number, RecordChange>;
  findings: RepairFinding[];
}

function removeParts({ removable, calls }: RecordRules): Removal {
  const changes = new Map<number, RecordChange>();
  const findings: RepairFinding[] = [];
  const counts = new Map<number, number>();
  for (const { index, call_id, part, offset, length, line } of removable) {
    // The call may come after its result.
    if (call_id !== undefined && calls.has(call_id)) continue;
    findings.push({ offset, length, line, ...wordsOf(call_id, part !== undefined) });
    if (part === undefined) {
      changes.set(index, { drop: true });
      continue;
    }
    const { path, count, at } = part;
    const removed = new Set([...changes.get(index)?.parts?.removed ?? [], at]);
    counts.set(index, count);
    changes.set(index, { parts: { path, removed } });
  }
  for (const [index, count] of counts) {
    if (changes.get(index)?.parts?.removed.size === count) changes.set(index, { drop: true });
  }
  return { changes, findings };
}

function replaceLarge({ large }: RecordRules): Removal {
  const changes = new Map<number, RecordChange>();
  const findings: RepairFinding[] = [];
  for (const { index, path, bytes, limit, instead, offset, length, line } of large) {
    const size = bytes.toLocaleString("en-US");
    findings.push({
      ...{ offset, length, line, damage: "large-image" },
      found: `an image has ${size} bytes in base64, and the API takes at most ${
        limit.toLocaleString("en-US")
      }`,
      repair: "a note takes the place of the image, which stays in the backup",
    });
    const value = instead(`[reprise repair left out an image of ${size} bytes]`);
    const replaced = [...changes.get(index)?.replaced ?? [], { path, value }];
    changes.set(index, { replaced });
  }
  return { changes, findings };
}

function wordsOf(
  call_id: string | undefined,
  part: boolean,
): Pick<RepairFinding, "damage" | "found" | "repair"> {
  const repair = part
    ? "the repair removes this part of the record"
    : "the repair removes the record";
  return call_id === undefined
    ? { damage: "hollow-thinking", found: "a thinking block without text or signature", repair }
    : {
      damage: "stray-result",
      found: `the file has a result of call ${call_id}, but not the call itself`,
      repair,
    };
}

function planHeader(
  { repair, headed, count, first, time, cwd }: RecordRules,
  lost: PlanOptions["lost"],
): { header?: Record<string, unknown>; findings: RepairFinding[] } {
  if (headed || count === 0 || repair.header === undefined) return { findings: [] };
  const { line = 1 } = first?.position ?? {};
  const finding = {
    damage: "no-header" as const,
    offset: 0,
    length: 0,
    line,
    found: "the first record, which names the format, is missing",
  };
  const directory = lost.directory ?? cwd ?? lost.cwd;
  const header = repair.header(present({ ...lost, time, directory }));
  if (header === undefined) return { findings: [{ ...finding, needs: "cwd" }] };
  return { header, findings: [{ ...finding, repair: "the repair writes a new first record" }] };
}

/** Lists findings that stay unrepaired, because a repair would invent or remove whole records. */
function notes({ open, last_spoken, repeated_at, first }: RecordRules): RepairFinding[] {
  const unanswered = [...open].filter(([, { index }]) => index < last_spoken)
    .map(([call_id, { offset, length, line }]): RepairFinding => ({
      damage: "unanswered-call",
      found: `the call ${call_id} has no result, and the repair does not invent a result`,
      ...{ offset, length, line },
    }));
  if (repeated_at === undefined) return unanswered;
  const { offset, length, line } = repeated_at;
  const found = `the record on line ${first?.position.line ?? 1} is repeated here: the file may ` +
    "contain the session twice. Nothing is removed, because this is uncertain";
  return [...unanswered, { damage: "repeated-file", offset, length, line, found }];
}
