/**
 * The pieces of a session that can be read from its beginning alone, as most agents' can. Those that
 * came are kept compressed, as many as fit; others are read again.
 */
import type { LogEvent } from "../../event/envelope.ts";
import { nextTurn } from "../../log/next_turn.ts";
import { eventSize } from "../../projection/event_size.ts";
import type { TranscriptItem } from "../../projection/transcript/transcript_item.ts";
import type { SessionHandle, SessionReadOptions } from "../session_handle.ts";
import { packItems, unpackItems } from "./packed_items.ts";
import { foldPiece, PieceFold, WINDOW_KINDS } from "./piece_fold.ts";
import type { FreshPiece, PieceSource, WindowPiece, WindowTail } from "./window_piece.ts";

/** Characters after which a piece ends as soon as it may. */
const PIECE_SIZE = 256 * 1024;
/** Events after which it does. */
const PIECE_EVENTS = 500;
/** Characters after which it ends wherever it is. */
const MOST_SIZE = 16 * 1024 * 1024;
/** Bytes that the compressed pieces take at most. */
const MOST_PACKED = 16 * 1024 * 1024;
/** Pieces at the beginning and at the end that are always kept: whoever reads goes there at once. */
const EDGE = 4;
/** Messages of the first tail; each longer one has several times as many. */
const TAIL_MESSAGES = 16;
const GROWTH = 4;
/** Longer tails are not asked for: an agent may read all of a session for one. */
const MOST_TAIL_MESSAGES = 256;
/** Pieces around one that is read again that are kept, too: the next ones are near. */
const NEAR = 16;
/** Milliseconds of reading again without a pause. */
const SLICE_MS = 6;

/** A stretch of the session's events. */
interface Stretch {
  /** Number of events before it. */
  from: number;
  events: number;
  items: number;
  packed: Uint8Array | undefined;
}

/** Which session, and how to read it. */
export interface ReadPiecesOptions {
  /** Bytes of its file; 0 where that cannot be told. */
  bytes: number;
  /** The thread; by default the one that the handle names. */
  thread?: string | undefined;
  /** Events after which a piece ends as soon as it may. */
  piece_events?: number | undefined;
  /** Bytes that compressed pieces take at most. */
  most_packed?: number | undefined;
}

/** Reads a session in pieces. */
export class ReadPieces implements PieceSource {
  readonly bytes: number;
  readonly #session: SessionHandle;
  readonly #reading: SessionReadOptions;
  readonly #stretches: Stretch[] = [];
  readonly #piece_events: number;
  readonly #most_packed: number;
  #packed_bytes = 0;
  #messages = TAIL_MESSAGES;
  #tail_count = 0;

  constructor(session: SessionHandle, options: ReadPiecesOptions) {
    const { bytes, thread, piece_events = PIECE_EVENTS, most_packed = MOST_PACKED } = options;
    this.#session = session;
    this.bytes = bytes;
    this.#piece_events = piece_events;
    this.#most_packed = most_packed;
    this.#reading = { needs: WINDOW_KINDS, ...(thread === undefined ? {} : { thread }) };
  }

  async *forward(
    signal: AbortSignal,
    pause: () => Promise<void>,
  ): AsyncGenerator<FreshPiece> {
    const fold = new PieceFold();
    let [from, events, size, bytes] = [0, 0, 0, 0];
    for await (const batch of this.#session.events({ ...this.#reading, signal })) {
      for (const event of batch) {
        fold.apply(event);
        events++;
        size += sizeOf(event);
        bytes = Math.max(bytes, endOf(event));
        const is_long = size >= PIECE_SIZE || events >= this.#piece_events;
        if (!(is_long && fold.isCut()) && size < MOST_SIZE) continue;
        yield this.#keep({ from, events }, fold.take({ last: false }), bytes);
        from += events;
        [events, size] = [0, 0];
      }
      await pause();
    }
    if (events > 0) yield this.#keep({ from, events }, fold.take({ last: true }), this.bytes);
  }

  rest(): readonly WindowPiece[] {
    return [];
  }

  async longerTail(): Promise<WindowTail | undefined> {
    if (!this.#session.has_tail || this.#messages === 0) return undefined;
    const events = await this.#session.tail(this.#messages, this.#reading);
    if (events === undefined || events.length <= this.#tail_count) {
      this.#messages = 0;
      return undefined;
    }
    this.#tail_count = events.length;
    this.#messages *= GROWTH;
    if (this.#messages > MOST_TAIL_MESSAGES) this.#messages = 0;
    // Only a read from the beginning tells the numbers of the events.
    const items = foldPiece(events, true).map((item) => ({ ...item, seq: 0 }));
    return {
      pieces: [{ count: items.length, read: () => Promise.resolve(items) }],
      whole: false,
    };
  }

  #keep(
    { from, events }: Pick<Stretch, "from" | "events">,
    items: readonly TranscriptItem[],
    bytes: number,
  ): FreshPiece {
    const at = this.#stretches.length;
    this.#stretches.push({ from, events, items: items.length, packed: undefined });
    this.#pack(at, items);
    return { piece: { count: items.length, read: () => this.#read(at) }, items, bytes };
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
    const { packed } = this.#stretches[at] as Stretch;
    return packed === undefined ? await this.#readAgain(at) : unpackItems(packed);
  }

  /** Reads from the beginning up to a stretch, and keeps those around it. */
  async #readAgain(at: number): Promise<readonly TranscriptItem[]> {
    let current = 0;
    let count = 0;
    let events: LogEvent[] = [];
    for await (const batch of this.#session.events(this.#reading)) {
      for (const event of batch) {
        // What is far before it is passed over.
        if (current >= at - NEAR) events.push(event);
        if (++count < (this.#stretches[current]?.events ?? Infinity)) continue;
        const is_last = current === this.#stretches.length - 1;
        const items = events.length === 0 ? [] : foldPiece(events, is_last);
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

function sizeOf(event: LogEvent): number {
  return event.form === "unparsed" ? 0 : eventSize(event);
}

function endOf({ position }: LogEvent): number {
  return position === undefined ? 0 : position.offset + position.length;
}
