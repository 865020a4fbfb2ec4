/** Prints a session page by page, for `--max-chars` and `--cursor`. */
import type { LogEvent } from "../../lib/core/event/envelope.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { SessionHandle, SessionReadOptions } from "../../lib/library/handle/session_handle.ts";
import type { CursorQuery } from "../../lib/text/render/page/cursor.ts";
import type { Page } from "../../lib/text/render/page/page.ts";
import { fromCursor, type PageFlags, pageRoom } from "../_page.ts";
import { type ItemView, LastItems, type Shown } from "./session_view.ts";
import { present } from "../../lib/core/event/present.ts";
import type { Context, TextOutput } from "../_context.ts";

interface ShownForm extends PageFlags {
  thread?: string;
  last?: number;
  full?: true;
  tools?: string;
  json?: true;
  events?: true;
}

export class KeptText implements TextOutput {
  readonly terminal = false;
  readonly height = Infinity;
  readonly width: number;
  #text = "";

  /** @param width Columns. */
  constructor(width: number) {
    this.width = width;
  }

  write(text: string): void {
    this.#text += text;
  }

  take(): string {
    const text = this.#text;
    this.#text = "";
    return text;
  }
}

interface ShownPlace {
  /** The item's number among all shown items, from 0. */
  item: number;
  /** Number of the item's characters that earlier pages have shown. */
  offset: number;
  seq: number;
}

interface ShownPage {
  source: SessionHandle;
  flags: ShownForm;
  width: number;
}

function queryOf({ source, flags, width }: ShownPage): CursorQuery {
  const { agent, id, seq } = source;
  const { full, tools, json, events, thread = source.thread } = flags;
  return { command: "show", query: { agent, id, seq, thread, full, tools, json, events, width } };
}

export async function shownPlace(page: ShownPage): Promise<ShownPlace | undefined> {
  const { cursor } = page.flags;
  if (cursor === undefined) return undefined;
  const { parseNumbers } = await import("../../lib/text/render/page/cursor.ts");
  const [item, offset, seq] = fromCursor(() => parseNumbers(queryOf(page), cursor));
  return { item, offset, seq };
}

interface Numbered<Item> {
  number: number;
  item: Item;
}

/**
 * Prints one page and the next page's cursor. On the last page, returns the number of the session's
 * last event. On other pages, returns undefined.
 */
export async function printShownPage<Item extends Shown>(
  { stdout }: Context,
  shown: ShownPage,
  { view, text, place, options }: {
    view: ItemView<Item>;
    text: KeptText;
    place: ShownPlace | undefined;
    options: SessionReadOptions;
  },
): Promise<number | undefined> {
  const { cutJsonLine, lastLines, Page } = await import("../../lib/text/render/page/page.ts");
  const { formatCursor, toDigits } = await import("../../lib/text/render/page/cursor.ts");
  const { flags } = shown;
  const for_programs = flags.json || flags.events;
  const page = new Page(await pageRoom(flags), for_programs ? cutJsonLine : undefined);
  const read = { last_seq: undefined as number | undefined };
  let next: Numbered<Item> | undefined;
  for await (const { number, item } of wanted(shown, view, { place, options, read })) {
    if (number === place?.item && item.seq !== place.seq) throw changed(shown);
    view.print(item);
    if (page.add(number, text.take(), number === place?.item ? place.offset : 0)) continue;
    next = { number, item };
    break;
  }
  stdout.write(page.text);
  const cursor = next === undefined ? undefined : formatCursor(
    queryOf(shown),
    [next.number, offsetIn(page), next.item.seq].map(toDigits),
  );
  stdout.write(lastLines(cursor, page.left, for_programs ? "json" : "text"));
  return next === undefined ? read.last_seq : undefined;
}

/**
 * Prints the last items of `end` on one page. If they exceed the page, prints nothing and returns
 * false.
 */
export async function printEndPage<Item extends Shown>(
  { stdout }: Context,
  flags: ShownForm,
  { view, text, end }: { view: ItemView<Item>; text: KeptText; end: readonly LogEvent[] },
): Promise<boolean> {
  const { lastLines, Page } = await import("../../lib/text/render/page/page.ts");
  const page = new Page(await pageRoom(flags));
  const last = new LastItems<Item>(flags.last, (item) => item);
  for (const item of [...view.take(end), ...view.rest()]) last.push(item);
  for (const [number, item] of last.items.entries()) {
    view.print(item);
    if (!page.add(number, text.take(), 0)) return false;
  }
  stdout.write(page.text);
  stdout.write(lastLines(undefined, page.left, flags.json || flags.events ? "json" : "text"));
  return true;
}

function offsetIn({ next }: Page): number {
  return next?.offset ?? 0;
}

function changed({ source: { ref } }: ShownPage): SessionError {
  const message =
    "Cannot use the cursor: the session has changed since that page was printed. Start again " +
    "without --cursor";
  return new SessionError("not-found", message, { ref });
}

/** Yields items from `place` on. Without `place`, yields the last items if `--last` is given. */
async function* wanted<Item extends Shown>(
  shown: ShownPage,
  view: ItemView<Item>,
  { place, options, read }: {
    place: ShownPlace | undefined;
    options: SessionReadOptions;
    read: { last_seq: number | undefined };
  },
): AsyncGenerator<Numbered<Item>> {
  const { last } = shown.flags;
  const held = last === undefined || place !== undefined
    ? undefined
    : new LastItems<Numbered<Item>>(last, ({ item }) => item);
  const first = place?.item ?? 0;
  let number = 0;
  for await (const { items, seq } of readItems(shown.source, view, options)) {
    read.last_seq = seq ?? read.last_seq;
    for (const item of items) {
      const one = { number: number++, item };
      if (held !== undefined) held.push(one);
      else if (one.number >= first) yield one;
    }
  }
  if (held !== undefined) yield* held.items;
  else if (place !== undefined && number <= first) throw changed(shown);
}

async function* readItems<Item extends Shown>(
  source: SessionHandle,
  view: ItemView<Item>,
  options: SessionReadOptions,
): AsyncGenerator<{ items: readonly Item[]; seq: number | undefined }> {
  const asked = present({ ...options, needs: view.needs });
  for await (const events of source.events(asked)) {
    yield { items: view.take(events), seq: events.at(-1)?.seq };
  }
  yield { items: view.rest(), seq: undefined };
}
