/** Recognizes repeated reminders, and makes their blocks. */
import { present } from "../../../core/event/present.ts";
import { FOLDS } from "../fold.ts";
import type { BlockBase, BlockOptions, ReminderBlock } from "./block.ts";

/** Maximum number of remembered reminders, because agents repeat only a few. */
const MOST_KNOWN = 256;
const LONGEST_KNOWN = 8192;

export class Reminders {
  readonly #seen = new Map<string, number>();

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

export interface BlockContext extends BlockOptions {
  reminders: Reminders;
}
