/** Chooses the items of a page, so that a browser holds no more than a few thousand elements. */
import type { SessionWindow } from "../library/window/session_window.ts";
import type { TranscriptItem } from "../projection/transcript/transcript_item.ts";
import type { TurnTotal } from "../projection/turn_usage.ts";
import type { Block, TurnBlock } from "../render/block/block.ts";
import { BlockMaker } from "../render/block/block_maker.ts";
import { cutBlock } from "../render/block/cut_block.ts";
import { formatBytes } from "../render/byte_size.ts";
import { blockHtml } from "../render/html_document/block.ts";
import { openedHtml } from "../render/html_document/elements.ts";
import { type ContentsEntry, PlacedBlocks } from "../render/html_document/placed_blocks.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../render/html_document/safe_html.ts";
import type { HtmlView } from "../render/html_document/view.ts";
import { TurnLines } from "./turn_lines.ts";

/** Elements, characters and items after which a page ends. */
const PAGE_ELEMENTS = 3000;
const PAGE_SIZE = 200_000;
const PAGE_ITEMS = 150;
/** Items that are read at once: most pages end before many more. */
const STEP = 50;
/** An item of more elements, or characters, is on a page of its own. */
const ITEM_ELEMENTS = 2000;
const ITEM_SIZE = 200_000;

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
  const shown = found.slice(found.length - count);
  const first = start + found.length - count;
  const page = new PageRoom(look, { first, prompts: promptsBefore(items, first), whole: false });
  for (const item of shown) page.takes(item);
  return page.done(page.end !== items.progress.total);
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

class PageRoom {
  readonly #first: number;
  readonly #whole: boolean;
  readonly #view: HtmlView;
  readonly #link: ItemLook["link"];
  readonly #hit: ItemLook["hit"];
  readonly #maker = new BlockMaker();
  readonly #placed: PlacedBlocks;
  readonly #lines: TurnLines;
  readonly #room = new Room();
  readonly #pieces: SafeHtml[] = [];
  end: number;

  constructor(
    { view, link, turns, hit }: ItemLook,
    { first, prompts, whole }: { first: number; prompts: number; whole: boolean },
  ) {
    this.#first = this.end = first;
    this.#whole = whole;
    this.#view = view();
    this.#link = link;
    this.#hit = hit;
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

/** Room on a page; the first item always has it. */
class Room {
  #elements = 0;
  #size = 0;

  takes(html: SafeHtml): boolean {
    const is_first = this.#elements === 0;
    this.#elements += elementsIn(html) + FRAME_ELEMENTS;
    this.#size += html.markup.length;
    return is_first || (this.#elements <= PAGE_ELEMENTS && this.#size <= PAGE_SIZE);
  }
}

/** Elements around each item. */
const FRAME_ELEMENTS = 3;

function isLong({ html, is_whole }: BoundedHtml): boolean {
  return !is_whole || html.markup.length > ITEM_SIZE || elementsIn(html) > ITEM_ELEMENTS;
}

const NO_BODY: BoundedHtml = { html: NOTHING, is_whole: true };

/** Stands before an item that is longer than a page may be. */
function beginningHtml(html: SafeHtml, seq: number): SafeHtml {
  const ask = seq === 0 ? "" : `: reprise show REF#${seq} --full`;
  return safe`<p class="notice">This is the beginning. The command line shows all of it${ask}</p>${html}`;
}

/** Shows an item open, with an excerpt where its page would not show any of the words. */
function foundHtml(html: SafeHtml, block: Block, words: readonly string[]): SafeHtml {
  const open = openedHtml(html);
  const shown = open.markup.replaceAll(/<[^>]*>/g, "");
  if (words.some((word) => shown.includes(safe`${word}`.markup))) return open;
  const excerpt = excerptOf(block, words);
  return excerpt === undefined
    ? open
    : safe`<p class="label">Around the hit</p><pre>${excerpt}</pre>${open}`;
}

/** Characters before and after a word in an excerpt. */
const AROUND = 1000;

/** Returns the text around the first of some words, wherever it stands in a block. */
function excerptOf(value: unknown, words: readonly string[]): string | undefined {
  if (typeof value === "string") {
    const at = Math.max(...words.map((word) => value.indexOf(word)));
    return at < 0 ? undefined : value.slice(Math.max(0, at - AROUND), at + AROUND).toWellFormed();
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const inner of Object.values(value)) {
    const excerpt = excerptOf(inner, words);
    if (excerpt !== undefined) return excerpt;
  }
  return undefined;
}

/** Stands for an item that is on a page of its own. */
function longHtml({ html, is_whole }: BoundedHtml, link: string): SafeHtml {
  const size = `${is_whole ? "" : "over "}${formatBytes(html.markup.length)}`;
  return safe`<p class="note">This is long: <a href="${link}">show it by itself</a> (${size})</p>`;
}

/** Maximum characters and elements of a block; of a longer one the beginning is rendered. */
const MOST_SIZE = 2_000_000;
const MOST_ELEMENTS = 6000;
/** The limits are divided by no more than this. */
const MOST_PARTS = 4096;

interface BoundedHtml {
  html: SafeHtml;
  is_whole: boolean;
}

/** Renders a block in bounded time and memory. */
function boundedHtml(whole: Block, view: HtmlView): BoundedHtml {
  // How much markup a text becomes, only its marks tell.
  for (let part = 1;; part *= 2) {
    const { block, is_whole } = cutBlock(whole, MOST_SIZE / part, MOST_ELEMENTS / part);
    const html = blockHtml(block, view);
    const fits = html.markup.length <= MOST_SIZE && elementsIn(html) <= MOST_ELEMENTS;
    if (fits || part >= MOST_PARTS) return { html, is_whole };
  }
}

function elementsIn({ markup }: SafeHtml): number {
  let count = 0;
  for (let at = markup.indexOf("<"); at >= 0; at = markup.indexOf("<", at + 1)) {
    if (markup[at + 1] !== "/") count++;
  }
  return count;
}
