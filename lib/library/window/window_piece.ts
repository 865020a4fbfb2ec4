/** A run of a transcript's items that can be read by itself. */
import type { TranscriptItem } from "../../projection/transcript/transcript_item.ts";
import type { ReadPlace } from "../../source/session_reading.ts";

/** Items that follow one another. */
export interface WindowPiece {
  /** The number of items. */
  readonly count: number;
  /** Reads them: always the same ones. */
  read(): Promise<readonly TranscriptItem[]>;
}

/** A piece as it is met on the way through the session, with its items. */
export interface FreshPiece {
  /** The piece. */
  piece: WindowPiece;
  /** The items of the piece. */
  items: readonly TranscriptItem[];
  /** Bytes of the session's file up to its end; 0 where that cannot be told. */
  bytes: number;
}

/** The last items of a session. */
export interface WindowTail {
  /** Pieces up to the session's end, in the session's order. */
  pieces: readonly WindowPiece[];
  /** True if nothing is before them. */
  whole: boolean;
}

/** A run of a session's events that make a piece. */
export interface Stretch {
  /** The number of its first event. */
  first_seq: number;
  /** The number of its events. */
  events: number;
  /** The last place before it at which a read can begin. */
  place: ReadPlace | undefined;
  /** True if the session ends with it. */
  last: boolean;
}

/** Reads the items of a piece. */
export type ReadItems = () => Promise<readonly TranscriptItem[]>;

/** Keeps pieces as they come, in one way or another. */
export interface PieceKeeper {
  /** Takes the next piece; returns how to read its items. */
  keep(stretch: Stretch, items: readonly TranscriptItem[]): ReadItems;
}

/** A way to read a session in pieces, from its beginning and from its end. */
export interface PieceSource {
  /** Bytes of the session's file; 0 where that cannot be told. */
  readonly bytes: number;
  /**
   * Yields the pieces from the beginning up to those that {@linkcode PieceSource.rest} gives. Waits
   * for `pause` after each batch that it reads.
   */
  forward(signal: AbortSignal, pause: () => Promise<void>): AsyncGenerator<FreshPiece>;
  /** Returns the pieces behind the last one that came: those that were read from the end. */
  rest(): readonly WindowPiece[];
  /** Reads the tail: at each call a longer one. Undefined where it can get no longer by itself. */
  longerTail(): Promise<WindowTail | undefined>;
}
