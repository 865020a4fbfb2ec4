/** Plans where the branches of a session go: the session itself, its log, or the mirror. Pure. */
import {
  type CommonSegments,
  type HashedSegment,
  NO_HEAD,
  partsOf,
  segmentsOfBranch,
} from "../branch_segments.ts";
import type { SharedBranch } from "../team_store.ts";

export interface PulledBranch extends SharedBranch {
  /** True for a session of the user that no trusted machine signed. */
  is_untrusted?: boolean;
}

export interface SessionToPull {
  /** The branches that changed since the last pull. */
  changed: readonly SharedBranch[];
  all: readonly SharedBranch[];
  /** The segments of all branches; empty if the session has no log on this machine. */
  hashes: readonly HashedSegment[];
  /** True for a session that the user shared exactly, not as a copy. */
  is_own: boolean;
  /** The numbers of the branches that may enter the sessions of this machine. */
  trusted: ReadonlySet<number>;
}

export interface SessionHere {
  /** The log's bytes including a torn end, and the parts that it shares with the branches. */
  log?: { size: number; parts: readonly CommonSegments[] } | undefined;
  /** True if the user deleted the session here. Then a pull does not bring it back. */
  was_removed: boolean;
  /** The ends of the session's mirrored branches, by branch number. */
  mirrored: ReadonlyMap<number, Pick<SharedBranch, "len" | "head">>;
}

/** A branch to download, and where to put it. */
export interface PullStep {
  branch: PulledBranch;
  /** The destination: a new session, the session's log, or the mirror. */
  into: "session" | "log" | "mirror";
  /** The offset of the first byte to download, and the chain's head before it. */
  from: number;
  head: string;
  /** Number of bytes in the file. Those after `from` are torn or begin the next segment. */
  size: number;
  /** Accepted heads of the chain after a segment, if its bytes are written directly. */
  heads?: ReadonlySet<string>;
  /** The list of the report that names the branch. */
  told?: "diverged" | "untrusted";
  /** The step to take if the downloaded bytes do not follow the bytes on this machine. */
  instead?: PullStep;
}

/** The steps for the branches of one session. */
export interface PullPlan {
  steps: PullStep[];
  /** The branch that ends where the log ends; absent if there is none. */
  same?: SharedBranch;
}

/**
 * Plans a pull of one session.
 *
 * @throws {SessionError} `damaged`, `too-large` for branches that lead nowhere.
 */
export function planPull(there: SessionToPull, here: SessionHere): PullPlan {
  const { changed, is_own } = there;
  if (is_own && here.log !== undefined) return planGrowth(there, here, here.log);
  if (is_own && !here.was_removed) return { steps: newSession(there, here) };
  return { steps: changed.map((branch) => mirrorStep(branch, here)) };
}

/** Plans a session from the newest trusted branch. Others with more go into the mirror. */
function newSession({ changed, all, trusted }: SessionToPull, here: SessionHere): PullStep[] {
  const branches = changed.filter(({ len }) => len > 0);
  const untrusted = branches.filter(({ n }) => !trusted.has(n));
  const steps = untrusted.map((branch) => untrustedStep(branch, here));
  const [taken, ...rest] = branches.filter(({ n }) => trusted.has(n)).sort(newestFirst);
  if (taken === undefined) return steps;
  const held = partsOf(taken.n, all);
  const others = rest.filter(({ n, len }) => !held.some((part) => part.n === n && len <= part.to));
  return [
    ...steps,
    { ...whole(taken), into: "session" },
    ...others.map((branch) => divergedStep(branch, here)),
  ];
}

/** Plans to extend the log by the newest trusted branch that continues from the log's end. */
function planGrowth(
  there: SessionToPull,
  here: SessionHere,
  { size, parts }: NonNullable<SessionHere["log"]>,
): PullPlan {
  const { all, hashes, trusted } = there;
  const plan: PullPlan = { steps: [] };
  const diverged: PullStep[] = [];
  const untrusted: PullStep[] = [];
  let extension: PullStep | undefined;
  for (const branch of all.toSorted(newestFirst)) {
    const part = parts.find(({ n }) => n === branch.n);
    if (part === undefined) continue;
    const { len: from, head, next } = part;
    if (next === undefined) {
      if (from === size) plan.same = branch;
      continue;
    }
    // A killed pull may have torn the log within a segment: its bytes decide.
    const mayFollow = size < next.off + next.len && from === next.off;
    const is_trusted = trusted.has(branch.n);
    if (mayFollow && is_trusted && extension === undefined) {
      const heads = new Set(segmentsOfBranch(branch, all, hashes).map((one) => one.head));
      const instead = divergedStep(branch, here);
      extension = { branch, into: "log", from, head, size, heads, instead };
    } else if (!there.changed.some(({ n }) => n === branch.n)) continue;
    else if (mayFollow && !is_trusted) untrusted.push(untrustedStep(branch, here));
    else diverged.push(divergedStep(branch, here));
  }
  plan.steps = [...diverged, ...untrusted, ...extension === undefined ? [] : [extension]];
  return plan;
}

function divergedStep(branch: SharedBranch, here: SessionHere): PullStep {
  return { ...mirrorStep(branch, here), told: "diverged" };
}

function untrustedStep(branch: SharedBranch, here: SessionHere): PullStep {
  return { ...mirrorStep({ ...branch, is_untrusted: true }, here), told: "untrusted" };
}

function mirrorStep(branch: PulledBranch, { mirrored }: SessionHere): PullStep {
  const known = mirrored.get(branch.n);
  if (known === undefined || known.len >= branch.len) return whole(branch);
  const { len, head } = known;
  // A copy that was cut back meanwhile does not go on where the mirror ends.
  return { ...whole(branch), from: len, head, size: len, instead: whole(branch) };
}

function whole(branch: PulledBranch): PullStep {
  return { branch, into: "mirror", from: 0, head: NO_HEAD, size: 0 };
}

function newestFirst(one: SharedBranch, other: SharedBranch): number {
  return one.changed_at < other.changed_at ? 1 : -1;
}
