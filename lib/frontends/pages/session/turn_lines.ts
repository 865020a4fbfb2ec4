/** Adds the usage of each turn to a page. */
import type { TranscriptItem } from "../../../core/projection/transcript/item.ts";
import type { TurnTotal } from "../../../core/projection/turn_usage.ts";
import type { TurnBlock } from "../../../text/render/block/block.ts";
import { turnBlock } from "../../../text/render/block/session_blocks.ts";

/** The lines about the usage of turns, shown between a page's items. Each is returned once. */
export class TurnLines {
  #left: readonly TurnTotal[];
  #is_first = true;

  /** @param turns The turns of the whole session, in order. */
  constructor(turns: readonly TurnTotal[]) {
    this.#left = turns;
  }

  before(item: TranscriptItem): TurnBlock[] {
    const ended = this.#left.filter(({ seq }) => seq < item.seq);
    this.#left = this.#left.slice(ended.length);
    const is_prompt = item.type === "message" && item.role === "user";
    // The page before ends with the last item of a turn, and does not know that it is the last.
    const shown = this.#is_first ? ended.slice(is_prompt ? -1 : ended.length) : ended;
    this.#is_first = false;
    return shown.map(turnBlock);
  }

  rest(): TurnBlock[] {
    return this.#left.map(turnBlock);
  }
}
