/**
 * Renders and prints the events of a session: existing events, and new events when they are
 * written.
 */
import { recordName } from "../../lib/core/event/record_name.ts";
import type { LogEvent } from "../../lib/core/event/envelope.ts";
import type { EventKind } from "../../lib/core/event/payload.ts";
import { transcript } from "../../lib/core/projection/transcript/transcript.ts";
import type { TranscriptItem } from "../../lib/core/projection/transcript/item.ts";
import type { Block, Fact, ToolDetail } from "../../lib/text/render/block/block.ts";
import { type Context, type TextOutput, timeFormat, wantsColor } from "../_context.ts";
import { present } from "../../lib/core/event/present.ts";
import type { Report } from "../../lib/core/log/diagnostic.ts";
import type { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import { onSignals } from "../../lib/core/platform/signals.ts";
import { CommandExit, STATUS } from "../_failure.ts";
import { say } from "../_message.ts";

/** The common fields of an event, a transcript item and a rendered block. */
export interface Shown {
  seq: number;
  end_seq?: number;
  type?: string;
}

/** Types of items and blocks that `--last` counts. Notices, heads and tokens are not counted. */
const COUNTED: ReadonlySet<string> = new Set([
  ...["message", "reasoning", "tool", "bash", "diff"],
  ...["prose", "thinking", "call", "command", "code"],
]);

export interface ItemView<Item extends Shown> {
  /** The kinds of events to read. Undefined for all kinds. */
  needs: ReadonlySet<EventKind> | undefined;
  /** Returns the items that these events complete. */
  take(events: readonly LogEvent[]): Item[];
  /** Returns items that only the session's end completes. Called once, after the last `take`. */
  rest(): Item[];
  print(item: Item): void;
}

interface BlockViewOptions {
  output: TextOutput;
  full?: boolean;
  tools?: ToolDetail;
  /** False if the number of earlier events is unknown. */
  numbered: boolean;
  /** True if only the session's end is read. It may begin within a turn. */
  amid_turn: boolean;
  head_facts: readonly Fact[];
}

/**
 * Returns a view that prints each event as a line of JSON. Without event numbers, the line has the
 * id of the event's record instead.
 */
export async function eventView(
  output: TextOutput,
  numbered: boolean,
): Promise<ItemView<LogEvent>> {
  const { toJsonLine } = await import("../../lib/text/render/json_lines.ts");
  return {
    needs: undefined,
    take: (events) => [...events],
    rest: () => [],
    print(event): void {
      const { form: _form, position: _position, ...fields } = event;
      output.write(toJsonLine(numbered ? fields : withoutNumbers(fields, recordName(event))));
    },
  };
}

/**
 * Returns a view that prints each transcript item as a line of JSON. Without event numbers, the
 * line has the id of the item's record instead.
 */
export async function itemView(
  output: TextOutput,
  numbered: boolean,
): Promise<ItemView<TranscriptItem>> {
  const { toJsonLine } = await import("../../lib/text/render/json_lines.ts");
  const projection = transcript();
  let state = projection.initial();
  return {
    needs: projection.needs,
    take(events): TranscriptItem[] {
      for (const event of events) state = projection.apply(state, event);
      return projection.take(state);
    },
    rest: () => projection.result(state),
    print: (item) => output.write(toJsonLine(numbered ? item : withoutNumbers(item, item.id))),
  };
}

/**
 * Replaces an item's event numbers by `id`. The numbers are wrong if only the session's end was
 * read.
 */
function withoutNumbers(
  { seq: _, end_seq: __, ...rest }: Shown & { payload?: unknown },
  id: string | undefined,
): object {
  const { payload } = rest;
  if (typeof payload !== "object" || payload === null) return { id, ...rest };
  return { id, ...rest, payload: { ...payload, first_kept_seq: undefined } };
}

export async function blockView(
  context: Context,
  { output, ...options }: BlockViewOptions,
): Promise<ItemView<Block>> {
  const { SessionBlocks } = await import("../../lib/text/render/block/session_blocks.ts");
  const { loadPrices } = await import("../../lib/library/counts/usage/load_prices.ts");
  const { estimate } = await loadPrices();
  const attached_hint = options.full ? undefined : "to show these texts in full: --full";
  const session = new SessionBlocks({ ...options, estimate, attached_hint });
  const toText = await blockPrinter(context, output, { ...options, colored_code: true });
  return {
    needs: session.needs,
    take: (events) => session.take(events),
    rest: () => session.rest(),
    print: (block) => output.write(toText(block)),
  };
}

interface PrintOptions {
  full?: boolean;
  /**
   * True to highlight code. Loading the grammars takes longer than printing a short session.
   *
   * @default {false}
   */
  colored_code?: boolean;
}

async function blockPrinter(
  context: Context,
  output: TextOutput,
  { full = false, colored_code = false }: PrintOptions = {},
): Promise<(block: Block) => string> {
  const { printBlocks, WIDEST } = await import("../../lib/text/render/terminal.ts");
  const { createStyle } = await import("../../lib/text/render/style.ts");
  const style = createStyle(wantsColor(context, output));
  const width = Math.min(output.width, WIDEST);
  const highlight = style.color && colored_code
    ? (await import("../../lib/text/render/highlight.ts")).createHighlight()
    : undefined;
  const view = present({ width, style, full, format_time: timeFormat(context), highlight });
  return (block) => printBlocks([block], view);
}

/**
 * Keeps the end of a list that holds the last `count` messages and calls. Without a count, keeps
 * the whole list. Items without a type, such as log events, count like messages.
 */
export class LastItems<Item> {
  readonly #count: number;
  readonly #shown: (item: Item) => Shown;
  #items: Item[] = [];
  /** Number of collected items at which the items before the last `count` are dropped. */
  #most: number;

  /** @param shown Unwraps an element of the list, such as an item with a number */
  constructor(count: number | undefined, shown: (item: Item) => Shown) {
    this.#count = count ?? Infinity;
    this.#shown = shown;
    this.#most = 2 * this.#count;
  }

  push(item: Item): void {
    this.#items.push(item);
    if (this.#items.length < this.#most) return;
    // Cutting only now and then keeps the cost of a push constant.
    this.#items = this.items;
    this.#most = 2 * Math.max(this.#count, this.#items.length);
  }

  get items(): Item[] {
    let left = this.#count;
    const first = this.#items.findLastIndex((item) => this.#isCounted(item) && --left <= 0);
    return this.#items.slice(Math.max(0, first));
  }

  #isCounted(item: Item): boolean {
    const { type } = this.#shown(item);
    return type === undefined || COUNTED.has(type);
  }
}

interface FollowOptions {
  report: Report;
  /** Maximum number of existing items to print before new items. Undefined for all. */
  last: number | undefined;
  /** True to read only the end of the existing session. */
  tail?: boolean;
}

/**
 * Prints existing items, then new items, until the process is stopped.
 *
 * @throws {CommandExit} `cancelled`, always.
 */
export async function follow<Item extends Shown>(
  context: Context,
  session: SessionHandle,
  { report, last, tail = false }: FollowOptions,
  { take, rest, print }: ItemView<Item>,
): Promise<never> {
  const stop = new AbortController();
  const endListening = onSignals({ SIGINT: () => stop.abort() });
  const before = new LastItems<Item>(last, (item) => item);
  let live = false;
  const onCaughtUp = (): void => {
    live = true;
    for (const item of before.items) print(item);
  };
  try {
    const told: Promise<void>[] = [];
    const { ref } = session;
    const onRewritten = (): void => {
      told.push(
        say(
          context,
          `reprise: ${ref} was rewritten by its agent; showing only what is new`,
        ),
      );
    };
    const onBranch = (): void => {
      const how = `to see the earlier branch: reprise show ${ref} --threads`;
      told.push(
        say(context, `reprise: session ${ref} now continues from an earlier message; ${how}`),
      );
    };
    const options = { signal: stop.signal, report, onCaughtUp, onRewritten, onBranch };
    const last_messages = tail ? last : undefined;
    for await (const events of session.watch(present({ ...options, last_messages }))) {
      await Promise.all(told.splice(0));
      for (const item of take(events)) {
        if (live) print(item);
        else before.push(item);
      }
    }
    for (const item of rest()) print(item);
  } finally {
    endListening();
  }
  throw new CommandExit(STATUS.cancelled);
}
