/** Creates the view that prints the output of `show`, with facts such as the tokens in its head. */
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import type { Block } from "../../lib/text/render/block/block.ts";
import { type Context, type TextOutput, wantsColor } from "../_context.ts";
import { blockView, eventView, type ItemView, itemView, type Shown } from "./session_view.ts";
import type { ShowFlags, ShownSession } from "./shown_session.ts";
import { present } from "../../lib/core/event/present.ts";
import { UsageTotals } from "../../lib/core/projection/usage_totals.ts";

/**
 * True if the whole session is shown. Only then its tokens are shown, because counting tokens reads
 * the whole session.
 */
export function isWhole(
  { last, thread }: ShowFlags,
  { seq, thread: named }: SessionHandle,
): boolean {
  return last === undefined && thread === undefined && seq === undefined && named === undefined;
}

export function noSuchEvent(ref: string, last: number): SessionError {
  return new SessionError("not-found", `Cannot find event "${ref}": the last event is ${last}`, {
    ref,
  });
}

/** Facts for the transcript's head. `is_told` is true if usage was printed or is not wanted. */
export interface UsedTokens {
  use?: SessionUse | undefined;
  last_error?: string | undefined;
  /** The session's title. Undefined if the title is the session's first prompt. */
  title?: string | undefined;
  /** The user's tags on one line, such as `#bug #parser`. */
  tags?: string | undefined;
  note?: string | undefined;
  is_told: boolean;
}

/** Maximum size in bytes of a session that is read a second time to show its usage in the head. */
const MOST_HEAD_BYTES = 8 * 1024 * 1024;

/** Maximum size in bytes of a session that is read a second time to find its last error. */
const MOST_ERROR_BYTES = 1024 * 1024;

/** Returns facts for the transcript's head, except those that need a reread of a large session. */
export async function factsForHead(
  source: SessionHandle,
): Promise<Omit<UsedTokens, "is_told">> {
  const row = await source.summary();
  const { bytes = Infinity } = row;
  const whole = row.last_error === undefined && bytes <= MOST_ERROR_BYTES
    ? await source.summary({ exact: true })
    : row;
  const use = bytes <= MOST_HEAD_BYTES ? await sessionUse(source) : undefined;
  const tags = row.tags?.map((tag) => `#${tag}`).join(" ");
  // Without a name, a session is called by its first prompt, which is shown below.
  const title = row.title === row.first_user_message ? undefined : row.title || undefined;
  return { use, last_error: whole.last_error, title, tags, note: row.note };
}

async function peopleView(
  context: Context,
  source: SessionHandle,
  flags: ShowFlags & { used: UsedTokens; numbered: boolean; amid_turn: boolean },
  output: TextOutput,
): Promise<ItemView<Block>> {
  const { used, numbered } = flags;
  const labels = flags.full && source.has_bytes ? await labelsOf(source) : new Map();
  const facts = {
    Title: used.title,
    Tags: used.tags,
    Note: used.note,
    Tokens: used.use?.text,
    "Last error": used.last_error,
  };
  const plain = await blockView(context, {
    ...flags,
    output,
    head_facts: Object.entries(facts).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name, value }]
    ),
  });
  const view = labels.size === 0 ? plain : withLabels(plain, labels, output);
  if (used.use !== undefined) {
    return {
      ...view,
      print(block): void {
        used.is_told ||= block.type === "head";
        view.print(block);
      },
    };
  }
  if (source.seq === undefined) return view;
  // The named event is shown with the blocks before it.
  const color = wantsColor(context, output);
  return await inSurroundings(view, { seq: source.seq, numbered }, output, color);
}

async function labelsOf(source: SessionHandle): Promise<ReadonlyMap<number, string>> {
  const { sanitizeLine } = await import("../../lib/text/render/sanitize.ts");
  const threads = await source.threads();
  const labels = threads.flatMap(({ labels = {} }) => Object.entries(labels));
  return new Map(labels.map(([seq, label]) => [Number(seq), sanitizeLine(label)]));
}

