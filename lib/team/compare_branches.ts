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

/** What is to be done so that the store has all of a session. */
export type PushPlan =
  /** All of a branch is in the session: what follows it is to be appended, if anything does. */
  | { kind: "append"; n: number; len: number; head: string }
  /** All of the session is in a branch, which goes on. */
  | { kind: "behind"; n: number }
  /** The session ends within a branch's segment: only the segment's bytes tell. */
  | { kind: "within"; n: number; head: string; segment: HashedSegment; else: PushPlan }
  /** Both went on: a branch of its own begins behind what all have. */
  | { kind: "branch"; base: { n: number; len: number }; head: string };

/** Decides what to do, from how far the session and its branches are the same. */
export function pushPlan(parts: readonly CommonPart[], size: number): PushPlan {
  const longest = parts.toSorted((one, other) => other.len - one.len || one.n - other.n);
  const whole = longest.find(({ next }) => next === undefined);
  const [first] = longest;
  if (first?.len === size && whole?.len !== size) return { kind: "behind", n: first.n };
  if (whole?.len === size) return appendTo(whole);
  const base = { n: first?.held_by ?? 1, len: first?.len ?? 0 };
  const plan: PushPlan = whole === undefined
    ? { kind: "branch", base, head: first?.head ?? NO_HEAD }
    : appendTo(whole);
  return within(longest, size, plan);
}

function appendTo({ n, len, head }: CommonPart): PushPlan {
  return { kind: "append", n, len, head };
}

function within(parts: readonly CommonPart[], size: number, plan: PushPlan): PushPlan {
  return parts.reduceRight<PushPlan>((rest, { n, head, next }) => {
    if (next === undefined || next.off >= size || size >= next.off + next.len) return rest;
    return { kind: "within", n, head, segment: next, else: rest };
  }, plan);
}
