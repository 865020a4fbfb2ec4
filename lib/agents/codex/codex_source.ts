/**
 * Opens the records of a thread of Codex. A fork's own file comes behind those of the threads that it
 * goes on from. Turns that a rollback took back are left out. A position counts the bytes of all files.
 */
import type { AgentSession } from "../../source/agent.ts";
import { count } from "../../source/source_account.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { present } from "../../reading/json_value.ts";
import { readEdges } from "../../reading/records/file_edges.ts";
import { type RecordOptions, takeLine } from "../../reading/records/jsonl_records.ts";
import type { SourceRecord } from "../../reading/records/source_record.ts";
import { documentSource } from "../../reading/sources/document_source.ts";
import { lastRecords } from "../../reading/sources/line_source.ts";
import type {
  ForceStart,
  PlacedSource,
  RecordEdges,
  RecordSource,
  RecordStretch,
  SourcePosition,
} from "../../reading/sources/record_source.ts";
import { inForceStart } from "./signs.ts";
import { readLineage, type RolloutStretch } from "./lineage.ts";
import { type DeadRange, isDead, standingAmong } from "./rollback_scan.ts";
import { deadRanges } from "./rollbacks.ts";
import { documentItems, headRecords, rolloutLines } from "./rollout_file.ts";
import { rolloutForm } from "./rollout_files.ts";
import { isPrompt } from "./rollout_record.ts";
import { rowEdges } from "./row_edges.ts";

const START: SourcePosition = { offset: 0, line: 1 };

/** Opens the records of a thread. */
export function codexSource({ path }: AgentSession, thread: string): RecordSource {
  const form = rolloutForm(path);
  if (form === "document") return documentSource(path, documentItems);
  const source = threadSource(path, thread);
  return form === "lines" ? source : { rewritten: true, read: source.read };
}

/** Opens a thread. Its files, and what was taken back, are those of the first look. */
function threadSource(path: string, thread: string): PlacedSource {
  let lineage: Promise<readonly RolloutStretch[]> | undefined;
  let dead: Promise<readonly DeadRange[]> | undefined;
  /** From here on nothing is taken back. */
  let live_from = Infinity;
  const stretches = ({ report }: RecordOptions = {}): Promise<readonly RolloutStretch[]> =>
    lineage ??= readLineage(path, report);
  return {
    async *read(options = {}, from = START): AsyncGenerator<readonly SourceRecord[]> {
      const known = await stretches(options);
      const is_live = from.offset >= live_from;
      const taken = is_live ? [] : await (dead ??= deadRanges(known, thread));
      for (const stretch of known) {
        const end = stretch.base + (stretch.to ?? Infinity);
        if (end > from.offset) yield* readStretch(stretch, taken, from, options);
      }
    },
    last: async (bytes, options = {}) => {
      // Only a read from the beginning tells what was not there yet.
      if (thread !== MAIN_THREAD) return { records: [], whole: true };
      return await lastOf(await stretches(options), bytes, options);
    },
    edges: async (bytes) => await rowEdges(path) ?? await forkEdges(await stretches(), bytes),
    async inForce(signal): Promise<ForceStart | undefined> {
      const start = thread === MAIN_THREAD
        ? await inForceStart(await stretches(), signal)
        : undefined;
      live_from = Math.min(live_from, start?.position.offset ?? Infinity);
      return start;
    },
  };
}

async function* readStretch(
  stretch: RolloutStretch,
  dead: readonly DeadRange[],
  { offset, line }: SourcePosition,
  { skip, signal, report, account }: RecordOptions,
): AsyncGenerator<SourceRecord[]> {
  const { path, base, to, inherited } = stretch;
  const begin = offset > base ? { from: offset - base, line } : {};
  // What is inherited belongs to another session: it is counted, and its damage told, there.
  const options = inherited ? { skip } : { skip, report, account };
  const range = { path, ...begin, ...present({ to }) };
  for await (const lines of rolloutLines(range, { report: options.report, signal })) {
    const records: SourceRecord[] = [];
    for (const one of lines) {
      if (!isDead(dead, base + one.offset)) takeLine(one, records, options);
      else count(options.account, "dead", one.length);
    }
    if (records.length > 0) {
      yield base === 0 && !inherited ? records : records.map((record) => placedIn(stretch, record));
    }
  }
}

/** Returns a record with its position among all files of the thread. */
function placedIn({ base, inherited }: RolloutStretch, record: SourceRecord): SourceRecord {
  const { offset, length, line } = record.position;
  const behind = { offset: base + offset + length, line: line + 1 };
  return { ...record, behind, ...(inherited ? { inherited } : {}) };
}

async function lastOf(
  stretches: readonly RolloutStretch[],
  bytes: number,
  options: RecordOptions,
): Promise<RecordStretch> {
  const found: SourceRecord[] = [];
  for (const stretch of stretches.toReversed()) {
    const { path, to } = stretch;
    if (rolloutForm(path) !== "lines") return { records: [], whole: true };
    const { records, whole } = await lastRecords(path, bytes, { ...options, ...present({ to }) });
    found.unshift(...records.map((record) => placedIn(stretch, record)));
    if (!whole) return { records: standingAmong(found, true), whole };
  }
  return { records: standingAmong(found, false), whole: true };
}

/** Reads the head of the first thread that a fork goes on from, and its own end. */
async function forkEdges(
  stretches: readonly RolloutStretch[],
  bytes: number,
): Promise<RecordEdges> {
  const [first, own] = [stretches[0] as RolloutStretch, stretches.at(-1) as RolloutStretch];
  const { size } = readEdges(own.path, { head_bytes: 0, tail_bytes: 0 });
  const { records: tail, whole } = await lastOf(stretches, bytes, {});
  if (whole) return { head: [], tail: [], whole, bytes: size };
  const { to = Infinity } = first;
  const head: SourceRecord[] = [];
  for await (const { source, ...record } of headRecords(first.path)) {
    if (source.position.offset >= to) break;
    head.push(placedIn(first, source));
    if (isPrompt({ source, ...record })) break;
  }
  return { head, tail, whole, bytes: size };
}
