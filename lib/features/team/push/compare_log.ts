/** Compares a log with its branches in the store. */
import { hasBytesAt, joinBytes } from "../../../core/event/bytes.ts";
import {
  commonParts,
  type CommonSegments,
  type HashedSegment,
  NO_HEAD,
  sha256,
} from "../branch_segments.ts";
import type { LocalLog } from "../local_log.ts";
import { checkedBytes, type SegmentOpener } from "../segment_codec.ts";
import { type CutLines, SegmentCutter } from "../segment_cutter.ts";
import type { SyncedSession } from "../state/sync_state.ts";
import type { SharedBranch, TeamStore } from "../team_store.ts";
import { type AppendPlace, type LogHere, planPush, type PushPlan } from "./plan_push.ts";

/** Number of bytes before the last push's end that show whether a log continues from there. */
const END_BYTES = 4096;

/** Returns the hash of the last bytes before an offset. */
export function endHash(log: LocalLog, len: number): string {
  const from = Math.max(0, len - END_BYTES);
  return sha256(log.read(from, len - from));
}

interface LogComparison {
  store: TeamStore;
  log: LocalLog;
  /** The record of the last push. */
  known: SyncedSession | undefined;
  branches: readonly SharedBranch[];
  hashes(): Promise<readonly HashedSegment[]>;
  key?: SegmentOpener | undefined;
}

/** Plans the push of a log. If the log ends within a segment, compares the segment's bytes. */
export async function planLogPush(
  comparison: LogComparison,
): Promise<Exclude<PushPlan, { kind: "within" }>> {
  let plan = planPush(await logHere(comparison), comparison);
  while (plan.kind === "within") {
    const is = await isWithin(comparison, plan);
    plan = is ? { kind: "behind", n: plan.n } : plan.else;
  }
  return plan;
}

async function logHere(comparison: LogComparison): Promise<LogHere> {
  const { log, branches, hashes, key } = comparison;
  const known = knownPlace(comparison);
  const is_compared = known === undefined && branches.length > 0;
  const parts = is_compared ? commonParts(branches, await hashes(), log, key) : [];
  return { kind: "log", size: log.size, parts, known };
}

/** Returns the end of the last push, if the branch still ends there and the log goes on. */
function knownPlace({ log, known, branches }: LogComparison): AppendPlace | undefined {
  if (known === undefined || known.behind || known.len > log.size) return undefined;
  const branch = branches.find(({ n }) => n === known.n);
  if (branch?.len !== known.len || branch.head !== known.head) return undefined;
  const is = known.state[3] === (log.info.ino ?? 0) && known.end === endHash(log, known.len);
  return is ? { n: known.n, len: known.len, head: known.head } : undefined;
}

async function isWithin(
  { store, log, branches, key }: LogComparison,
  { head, segment: { n, off, sha } }: Extract<PushPlan, { kind: "within" }>,
): Promise<boolean> {
  const [branch] = branches;
  if (branch === undefined) return false;
  const { owner, session } = branch;
  for await (const window of store.segments([{ owner, session, n, from: off, to: off + 1 }])) {
    const segment = window.find((one) => one.off === off && one.sha === sha);
    if (segment === undefined) continue;
    const plain = checkedBytes(segment, head, key);
    return hasBytesAt(plain, log.read(off, log.size - off), 0);
  }
  return false;
}

/** The difference between a stream of lines and a branch. */
interface StreamDifference {
  /** The common segments of stream and branch, and the branch that holds the last of them. */
  common: Pick<CommonSegments, "len" | "head" | "held_by">;
  /** True if the stream has nothing after the common segments. */
  is_prefix: boolean;
  rest: AsyncIterable<CutLines>;
}

/**
 * Reads a session's bytes from the first one on, until they differ from a branch. No more than a
 * segment is held.
 *
 * @param segments Those of the branch, from its first byte on.
 */
export async function compareStream(
  chunks: AsyncIterator<Uint8Array, void>,
  segments: readonly HashedSegment[],
): Promise<StreamDifference> {
  let held: Uint8Array = new Uint8Array();
  let same = 0;
  for (const segment of segments) {
    held = await atLeast(segment.len, held, chunks);
    const is_same = held.length >= segment.len &&
      sha256(held.subarray(0, segment.len)) === segment.sha;
    if (!is_same) break;
    held = held.subarray(segment.len);
    same++;
  }
  const last = segments[same - 1];
  const len = last === undefined ? 0 : last.off + last.len;
  const rest = cutRest(len, held, chunks);
  const first = await rest.next();
  return {
    common: { len, head: last?.head ?? NO_HEAD, held_by: (last ?? segments[0])?.n ?? 1 },
    is_prefix: first.done ?? false,
    rest: first.done ? rest : behind(first.value, rest),
  };
}

/** Reads until so many bytes are held, or the stream ends. */
async function atLeast(
  count: number,
  held: Uint8Array,
  chunks: AsyncIterator<Uint8Array, void>,
): Promise<Uint8Array> {
  const parts = [held];
  for (let length = held.length; length < count;) {
    const { done, value } = await chunks.next();
    if (done) break;
    parts.push(value);
    length += value.length;
  }
  return parts.length === 1 ? held : joinBytes(parts);
}

async function* cutRest(
  off: number,
  held: Uint8Array,
  chunks: AsyncIterator<Uint8Array, void>,
): AsyncGenerator<CutLines, void> {
  const cutter = new SegmentCutter(off);
  yield* cutter.push(held);
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    yield* cutter.push(next.value);
  }
  const end = cutter.end();
  if (end !== undefined) yield end;
}

async function* behind(
  first: CutLines,
  rest: AsyncIterable<CutLines>,
): AsyncGenerator<CutLines> {
  yield first;
  yield* rest;
}
