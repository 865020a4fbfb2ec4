/** Compares a stream with the segments of a branch, and cuts the bytes that differ. */
import { joinBytes } from "../../event/bytes.ts";
import type { HashedSegment } from "../branch_segments.ts";
import { NO_HEAD, sha256 } from "../chain.ts";
import type { CommonPart } from "../compare_branches.ts";
import { type CutLines, SegmentCutter } from "../segment_cutter.ts";

/** A stream as it differs from a branch. */
export interface StreamDifference {
  /** The segments that both have, and the branch that holds the last of them. */
  common: Pick<CommonPart, "len" | "head" | "held_by">;
  /** True where nothing follows them in the stream. */
  is_prefix: boolean;
  /** The rest of the stream, cut anew. */
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
