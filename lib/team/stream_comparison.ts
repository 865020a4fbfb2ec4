/** Compares a stream with the segments of a branch, and cuts what differs. Pure. */
import { joinBytes } from "../event/bytes.ts";
import type { HashedSegment } from "./branch_segments.ts";
import { NO_HEAD, sha256 } from "./chain.ts";
import { type CutLines, SegmentCutter } from "./segment_cutter.ts";

/**
 * Takes a session's bytes from the first one on. While they are those of the branch nothing is given;
 * from the first segment that differs on, all is cut anew. No more than a segment is held.
 */
export class StreamComparison {
  readonly #segments: readonly HashedSegment[];
  #same = 0;
  #held: Uint8Array[] = [];
  #length = 0;
  #cutter: SegmentCutter | undefined;

  /** @param segments Those of the branch, from its first byte on. */
  constructor(segments: readonly HashedSegment[]) {
    this.#segments = segments;
  }

  /** The bytes that both have, in whole segments; final once a segment was given, and at the end. */
  get len(): number {
    const last = this.#last;
    return last === undefined ? 0 : last.off + last.len;
  }

  /** The chain's head there. */
  get head(): string {
    return this.#last?.head ?? NO_HEAD;
  }

  /** The branch that holds the last common segment. */
  get held_by(): number {
    return this.#last?.n ?? this.#segments[0]?.n ?? 1;
  }

  get #last(): HashedSegment | undefined {
    return this.#segments[this.#same - 1];
  }

  /** Takes the next bytes, which stay as they are; gives segments that are to be appended. */
  *push(bytes: Uint8Array): Generator<CutLines> {
    if (this.#cutter !== undefined) return yield* this.#cutter.push(bytes);
    this.#held.push(bytes);
    this.#length += bytes.length;
    for (;;) {
      const next = this.#segments[this.#same];
      if (next === undefined) return yield* this.#cutHeld();
      if (this.#length < next.len) return;
      const held = joinBytes(this.#held);
      if (sha256(held.subarray(0, next.len)) !== next.sha) return yield* this.#cutHeld();
      this.#same++;
      this.#held = [held.subarray(next.len)];
      this.#length -= next.len;
    }
  }

  /** Gives the rest. */
  *end(): Generator<CutLines> {
    if (this.#cutter === undefined) yield* this.#cutHeld();
    const rest = this.#cutter?.end();
    if (rest !== undefined) yield rest;
  }

  *#cutHeld(): Generator<CutLines> {
    this.#cutter = new SegmentCutter(this.len);
    const held = joinBytes(this.#held);
    this.#held = [];
    yield* this.#cutter.push(held);
  }
}
