/**
 * Pieces of a session that can be read from its beginning alone. Those that came are kept compressed,
 * as many as fit; others are read again.
 */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { LogEvent } from "../../event/envelope.ts";
import { nextTurn } from "../../log/next_turn.ts";
import type { TranscriptItem } from "../../projection/transcript/transcript_item.ts";
import { foldPiece } from "./piece_fold.ts";
import type { PieceKeeper, ReadItems, Stretch } from "./window_piece.ts";

/** Bytes that the compressed pieces take at most. */
const MOST_PACKED = 16 * 1024 * 1024;
/** Pieces at the beginning and at the end that are always kept: whoever reads goes there at once. */
const EDGE = 4;
/** Pieces around one that is read again that are kept, too: the next ones are near. */
const NEAR = 16;
/** Milliseconds of reading again without a pause. */
const SLICE_MS = 6;

interface PackedStretch extends Stretch {
  packed: Uint8Array | undefined;
}

/** Keeps pieces compressed, or reads them again. */
export class PackedPieces implements PieceKeeper {
  readonly #events: () => AsyncIterable<readonly LogEvent[]>;
  readonly #most_packed: number;
  readonly #stretches: PackedStretch[] = [];
  #packed_bytes = 0;

  /** @param events Reads the session from its beginning. @param most_packed Bytes that are kept. */
  constructor(events: () => AsyncIterable<readonly LogEvent[]>, most_packed = MOST_PACKED) {
    this.#events = events;
    this.#most_packed = most_packed;
  }

  keep(stretch: Stretch, items: readonly TranscriptItem[]): ReadItems {
    const at = this.#stretches.length;
    this.#stretches.push({ ...stretch, packed: undefined });
    this.#pack(at, items);
    return () => this.#read(at);
  }

  /** Keeps the items of a stretch; those farthest away give way. */
  #pack(at: number, items: readonly TranscriptItem[]): void {
    const stretch = this.#stretches[at];
    if (stretch === undefined || stretch.packed !== undefined) return;
    stretch.packed = packItems(items);
    this.#packed_bytes += stretch.packed.length;
    for (let away = this.#stretches.length; this.#packed_bytes > this.#most_packed; away--) {
      if (away <= NEAR) return;
      this.#drop(at - away);
      this.#drop(at + away);
    }
  }

  #drop(at: number): void {
    const stretch = this.#stretches[at];
    const is_edge = at < EDGE || at >= this.#stretches.length - EDGE;
    if (stretch?.packed === undefined || is_edge) return;
    this.#packed_bytes -= stretch.packed.length;
    stretch.packed = undefined;
  }

  async #read(at: number): Promise<readonly TranscriptItem[]> {
    const { packed } = this.#stretches[at] as PackedStretch;
    return packed === undefined ? await this.#readAgain(at) : unpackItems(packed);
  }

  /** Reads from the beginning up to a stretch, and keeps those around it. */
  async #readAgain(at: number): Promise<readonly TranscriptItem[]> {
    let current = 0;
    let count = 0;
    let events: LogEvent[] = [];
    for await (const batch of this.#events()) {
      for (const event of batch) {
        // What is far before it is passed over.
        if (current >= at - NEAR) events.push(event);
        if (++count < (this.#stretches[current]?.events ?? Infinity)) continue;
        const { last = false } = this.#stretches[current] ?? {};
        const items = events.length === 0 ? [] : foldPiece(events, last);
        if (current === at) return items;
        if (events.length > 0) this.#pack(current, items);
        current++;
        count = 0;
        events = [];
      }
      await nextTurn(SLICE_MS);
    }
    return [];
  }
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();
/** The quickest level, because most items are read once. */
const LEVEL = 1;

/** Packs items. */
function packItems(items: readonly TranscriptItem[]): Uint8Array {
  return deflateRawSync(encoder.encode(JSON.stringify(items)), { level: LEVEL });
}

/** Unpacks what {@linkcode packItems} has packed. */
function unpackItems(packed: Uint8Array): TranscriptItem[] {
  return JSON.parse(decoder.decode(inflateRawSync(packed)));
}
