/**
 * The pieces of another agent's session. They are met on one way from its beginning, for what an event
 * is depends on what came before it.
 */
import type { LogEvent } from "../../event/envelope.ts";
import { eventSize } from "../../projection/event_size.ts";
import type { TranscriptItem } from "../../projection/transcript/transcript_item.ts";
import type { PlacedEvents, ReadPlace, SessionReading } from "../../source/session_reading.ts";
import type { SessionHandle } from "../session_handle.ts";
import { PackedPieces } from "./packed_pieces.ts";
import { foldPiece, PieceFold, WINDOW_KINDS } from "./piece_fold.ts";
import type {
  FreshPiece,
  PieceKeeper,
  PieceSource,
  ReadItems,
  Stretch,
  WindowPiece,
  WindowTail,
} from "./window_piece.ts";

/** Characters after which a piece ends as soon as it may. */
const PIECE_SIZE = 256 * 1024;
/** Events after which it does. */
const PIECE_EVENTS = 500;
/** Characters after which it ends wherever it is. */
const MOST_SIZE = 16 * 1024 * 1024;
/** Messages of the first tail; each longer one has several times as many. */
const TAIL_MESSAGES = 16;
const GROWTH = 4;
/** Longer tails are not asked for: an agent may read all of a session for one. */
const MOST_TAIL_MESSAGES = 256;

const READING = { needs: WINDOW_KINDS };

/** Options to read a session in pieces. */
export interface ReadPiecesOptions {
  /** Bytes of its file; 0 where that cannot be told. */
  bytes: number;
  /** Events after which a piece ends as soon as it may. */
  piece_events?: number | undefined;
  /** Bytes that compressed pieces take at most. */
  most_packed?: number | undefined;
  /** Read on from places in the session, where its reader can. @default {true} */
  placed?: boolean | undefined;
}

/** Reads a session in pieces. */
export class ReadPieces implements PieceSource {
  readonly bytes: number;
  readonly #session: SessionHandle;
  readonly #options: ReadPiecesOptions;
  #messages = TAIL_MESSAGES;
  #tail_count = 0;

  constructor(session: SessionHandle, options: ReadPiecesOptions) {
    this.#session = session;
    this.bytes = options.bytes;
    this.#options = options;
  }

  async *forward(
    signal: AbortSignal,
    pause: () => Promise<void>,
  ): AsyncGenerator<FreshPiece> {
    const { batches, keeper } = await this.#open(signal);
    const { piece_events = PIECE_EVENTS } = this.#options;
    const fold = new PieceFold();
    let stretch: Stretch | undefined;
    let [size, bytes] = [0, 0];
    let places: ReadPlace[] = [];
    for await (const { events, place } of batches) {
      if (place !== undefined) places.push(place);
      for (const event of events) {
        if (stretch === undefined) {
          const place = places.findLast(({ seq }) => seq < event.seq);
          places = places.filter(({ seq }) => seq >= (place?.seq ?? 0));
          stretch = { first_seq: event.seq, events: 0, place, last: false };
        }
        fold.apply(event);
        stretch.events++;
        size += sizeOf(event);
        bytes = Math.max(bytes, endOf(event));
        const is_long = size >= PIECE_SIZE || stretch.events >= piece_events;
        if (!(is_long && fold.isCut()) && size < MOST_SIZE) continue;
        yield fresh(keeper, stretch, fold.take({ last: false }), bytes);
        stretch = undefined;
        size = 0;
      }
      await pause();
    }
    if (stretch === undefined) return;
    stretch.last = true;
    yield fresh(keeper, stretch, fold.take({ last: true }), this.bytes);
  }

  rest(): readonly WindowPiece[] {
    return [];
  }

  async longerTail(): Promise<WindowTail | undefined> {
    if (!this.#session.has_tail || this.#messages === 0) return undefined;
    const events = await this.#session.tail(this.#messages, READING);
    if (events.length <= this.#tail_count) {
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

  async #open(
    signal: AbortSignal,
  ): Promise<{ batches: AsyncIterable<PlacedEvents>; keeper: PieceKeeper }> {
    const { placed = true, most_packed } = this.#options;
    const options = { ...READING, signal };
    const reading = placed ? await this.#session.openReading(options) : undefined;
    if (reading !== undefined) {
      return { batches: reading.from(undefined, signal), keeper: new PlacedPieces(reading) };
    }
    const events = (): AsyncIterable<readonly LogEvent[]> => this.#session.events(READING);
    return {
      batches: unplaced(this.#session.events(options)),
      keeper: new PackedPieces(events, most_packed),
    };
  }
}

async function* unplaced(
  batches: AsyncIterable<readonly LogEvent[]>,
): AsyncGenerator<PlacedEvents> {
  for await (const events of batches) yield { events };
}

function fresh(
  keeper: PieceKeeper,
  stretch: Stretch,
  items: readonly TranscriptItem[],
  bytes: number,
): FreshPiece {
  return { piece: { count: items.length, read: keeper.keep(stretch, items) }, items, bytes };
}

function sizeOf(event: LogEvent): number {
  return event.form === "unparsed" ? 0 : eventSize(event);
}

function endOf({ position }: LogEvent): number {
  return position === undefined ? 0 : position.offset + position.length;
}

/** Reads a piece from the last place before it. */
class PlacedPieces implements PieceKeeper {
  readonly #reading: SessionReading;

  constructor(reading: SessionReading) {
    this.#reading = reading;
  }

  keep(stretch: Stretch): ReadItems {
    return () => this.#read(stretch);
  }

  async #read({ first_seq, events, place, last }: Stretch): Promise<TranscriptItem[]> {
    const found: LogEvent[] = [];
    for await (const batch of this.#reading.from(place)) {
      for (const event of batch.events) {
        if (event.seq < first_seq) continue;
        found.push(event);
        if (found.length === events) return foldPiece(found, last);
      }
    }
    // The session is shorter than it was.
    return foldPiece(found, last);
  }
}
