/** Compares the bytes of a session with its shared branches, by hashes alone. Pure. */
import { present } from "../event/present.ts";
import { type BranchEnds, type HashedSegment, segmentsOfBranch } from "./branch_segments.ts";
import { NO_HEAD } from "./chain.ts";

/** The bytes of a session on this machine. */
export interface LocalBytes {
  /** Whole lines: what follows the last newline does not count. */
  size: number;
  /** Returns the sha256 of some of them. */
  hash(off: number, len: number): string;
}

/** How far a branch and the session are the same. */
export interface CommonPart {
  n: number;
  /** Bytes of the segments that both have. */
  len: number;
  /** The chain's head there. */
  head: string;
  /** The branch that holds the last of these segments: where another one may begin. */
  held_by: number;
  /** The branch's first other segment; absent where it has none. */
  next?: HashedSegment;
}

/** Finds how far each branch and the session are the same. */
export function commonParts(
  branches: readonly BranchEnds[],
  hashes: readonly HashedSegment[],
  local: LocalBytes,
): CommonPart[] {
  const known = new Map<string, string>();
  function localHash({ off, len }: HashedSegment): string {
    const key = `${off} ${len}`;
    let hash = known.get(key);
    if (hash === undefined) known.set(key, hash = local.hash(off, len));
    return hash;
  }
  return branches.map((branch) => {
    const segments = segmentsOfBranch(branch, branches, hashes);
    const other = segments.findIndex((segment) =>
      segment.off + segment.len > local.size || localHash(segment) !== segment.sha
    );
    const same = other < 0 ? segments : segments.slice(0, other);
    const last = same.at(-1);
    const next = segments[same.length];
    return present({
      n: branch.n,
      len: last === undefined ? 0 : last.off + last.len,
      head: last?.head ?? NO_HEAD,
      held_by: last?.n ?? branch.n,
      next,
    });
  });
}
