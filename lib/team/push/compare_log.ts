/** Compares a log with its branches in the store. */
import { sha256 } from "../chain.ts";
import type { HashedSegment } from "../branch_segments.ts";
import { commonParts } from "../compare_branches.ts";
import type { LocalLog } from "../local_log.ts";
import { checkedBytes, type OpenSegment } from "../segment_codec.ts";
import type { KnownSession } from "../state/sync_state.ts";
import type { SharedBranch, TeamStore } from "../team_store.ts";
import { type AppendPlace, type LogHere, planPush, type PushPlan } from "./plan_push.ts";

/** Bytes before the end of a push by which a log is known to have gone on from there. */
const END_BYTES = 4096;

/** Returns the hash of the last bytes before an offset. */
export function endHash(log: LocalLog, len: number): string {
  const from = Math.max(0, len - END_BYTES);
  return sha256(log.read(from, len - from));
}

/** The means to compare a log with its branches. */
export interface LogComparison {
  store: TeamStore;
  log: LocalLog;
  /** The record of the last push. */
  known: KnownSession | undefined;
  branches: readonly SharedBranch[];
  /** Asks for the hashes of the branches' segments. */
  hashes(): Promise<readonly HashedSegment[]>;
  /** Opens sealed segments. */
  open?: OpenSegment | undefined;
}

/** Plans the push of a log. One that ends within a segment is compared by its bytes. */
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
  const { log, branches, hashes } = comparison;
  const known = knownPlace(comparison);
  const is_compared = known === undefined && branches.length > 0;
  const parts = is_compared ? commonParts(branches, await hashes(), log) : [];
  return { kind: "log", size: log.size, parts, known };
}

/** The place that this machine pushed up to, if the branch still ends there and the log goes on. */
function knownPlace({ log, known, branches }: LogComparison): AppendPlace | undefined {
  if (known === undefined || known.behind || known.len > log.size) return undefined;
  const branch = branches.find(({ n }) => n === known.n);
  if (branch?.len !== known.len || branch.head !== known.head) return undefined;
  const is = known.state[3] === (log.info.ino ?? 0) && known.end === endHash(log, known.len);
  return is ? { n: known.n, len: known.len, head: known.head } : undefined;
}

async function isWithin(
  { store, log, branches, open }: LogComparison,
  { head, segment: { n, off, sha } }: Extract<PushPlan, { kind: "within" }>,
): Promise<boolean> {
  const [branch] = branches;
  if (branch === undefined) return false;
  const { owner, session } = branch;
  for await (const window of store.segments([{ owner, session, n, from: off, to: off + 1 }])) {
    const segment = window.find((one) => one.off === off && one.sha === sha);
    if (segment === undefined) continue;
    const plain = checkedBytes(segment, head, open);
    return log.read(off, log.size - off).every((byte, index) => byte === plain[index]);
  }
  return false;
}
