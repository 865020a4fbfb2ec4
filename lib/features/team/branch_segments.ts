/** The segments of a branch with their hash chain, and how far a session has the same bytes. Pure. */
import { createHash } from "node:crypto";
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { MAX_BRANCHES, type SegmentHash, type SharedBranch } from "./team_store.ts";

/** The head of a branch that has no bytes. */
export const NO_HEAD = "";

/** Returns the sha256 of bytes in lower-case hexadecimal. */
export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** Hashes of plain bytes, by which segments are named. Those of a sealed session need its keys. */
export interface SegmentHashes {
  /** Returns the hashes that the bytes may have: one for each key, the latest first. */
  hashes(bytes: Uint8Array): readonly string[];
}

/** The hashes of a session that is not sealed. */
export const OPEN_HASHES: SegmentHashes = { hashes: (bytes) => [sha256(bytes)] };

/**
 * Returns the head behind a segment.
 *
 * @param head The head before it. @param sha The hash of its plain bytes.
 */
export function nextHead(head: string, sha: string): string {
  return createHash("sha256").update(head, "hex").update(sha, "hex").digest("hex");
}

/** A segment's hash, and the branch that holds it. */
export type HashedSegment = Omit<SegmentHash, "session">;

/** The fields of a branch that lead to its segments. */
export type BranchEnds = Pick<SharedBranch, "n" | "base" | "len" | "head">;

/**
 * Lists the segments of a branch from its first byte on.
 *
 * @param branches All branches of the session. @param hashes The segments of all of them.
 * @throws {SessionError} `damaged` where they do not lead to the branch's end without a gap.
 */
export function segmentsOfBranch(
  { n, len, head }: Pick<BranchEnds, "n" | "len" | "head">,
  branches: readonly BranchEnds[],
  hashes: readonly HashedSegment[],
): HashedSegment[] {
  const found: HashedSegment[] = [];
  let [at, chain] = [0, NO_HEAD];
  const held = Map.groupBy(hashes, (segment) => segment.n);
  for (const part of partsOf(n, branches)) {
    const own = held.get(part.n)?.filter((one) => one.off >= at && endOf(one) <= part.to) ?? [];
    for (const segment of own.sort((one, other) => one.off - other.off)) {
      // A segment behind the branch's end was appended after the branch was asked for.
      if (endOf(segment) > len) break;
      chain = nextHead(chain, segment.sha);
      if (segment.off !== at || segment.len <= 0 || segment.head !== chain) throw broken(n, at);
      found.push(segment);
      at = endOf(segment);
    }
  }
  if (at !== len || chain !== head) throw broken(n, at);
  return found;
}

function endOf({ off, len }: Pick<HashedSegment, "off" | "len">): number {
  return off + len;
}

/**
 * Lists the branches that hold a branch's bytes, each with the end of its part, from the first byte
 * on.
 *
 * @throws {SessionError} `damaged` for branches that lead nowhere; `too-large` for more than a session
 * may have.
 */
export function partsOf(
  n: number,
  branches: readonly Pick<BranchEnds, "n" | "base">[],
): { n: number; to: number }[] {
  if (branches.length > MAX_BRANCHES) throw tooMany(branches.length);
  const known = new Map(branches.map((one) => [one.n, one]));
  const parts: { n: number; to: number }[] = [];
  let to = Infinity;
  for (let at: number | undefined = n; at !== undefined;) {
    const number: number = at;
    parts.push({ n: number, to });
    const base = known.get(number)?.base;
    // A base is an earlier branch: nothing leads round in a circle.
    if (base !== undefined && base.n >= number) throw broken(n, base.len);
    to = Math.min(to, base?.len ?? 0);
    at = base?.n;
  }
  return parts.reverse();
}

function tooMany(count: number): SessionError {
  const message = `Cannot read branches: the session has ${count} branches, and the limit ` +
    `is ${MAX_BRANCHES}`;
  return new SessionError("too-large", message);
}

function broken(n: number, offset: number): SessionError {
  const message =
    `Cannot read branch ${n} of the shared session: its file in the store is damaged at ` +
    `byte ${offset}; use the original, on the machine that sent the session`;
  return new SessionError("damaged", message, { offset });
}

export interface LocalBytes {
  /** Number of bytes of the log's complete lines, up to the last newline. */
  size: number;
  /** Returns `len` bytes from the offset `off`. */
  read(off: number, len: number): Uint8Array;
}

/** The segments that a branch of the store and the local session have in common. */
export interface CommonSegments {
  n: number;
  /** Number of bytes of the common segments. */
  len: number;
  /** Hash of the chain at the end of the common segments. */
  head: string;
  /** Number of the branch with the last common segment, where a new branch would begin. */
  held_by: number;
  /** The branch's first segment after the common ones; absent if there is none. */
  next?: HashedSegment;
}

export function commonParts(
  branches: readonly BranchEnds[],
  hashes: readonly HashedSegment[],
  local: LocalBytes,
  names = OPEN_HASHES,
): CommonSegments[] {
  const known = new Map<string, readonly string[]>();
  function localHashes({ off, len }: HashedSegment): readonly string[] {
    const key = `${off} ${len}`;
    let hashes = known.get(key);
    if (hashes === undefined) known.set(key, hashes = names.hashes(local.read(off, len)));
    return hashes;
  }
  return branches.map((branch) => {
    const segments = segmentsOfBranch(branch, branches, hashes);
    const other = segments.findIndex((segment) =>
      segment.off + segment.len > local.size || !localHashes(segment).includes(segment.sha)
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
