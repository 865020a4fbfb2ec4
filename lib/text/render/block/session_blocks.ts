/** Makes the blocks of a session from its events. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import type { EventKind } from "../../../core/event/payload.ts";
import { USAGE_KINDS } from "../../../core/event/policy.ts";
import type { Estimate } from "../../../core/projection/priced_tokens.ts";
import { transcript } from "../../../core/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../../core/projection/transcript/item.ts";
import { type TurnTotal, TurnUsage } from "../../../core/projection/turn_usage.ts";
import { describeUsage } from "../usage_text.ts";
import { counted } from "../../../core/event/counted.ts";
import type { Block, BlockOptions, TurnBlock } from "./block.ts";
import { BlockMaker } from "./block_maker.ts";

interface SessionBlocksOptions extends BlockOptions {
  /** True if the events begin within a turn. The turn's usage is then left out. @default {false} */
  amid_turn?: boolean;
  /** Returns an estimate for a cost that was not recorded. @default {none is estimated} */
  estimate?: Estimate;
  /** Text that says how to see attached texts, if the view always folds them. @default {none} */
  attached_hint?: string | undefined;
}

/**
 * Makes the blocks of a session, batch by batch. The blocks after a running call wait until the
 * call ends. Memory use does not grow with the session.
 */
export class SessionBlocks {
  readonly needs: ReadonlySet<EventKind>;
  readonly #projection = transcript();
  readonly #maker: BlockMaker;
  readonly #estimate: Estimate | undefined;
  #usage: TurnUsage;
  #state = this.#projection.initial();
  /** Turns that have ended, but whose last items are not shown yet. */
  #ended: TurnTotal[] = [];
  readonly #attached_hint: string | undefined;
  /** Number of attached texts in the thread, number of their lines, and event of the last text. */
  #attached = { count: 0, lines: 0, seq: 0 };

  constructor(options: SessionBlocksOptions = {}) {
    const { amid_turn = false, estimate, attached_hint } = options;
    this.#maker = new BlockMaker(options);
    this.#estimate = estimate;
    this.#attached_hint = attached_hint;
    this.#usage = new TurnUsage(estimate, amid_turn);
    const needs = this.#projection.needs ?? new Set<EventKind>();
    this.needs = new Set([...needs, ...USAGE_KINDS]);
  }

  /** Returns the blocks that are complete after these events. */
  take(events: readonly LogEvent[]): Block[] {
    for (const event of events) {
      this.#state = this.#projection.apply(this.#state, event);
      const ended = this.#usage.take(event);
      if (ended !== undefined) this.#ended.push(ended);
    }
    return this.#blocksOf(this.#projection.take(this.#state));
  }

  rest(): Block[] {
    const blocks = this.#blocksOf(this.#projection.result(this.#state));
    const last = this.#usage.end();
    const turns = [...this.#ended.splice(0), ...last ? [last] : []].map(turnBlock);
    return [...blocks, ...turns, ...this.#attachedLine()];
  }

  /** Returns the thread's last blocks. The next events begin another thread. */
  nextThread(): Block[] {
    const blocks = this.rest();
    this.#state = this.#projection.initial();
    this.#usage = new TurnUsage(this.#estimate);
    return blocks;
  }

  /** Resets the count of attached texts. */
  #attachedLine(): TurnBlock[] {
    const { count, lines, seq } = this.#attached;
    if (count === 0) return [];
    this.#attached = { count: 0, lines: 0, seq: 0 };
    const words = [`${counted(count, "attached text")}, ${counted(lines, "line")}`];
    if (this.#attached_hint !== undefined) words.push(this.#attached_hint);
    return [{ type: "turn", seq, words: words.map((text) => ({ text })) }];
  }

  #blocksOf(items: readonly TranscriptItem[]): Block[] {
    const blocks: Block[] = [];
    for (const item of items) {
      while (this.#ended[0] !== undefined && this.#ended[0].seq < item.seq) {
        for (const one of this.#ended.splice(0, 1).map(turnBlock)) blocks.push(one);
      }
      const block = this.#maker.blockOf(item);
      if (block !== undefined) blocks.push(block);
      if (block?.type !== "attached") continue;
      const { count, lines } = this.#attached;
      this.#attached = { count: count + 1, lines: lines + block.lines, seq: block.seq };
    }
    return blocks;
  }
}

export function turnBlock({ seq, models, usage, ...cost }: TurnTotal): TurnBlock {
  // A cost that nobody knows is not told: only lists explain the mark for it.
  const known = cost.cost_usd === undefined ? {} : cost;
  const words = [...models, describeUsage(usage, known)].map((text) => ({ text }));
  return { type: "turn", seq, words };
}
