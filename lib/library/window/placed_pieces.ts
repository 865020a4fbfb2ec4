/** Pieces of a session whose reader can begin at places in it: none of them is held. */
import type { LogEvent } from "../../event/envelope.ts";
import type { TranscriptItem } from "../../projection/transcript/transcript_item.ts";
import type { SessionReading } from "../../source/session_reading.ts";
import { foldPiece } from "./piece_fold.ts";
import type { PieceKeeper, ReadItems, Stretch } from "./window_piece.ts";

/** Reads a piece from the last place before it. */
export class PlacedPieces implements PieceKeeper {
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
