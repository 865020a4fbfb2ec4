/** Finds the reminders that agents put into texts, and recognizes repeated ones. */
import { present } from "../../event/present.ts";
import { FOLDS } from "../fold.ts";
import type { BlockBase, BlockOptions, ReminderBlock } from "./block.ts";

interface TextPiece {
  text: string;
  is_reminder: boolean;
}

const OPEN = "<system-reminder>";
const CLOSE = "</system-reminder>";
/** Agents repeat a few short ones; more are not remembered. */
const MOST_KNOWN = 256;
const LONGEST_KNOWN = 8192;

/**
 * Splits a text into pieces, in linear time. A reminder must begin its line, because other text,
 * such as a searched log, can quote one. A reminder without an end is prose.
 */
export function splitReminders(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let at = 0;
  for (let open = text.indexOf(OPEN); open >= 0;) {
    const close = text.indexOf(CLOSE, open);
    if (close < 0) break;
    const is_quoted = open > at && text[open - 1] !== "\n";
    if (!is_quoted) {
      if (open > at) pieces.push({ text: text.slice(at, open), is_reminder: false });
      pieces.push({ text: text.slice(open + OPEN.length, close).trim(), is_reminder: true });
      at = close + CLOSE.length;
    }
    open = text.indexOf(OPEN, close);
  }
  if (at < text.length) pieces.push({ text: text.slice(at), is_reminder: false });
  return pieces;
}

/** The reminders of a session that were seen so far. */
export class Reminders {
  readonly #seen = new Map<string, number>();

  /** Makes the block of a reminder, with the event that first said the same. */
  block(text: string, base: BlockBase): ReminderBlock {
    const first_seq = this.#note(text, base.seq);
    return present({ type: "reminder" as const, ...base, text, first_seq, fold: FOLDS.reminder });
  }

  #note(text: string, seq: number): number | undefined {
    if (text.length > LONGEST_KNOWN) return undefined;
    const first = this.#seen.get(text);
    // Drawn again, or said twice at one place.
    if (first === seq) return undefined;
    if (first === undefined && this.#seen.size < MOST_KNOWN) this.#seen.set(text, seq);
    return first;
  }
}

/** The options of blocks, and the reminders so far. */
export interface BlockContext extends BlockOptions {
  reminders: Reminders;
}
