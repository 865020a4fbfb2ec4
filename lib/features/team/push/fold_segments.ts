/** Merges the small segments of a pushed branch, as they are stored: together they compress better. */
import { joinBytes } from "../../../core/event/bytes.ts";
import { type HashedSegment, NO_HEAD } from "../branch_segments.ts";
import type { SessionKey } from "../sealed/session_key.ts";
import { checkedBytes, compress, packBytes } from "../segment_codec.ts";
import { SEGMENT_BYTES } from "../segment_cutter.ts";
import type { SharedBranch, TeamStore } from "../team_store.ts";

/** Number of bytes from which a segment is not merged, because a block would save little. */
const LARGE_BYTES = SEGMENT_BYTES / 2;
/** Bytes of a branch's first block. */
const FIRST_BYTES = 32 * 1024;

/** True if a small push completes a block. No other push needs a merge. */
export function fillsBlock(from: number, to: number): boolean {
  return to - from < SEGMENT_BYTES && blockAt(from) < blockAt(to);
}

/** Returns the block's number at an offset. A block is as long as all before, up to a limit. */
function blockAt(off: number): number {
  const doubled = Math.floor(Math.log2(Math.min(off, SEGMENT_BYTES) / FIRST_BYTES));
  return Math.max(-1, doubled) + Math.floor(off / SEGMENT_BYTES);
}

/** Returns the fewest bytes that a block at an offset must have. */
function leastBytes(off: number): number {
  return Math.min(SEGMENT_BYTES, Math.max(FIRST_BYTES, off));
}

/** Consecutive segments, and the chain's head before them. */
interface Run {
  head: string;
  segments: HashedSegment[];
}

/** Finds runs of small segments that fill a block. Later segments wait for more. */
function runsOf(segments: readonly HashedSegment[]): Run[] {
  const runs: Run[] = [];
  let run: Run = { head: NO_HEAD, segments: [] };
  let size = 0;
  const end = (head: string): void => {
    const [first] = run.segments;
    if (first !== undefined && run.segments.length > 1 && size >= leastBytes(first.off)) {
      runs.push(run);
    }
    [run, size] = [{ head, segments: [] }, 0];
  };
  for (const [index, segment] of segments.entries()) {
    // The head before a branch's first segment is another branch's.
    const is_small = segment.block === undefined && segment.len < LARGE_BYTES &&
      (index > 0 || segment.off === 0);
    if (is_small) {
      run.segments.push(segment);
      size += segment.len;
    }
    if (!is_small || size >= SEGMENT_BYTES) end(segment.head);
  }
  end("");
  return runs;
}

/** Merges the full runs of one of the owner's branches. Concurrent readers get the same bytes. */
export async function foldSegments(
  store: TeamStore,
  { owner, session, n }: Pick<SharedBranch, "owner" | "session" | "n">,
  key: SessionKey | undefined,
): Promise<void> {
  if (store.fold === undefined) return;
  const open = key &&
    ((...segment: Parameters<SessionKey["openSegment"]>) => key.openSegment(...segment));
  const hashes = (await store.hashes([session])).filter((segment) => segment.n === n);
  for (const run of runsOf(hashes)) {
    const [first, last] = [run.segments[0], run.segments.at(-1)];
    if (first === undefined || last === undefined) continue;
    const { off } = first;
    const to = last.off + last.len;
    const parts: Uint8Array[] = [];
    let head = run.head;
    for await (const window of store.segments([{ owner, session, n, from: off, to }])) {
      for (const segment of window) {
        parts.push(checkedBytes(segment, head, open));
        ({ head } = segment);
      }
    }
    const plain = joinBytes(parts);
    // The branch was cut back meanwhile.
    if (plain.length !== to - off || head !== last.head) return;
    const packed = key === undefined
      ? packBytes(plain)
      : { codec: "sealed" as const, bytes: key.sealSegment(compress(plain), n, off) };
    await store.fold({ session, n, off, len: plain.length, head, ...packed });
  }
}
