/** Reads a damaged session a second time, and yields the bytes of the repaired session. */
import { isBlank, type Line } from "../../core/log/line_splitter.ts";
import { readLines } from "../../agents/engine/records/jsonl_records.ts";
import type { LineRepair } from "../../agents/contract/session_repair.ts";
import { startTrim, trimmedRecord } from "./cut_strings.ts";
import { withMember, withoutItems, withValue } from "./edit_record.ts";
import type { RecordChange, RecordPlan } from "./finding.ts";
import {
  cutRange,
  cutSessionLine,
  isSound,
  rangeOf,
  type SessionLine,
  startSketch,
} from "./session_line.ts";
import type { SurveyOptions } from "./survey_session.ts";

const LF = new Uint8Array([0x0a]);
const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** Bytes of the prefix in which a long record must name its id and its parent. */
const FRONT_BYTES = 64 * 1024;

export interface RepairedOptions extends SurveyOptions {
  repair: LineRepair;
  plan: Pick<RecordPlan, "header" | "changes" | "bridges">;
  /** True if messages are only counted. Strings of overlong lines are then shortened. */
  sketched?: boolean;
}

/** Yields the bytes of the repaired session. Each piece is valid until the next one. */
export async function* repairedBytes(
  path: string,
  options: RepairedOptions,
): AsyncGenerator<Uint8Array> {
  const { repair, plan: { header }, max_line_bytes, signal } = options;
  if (header !== undefined) yield encoder.encode(JSON.stringify(header) + "\n");
  const state = { index: 0 };
  for await (const lines of readLines(path, { max_line_bytes, signal })) {
    for (const line of lines) {
      const cut = cutSessionLine(line, repair.isRecord);
      yield* repairedLine(path, line, cut, state, options);
    }
  }
}

function* repairedLine(
  path: string,
  line: Line,
  cut: SessionLine,
  state: { index: number },
  options: RepairedOptions,
): Generator<Uint8Array> {
  const { plan: { changes } } = options;
  const ending = cut.ending === "" ? LF : encoder.encode(cut.ending);
  if (cut.sealed) {
    const blank = !line.oversized && isBlank(line.bytes);
    const change = blank ? undefined : changes.get(state.index++);
    if (line.oversized) yield* longLine(path, line, change, options);
    else yield line.bytes;
    if (!line.oversized && (!blank || line.terminated)) yield ending;
    return;
  }
  const records = cut.pieces.filter((piece) => piece.kind === "record");
  for (const [at, record] of records.entries()) {
    const change = changes.get(state.index++);
    if (change?.drop) continue;
    const bytes = isSound(cut) ? line.bytes : record.bytes;
    yield changedRecord(bytes, change, options);
    yield at === records.length - 1 ? ending : LF;
  }
}

function changedRecord(
  bytes: Uint8Array,
  change: RecordChange | undefined,
  { repair, trim_output_bytes }: RepairedOptions,
): Uint8Array {
  let changed = bytes;
  // Values are replaced before parts are removed, because other parts then have other indexes.
  for (const { path, value } of change?.replaced ?? []) {
    changed = withValue(changed, path, value) ?? changed;
  }
  if (change?.parts !== undefined) {
    const { path, removed } = change.parts;
    changed = withoutItems(changed, path, removed) ?? changed;
  }
  changed = withLinks(changed, change, repair);
  if (changed !== bytes) checkChange(bytes, changed, change, repair);
  return trim_output_bytes === undefined
    ? changed
    : trimmedRecord(repair, changed, trim_output_bytes).bytes;
}

function withLinks(
  bytes: Uint8Array,
  { id, parent }: RecordChange = {},
  { links }: Pick<LineRepair, "links">,
): Uint8Array {
  if (links === undefined) return bytes;
  const named = id === undefined ? bytes : withMember(bytes, links.id, id);
  return parent === undefined ? named : withMember(named, links.parent, parent);
}

function checkChange(
  before: Uint8Array,
  after: Uint8Array,
  change: RecordChange | undefined,
  { links }: LineRepair,
): void {
  const old = JSON.parse(decoder.decode(before)) as Record<string, unknown>;
  const changed = JSON.parse(decoder.decode(after)) as Record<string, unknown>;
  const touched = new Set([
    change?.parts?.path[0],
    change?.replaced?.[0]?.path[0],
    change?.parent === undefined ? undefined : links?.parent,
    change?.id === undefined ? undefined : links?.id,
  ]);
  const other = Object.keys({ ...old, ...changed }).find((name) =>
    !touched.has(name) && JSON.stringify(changed[name]) !== JSON.stringify(old[name])
  );
  if (other !== undefined) {
    throw new Error(
      `The repair would change the field ${other} of a record. This is a bug ` +
        "in Reprise; please report it",
    );
  }
}

function* longLine(
  path: string,
  line: Line,
  change: RecordChange | undefined,
  { repair, trim_output_bytes, sketched }: RepairedOptions,
): Generator<Uint8Array> {
  if (change?.drop) return;
  const chunks = withFront(rangeOf(path, line), change, repair);
  if (sketched) yield* cutRange(chunks, startSketch());
  else if (trim_output_bytes === undefined) yield* chunks;
  else yield* cutRange(chunks, startTrim(repair, trim_output_bytes));
  if (!line.terminated) yield LF;
}

function* withFront(
  chunks: Iterable<Uint8Array>,
  change: RecordChange | undefined,
  repair: LineRepair,
): Generator<Uint8Array> {
  let first = true;
  for (const chunk of chunks) {
    if (first && change !== undefined) {
      yield withLinks(chunk.subarray(0, FRONT_BYTES), change, repair);
      yield chunk.subarray(FRONT_BYTES);
    } else yield chunk;
    first = false;
  }
}

/** Yields the part of a damaged session's bytes that the agent's own client can read. */
export async function* clientBytes(
  path: string,
  { repair, plan: { bridges }, sketched = false, max_line_bytes, signal }: RepairedOptions,
): AsyncGenerator<Uint8Array> {
  const reading = { repair, sketched, plan: { changes: bridges, bridges } };
  const state = { index: 0 };
  for await (const lines of readLines(path, { max_line_bytes, signal })) {
    for (const line of lines) {
      const cut = cutSessionLine(line, repair.isRecord);
      if (clientReads(cut, repair)) yield* repairedLine(path, line, cut, state, reading);
      else state.index += cut.pieces.filter(({ kind }) => kind === "record").length;
    }
  }
}

function clientReads(
  { pieces, marks, line }: SessionLine,
  { reading }: LineRepair,
): boolean {
  if (line > 1 && marks.some(({ damage }) => damage === "byte-order-mark")) return false;
  const damages = new Set(pieces.flatMap((piece) => piece.kind === "damage" ? piece.damage : []));
  const torn = [...damages].some((damage) => damage !== "nul-run");
  if (torn) return reading.glued && !damages.has("nul-run");
  if (damages.has("nul-run")) return reading.after_nuls;
  return pieces.length < 2 || reading.fused;
}
