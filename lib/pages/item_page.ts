/** Chooses the items of a page, so that a browser holds no more than a few thousand elements. */
import type { SessionWindow } from "../library/window/session_window.ts";
import type { TranscriptItem } from "../projection/transcript/transcript_item.ts";
import type { TurnTotal } from "../projection/turn_usage.ts";
import type { TurnBlock } from "../render/block/block.ts";
import { BlockMaker } from "../render/block/block_maker.ts";
import { type ContentsEntry, PlacedBlocks } from "../render/html_document/placed_blocks.ts";
import { joinHtml, safe, type SafeHtml } from "../render/html_document/safe_html.ts";
import type { HtmlView } from "../render/html_document/view.ts";
import {
  beginningHtml,
  boundedHtml,
  foundHtml,
  isLong,
  longHtml,
  NO_BODY,
  Room,
} from "./bounded_html.ts";
import { endItems } from "./end_items.ts";
import type { OpenedSession } from "./opened_sessions.ts";
import { TurnLines } from "./turn_lines.ts";

/** Items after which a page ends. */
const PAGE_ITEMS = 150;
/** Items that are read at once: most pages end before many more. */
const STEP = 50;

export interface ItemLook {
  view: () => HtmlView;
  /** Returns the address of the page that shows one item alone. */
  link: (number: number) => string;
  /** The usage of each turn, if it is known. */
  turns: readonly TurnTotal[];
  /** The item that the reader was led to, which is shown open, and the words to find in it. */
  hit?: { item: number; words: readonly string[] };
}

export interface ItemPage {
  html: SafeHtml;
  contents: readonly ContentsEntry[];
  first: number;
  /** The number behind its last item. */
  end: number;
  /** The first item of the next page; undefined where there is none. */
  next?: number;
  /** Items of an end whose numbers are not known; absent of other pages. */
  back?: number;
}

/** Fills a page from an item on; `whole` shows that item alone, to its end. */
export async function pageAt(
  items: SessionWindow,
  first: number,
  look: ItemLook,
  whole = false,
): Promise<ItemPage> {
  const page = new PageRoom(look, { first, prompts: promptsBefore(items, first), whole });
  const step = whole ? 1 : STEP;
  for (let next = first;; next += step) {
    // One more tells whether there is a next page.
    const some = await items.items(next, step + 1);
    const full = some.slice(0, step).some((item) => !page.takes(item));
    const more = full || some.length > step;
    if (!more || full || whole || page.end - first >= PAGE_ITEMS) return page.done(more);
  }
}

/** Items before a hit that show where it stands. */
const SURROUNDINGS = 10;

/** Fills a page with the item of a hit, and with some items before it where there is room. */
export async function pageOfHit(
  items: SessionWindow,
  look: ItemLook & Required<Pick<ItemLook, "hit">>,
): Promise<ItemPage> {
  const { item } = look.hit;
  const prompt = items.prompts.findLast((one) => one.item <= item)?.item ?? 0;
  const first = Math.max(prompt, item - SURROUNDINGS);
  const page = await pageAt(items, first, look);
  return page.end > item ? page : await pageAt(items, item, look);
}

/** Fills the page that ends before an item. */
export async function pageBefore(
  items: SessionWindow,
  end: number,
  look: ItemLook,
): Promise<ItemPage> {
  const start = Math.max(0, end - PAGE_ITEMS);
  const found = await items.items(start, end - start);
  const shown = fitting(found, look);
  const first = start + found.length - shown.length;
  const page = new PageRoom(look, { first, prompts: promptsBefore(items, first) });
  for (const item of shown) page.takes(item);
  return page.done(page.end !== items.progress.total);
}

/** Fills the last page of a session of which only the end was read. */
export async function pageOfEnd(
  opened: OpenedSession,
  look: ItemLook,
): Promise<ItemPage | undefined> {
  const end = await endItems(opened, PAGE_ITEMS);
  if (end === undefined) return undefined;
  const shown = fitting(end.items, look);
  const page = new PageRoom(look, { first: -shown.length, numbered: end.numbered });
  for (const item of shown) page.takes(item);
  return { ...page.done(false), back: shown.length };
}

/** Returns the last items that have room on one page. */
function fitting(found: readonly TranscriptItem[], look: ItemLook): readonly TranscriptItem[] {
  const room = new Room();
  // Blocks know those before them: what is measured backwards is not what is shown.
  const [view, maker] = [look.view(), new BlockMaker()];
  let count = 0;
  for (const item of found.toReversed()) {
    const block = maker.blockOf(item);
    const body = block === undefined ? NO_BODY : boundedHtml(block, view);
    if (!isLong(body) && !room.takes(body.html)) break;
    count++;
  }
  return found.slice(found.length - count);
}

function promptsBefore({ prompts }: SessionWindow, first: number): number {
  return prompts.filter(({ item }) => item < first).length;
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

interface RoomOptions {
  first: number;
  /** Prompts before the page; undefined where they are not known. */
  prompts?: number;
  /** Shows one item to its end. @default {false} */
  whole?: boolean;
  /** False where nothing tells the numbers of events. @default {true} */
  numbered?: boolean;
}

class PageRoom {
  readonly #first: number;
  readonly #whole: boolean;
  readonly #view: HtmlView;
  readonly #link: ItemLook["link"];
  readonly #hit: ItemLook["hit"];
  readonly #maker: BlockMaker;
  readonly #placed: PlacedBlocks;
  readonly #lines: TurnLines;
  readonly #room = new Room();
  readonly #pieces: SafeHtml[] = [];
  end: number;

  constructor(
    { view, link, turns, hit }: ItemLook,
    { first, prompts, whole = false, numbered = true }: RoomOptions,
  ) {
    this.#first = this.end = first;
    this.#whole = whole;
    this.#view = view();
    this.#link = link;
    this.#hit = hit;
    this.#maker = new BlockMaker({ numbered });
    this.#placed = new PlacedBlocks(this.#view, { turns: prompts });
    this.#lines = new TurnLines(turns);
  }

  /** Takes an item, or says that the page is full. */
  takes(item: TranscriptItem): boolean {
    const block = this.#maker.blockOf(item);
    const body = block === undefined ? NO_BODY : boundedHtml(block, this.#view);
    const hit = this.#hit?.item === this.end ? this.#hit : undefined;
    const is_left_out = !this.#whole && hit === undefined && isLong(body);
    if (!is_left_out && !this.#room.takes(body.html)) return false;
    const shown = is_left_out
      ? longHtml(body, this.#link(this.end))
      : body.is_whole
      ? body.html
      : beginningHtml(body.html, item.seq);
    this.#addLines(this.#lines.before(item));
    if (block !== undefined) {
      const found = hit === undefined ? shown : foundHtml(shown, block, hit.words);
      this.#pieces.push(this.#placed.add(block, found));
    }
    this.end++;
    return true;
  }

  #addLines(turns: readonly TurnBlock[]): void {
    for (const turn of turns) this.#pieces.push(this.#placed.add(turn));
  }

  done(more: boolean): ItemPage {
    if (!more) this.#addLines(this.#lines.rest());
    const page = {
      html: safe`${joinHtml(this.#pieces)}${this.#placed.end()}`,
      contents: this.#placed.contents,
      first: this.#first,
      end: this.end,
    };
    return more ? { ...page, next: this.end } : page;
  }
}
