/** Chooses the items of a page, so that a browser holds no more than a few thousand elements. */
import type { TranscriptItem } from "../projection/transcript/transcript_item.ts";
import { itemHtml } from "../render/html_document/item.ts";
import { type ContentsEntry, PlacedItems } from "../render/html_document/placed_items.ts";
import { joinHtml, safe, type SafeHtml } from "../render/html_document/safe_html.ts";
import { formatBytes } from "../render/byte_size.ts";
import type { HtmlView } from "../render/html_document/view.ts";
import type { SessionWindow } from "../library/window/session_window.ts";

/** Elements after which a page ends. */
const PAGE_ELEMENTS = 4000;
/** Characters after which it does. */
const PAGE_SIZE = 600_000;
/** Items that are read for a page, at most. */
const PAGE_ITEMS = 250;
/** An item of more elements, or characters, is on a page of its own. */
const ITEM_ELEMENTS = 2000;
const ITEM_SIZE = 2_000_000;

/** Returns the address of the page that shows one item alone. */
export type ItemLink = (number: number) => string;

/** How items are shown. */
export interface ItemLook {
  view: HtmlView;
  link: ItemLink;
}

/** Items of a session that are shown together. */
export interface ItemPage {
  html: SafeHtml;
  contents: readonly ContentsEntry[];
  /** The number of its first item. */
  first: number;
  /** The number behind its last item. */
  end: number;
  /** The first item of the next page; undefined where there is none. */
  next?: number;
}

/** The page that begins with an item; of an item by itself, all of it. */
export async function pageAt(
  items: SessionWindow,
  first: number,
  look: ItemLook,
  whole = false,
): Promise<ItemPage> {
  const most = whole ? 1 : PAGE_ITEMS;
  // One more tells whether there is a next page.
  const found = await items.items(first, most + 1);
  return placed(items, found.slice(0, most), { ...look, first, whole, more: found.length > most });
}

/** The page that ends before an item. */
export async function pageBefore(
  items: SessionWindow,
  end: number,
  look: ItemLook,
): Promise<ItemPage> {
  const start = Math.max(0, end - PAGE_ITEMS);
  const found = await items.items(start, end - start);
  const room = new Room();
  let first = found.length;
  for (const item of found.toReversed()) {
    const body = itemHtml(item, look.view);
    if (!isLong(body) && !room.takes(body)) break;
    first--;
  }
  return placed(items, found.slice(first), {
    ...look,
    first: start + first,
    whole: false,
    more: true,
  });
}

/** Finds the item that holds an event; undefined where the session ends before it. */
export async function itemNumber(items: SessionWindow, seq: number): Promise<number | undefined> {
  const known = items.prompts.findLast((prompt) => prompt.seq <= seq);
  for (let first = known?.item ?? 0;; first += PAGE_ITEMS) {
    const some = await items.items(first, PAGE_ITEMS);
    const at = some.findIndex((item) => Math.max(item.seq, item.end_seq ?? 0) >= seq);
    if (at >= 0) return first + at;
    if (some.length < PAGE_ITEMS) return undefined;
  }
}

interface Placing extends ItemLook {
  first: number;
  /** True to show a long item, too. */
  whole: boolean;
  /** True if other items follow. */
  more: boolean;
}

function placed(
  { prompts }: SessionWindow,
  some: readonly TranscriptItem[],
  { first, view, link, whole, more }: Placing,
): ItemPage {
  const turns = prompts.filter(({ item }) => item < first).length;
  const page = new PlacedItems(view, { turns });
  const room = new Room();
  const pieces: SafeHtml[] = [];
  let end = first;
  for (const item of some) {
    const body = itemHtml(item, view);
    const is_left_out = !whole && isLong(body);
    if (!is_left_out && !room.takes(body)) break;
    pieces.push(page.add(item, is_left_out ? longHtml(body, link(end)) : body));
    end++;
  }
  const has_next = more || end < first + some.length;
  return {
    html: safe`${joinHtml(pieces)}${page.end()}`,
    contents: page.contents,
    first,
    end,
    ...(has_next ? { next: end } : {}),
  };
}

/** Room on a page; the first item always has it. */
class Room {
  #elements = 0;
  #size = 0;

  takes({ markup }: SafeHtml): boolean {
    const is_first = this.#elements === 0;
    this.#elements += elementsIn(markup) + FRAME_ELEMENTS;
    this.#size += markup.length;
    return is_first || (this.#elements <= PAGE_ELEMENTS && this.#size <= PAGE_SIZE);
  }
}

/** Elements around each item. */
const FRAME_ELEMENTS = 3;

function isLong({ markup }: SafeHtml): boolean {
  return markup.length > ITEM_SIZE || elementsIn(markup) > ITEM_ELEMENTS;
}

/** Stands for an item that is on a page of its own. */
function longHtml({ markup }: SafeHtml, link: string): SafeHtml {
  return safe`<p class="note">This is long: <a href="${link}">show all of it</a> (${
    formatBytes(markup.length)
  })</p>`;
}

/** Elements of a markup. */
function elementsIn(markup: string): number {
  let count = 0;
  for (let at = markup.indexOf("<"); at >= 0; at = markup.indexOf("<", at + 1)) {
    if (markup[at + 1] !== "/") count++;
  }
  return count;
}
