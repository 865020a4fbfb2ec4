/** Compares the copy of a session with the parts that were sent. */
import { joinBytes } from "../../../core/event/bytes.ts";
import { type CopyPart, partHash } from "../objects/copy_parts.ts";
import { type CutLines, LineCutter } from "./line_cutter.ts";

export interface CopyDifference {
  /** Number of unchanged parts at the start of the copy. */
  same: number;
  /** The copy's lines after the `same` unchanged parts, cut into new parts. */
  rest: AsyncIterable<CutLines>;
}

/**
 * Reads a copy from the first byte on, until it differs from the parts. Holds at most one part in
 * memory.
 *
 * @param parts The parts that were sent, from the first byte on.
 */
export async function compareCopy(
  chunks: AsyncIterator<Uint8Array, void>,
  parts: readonly CopyPart[],
): Promise<CopyDifference> {
  let held: Uint8Array = new Uint8Array();
  let same = 0;
  for (const { len, sha } of parts) {
    held = await atLeast(len, held, chunks);
    if (held.length < len || partHash(held.subarray(0, len)) !== sha) break;
    held = held.subarray(len);
    same++;
  }
  const last = parts[same - 1];
  const off = last === undefined ? 0 : last.off + last.len;
  return { same, rest: cutRest(off, held, chunks) };
}

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
  const cutter = new LineCutter(off);
  yield* cutter.push(held);
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    yield* cutter.push(next.value);
  }
  const end = cutter.end();
  if (end !== undefined) yield end;
}
