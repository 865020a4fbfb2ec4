/** Decides what comes of the user's own session: it is compared with what is here. */
import { type HashedSegment, partsOf, segmentsOfBranch } from "../branch_segments.ts";
import { commonParts } from "../compare_branches.ts";
import { LocalLog } from "../local_log.ts";
import type { SharedBranch } from "../team_store.ts";

/** What follows a log that is here. */
export interface Extension {
  branch: SharedBranch;
  /** Where the download begins, and the chain's head there. */
  from: number;
  head: string;
  /** Bytes of the log. */
  size: number;
  /** The log's bytes behind `from`: within the next segment, or torn. */
  rest: Uint8Array;
  /** The chain's heads behind each segment of the branch, which lead to its end. */
  heads: ReadonlySet<string>;
}

/** What comes of the branches of a session that is here. */
export interface OwnPlan {
  /** The branch that goes on where the log ends. */
  extension?: Extension;
  /** Branches that went on elsewhere: for the mirror. */
  diverged: SharedBranch[];
  /** Branches that go on where the log ends, and may not be taken: for the mirror. */
  untrusted: SharedBranch[];
  /** The branch of which the log has all bytes, if it ends there. */
  same?: SharedBranch;
}

/**
 * Compares a log with the branches of its session.
 *
 * @param path Absolute path of the log. @param branches All of them. @param hashes Of all segments.
 * @param mayTake True for a branch whose bytes may go into the log.
 * @throws {SessionError} `not-found`, `permission`, `damaged`, `io`
 */
export function ownPlan(
  path: string,
  branches: readonly SharedBranch[],
  hashes: readonly HashedSegment[],
  mayTake: (branch: SharedBranch) => boolean,
): OwnPlan {
  using log = new LocalLog(path);
  const { size } = log.info;
  const plan: OwnPlan = { diverged: [], untrusted: [] };
  const parts = commonParts(branches, hashes, log);
  for (const branch of branches.toSorted(newestFirst)) {
    const part = parts.find(({ n }) => n === branch.n);
    if (part === undefined) continue;
    const { len: from, head, next } = part;
    if (next === undefined) {
      if (from === size) plan.same = branch;
      continue;
    }
    // The log may end within a segment, torn by a pull that was killed: its bytes tell.
    const mayFollow = size < next.off + next.len && from === next.off;
    if (mayFollow && plan.extension === undefined && mayTake(branch)) {
      const segments = segmentsOfBranch(branch, branches, hashes);
      const heads = new Set(segments.map((segment) => segment.head));
      plan.extension = { branch, from, head, size, rest: log.read(from, size - from), heads };
    } else if (mayFollow && !mayTake(branch)) plan.untrusted.push(branch);
    else plan.diverged.push(branch);
  }
  return plan;
}

/** The branch that is taken of a session that is not here, and the others that have more. */
export function newSessionPlan(
  branches: readonly SharedBranch[],
): { taken?: SharedBranch; others: SharedBranch[] } {
  const [taken, ...rest] = branches.filter(({ len }) => len > 0).sort(newestFirst);
  if (taken === undefined) return { others: [] };
  const held = partsOf(taken.n, branches);
  const others = rest.filter(({ n, len }) => !held.some((part) => part.n === n && len <= part.to));
  return { taken, others };
}

function newestFirst(one: SharedBranch, other: SharedBranch): number {
  return one.changed_at < other.changed_at ? 1 : -1;
}