function withLabels(
  view: ItemView<Block>,
  labels: ReadonlyMap<number, string>,
  output: TextOutput,
): ItemView<Block> {
  return {
    ...view,
    print(block): void {
      for (const seq of new Set([block.seq, block.end_seq ?? block.seq])) {
        const label = labels.get(seq);
        if (label !== undefined) output.write(`Label of #${seq}: ${label}\n`);
      }
      view.print(block);
    },
  };
}

interface ViewMaking {
  context: Context;
  flags: ShowFlags;
  output: TextOutput;
  used: UsedTokens;
  /** The part of the session to show. Without event numbers, lines of JSON have ids of records. */
  shown: ShownSession;
}

/** Calls the generic `use` with the flags' view, because each view has its own type of item. */
export async function withView<Result>(
  { context, flags, output, used, shown }: ViewMaking,
  use: <Item extends Shown>(view: ItemView<Item>) => Promise<Result>,
): Promise<Result> {
  const { source, numbered, end } = shown;
  if (flags.events) return await use(fromNamed(source, await eventView(output, numbered)));
  if (flags.json) return await use(fromNamed(source, await itemView(output, numbered)));
  const amid_turn = !numbered || end !== undefined;
  return await use(
    await peopleView(context, source, { ...flags, used, numbered, amid_turn }, output),
  );
}

function fromNamed<Item extends Shown>(
  { seq }: SessionHandle,
  view: ItemView<Item>,
): ItemView<Item> {
  if (seq === undefined) return view;
  const wanted = (item: Item): boolean => (item.end_seq ?? item.seq) >= seq;
  return {
    ...view,
    take: (events) => view.take(events).filter(wanted),
    rest: () => view.rest().filter(wanted),
  };
}

interface SessionUse {
  /** Tokens and cost on one line. Absent if no tokens were recorded. */
  text?: string;
}

export async function sessionUse(session: SessionHandle): Promise<SessionUse> {
  const { loadPrices } = await import("../../lib/library/counts/usage/load_prices.ts");
  const { describeUsage } = await import("../../lib/text/render/usage_text.ts");
  const { estimate, as_of } = await loadPrices();
  const totals = new UsageTotals("session");
  const { ref, agent } = session;
  totals.add({ ref, agent, rows: await session.usage({ estimate }) });
  const { usage, cost_usd, cost_estimated, unknown_models } = totals.total();
  const text = describeUsage(usage, present({ cost_usd, cost_estimated, unknown_models }));
  if (text === "") return {};
  return { text: cost_estimated ? `${text} (list prices of ${as_of})` : text };
}

/** Number of blocks that are shown before the block of the named event. */
export const BEFORE = 2;

/** Makes a view that begins {@linkcode BEFORE} blocks before an event, and marks the event. */
async function inSurroundings(
  view: ItemView<Block>,
  { seq, numbered }: { seq: number; numbered: boolean },
  output: TextOutput,
  color: boolean,
): Promise<ItemView<Block>> {
  const { createStyle } = await import("../../lib/text/render/style.ts");
  const { blockName } = await import("../../lib/text/render/block/block_text.ts");
  const style = createStyle(color);
  let before: Block[] = [];
  let found: Block | undefined;
  function shown(blocks: readonly Block[]): Block[] {
    if (found !== undefined) return [...blocks];
    const at = blocks.findIndex((block) => (block.end_seq ?? block.seq) >= seq);
    before = [...before, ...at < 0 ? blocks : blocks.slice(0, at)].slice(-BEFORE);
    if (at < 0) return [];
    found = blocks[at];
    return [...before, ...blocks.slice(at)];
  }
  return {
    ...view,
    take: (events) => shown(view.take(events)),
    rest: () => shown(view.rest()),
    print(block): void {
      const name = numbered ? ` #${seq}` : blockName(block);
      if (block === found) output.write(`${style.paint(["bold", "yellow"], `▶${name}`)}\n`);
      view.print(block);
    },
  };
}
