/** Chooses the items of a page, so that a browser holds no more than a few thousand elements. */
import { present } from "../../../core/event/present.ts";
import type { SessionWindow } from "../../../library/handle/window/session_window.ts";
import { eventSize } from "../../../core/projection/event_size.ts";
import type { TranscriptItem } from "../../../core/projection/transcript/item.ts";
import type { TurnTotal } from "../../../core/projection/turn_usage.ts";
import type { Block, TurnBlock } from "../../../text/render/block/block.ts";
import { BlockMaker } from "../../../text/render/block/block_maker.ts";
import {
  type ContentsEntry,
  PlacedBlocks,
} from "../../../text/render/html_document/placed_blocks.ts";
import { joinHtml, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import type { HtmlView } from "../../../text/render/html_document/view.ts";
import { beginningHtml, boundedHtml, isLong, longHtml, NO_BODY, Room } from "./bounded_html.ts";
import { foundHtml } from "./hit_excerpt.ts";
import { itemsAt } from "./items_at.ts";
import type { OpenedSession } from "./opened_sessions.ts";
import { TurnLines } from "./turn_lines.ts";

const PAGE_ITEMS = 150;
/** Number of characters of items that yield about one page. */
const PAGE_TEXT = 180_000;
/** Number of items that are read at a time. */
const STEP = 50;

export interface ItemLook {
  view: () => HtmlView;
  /** Returns the address of the page that shows one item alone. */
  link: (number: number) => string;
  /** The usage of each turn; empty if unknown. */
  turns: readonly TurnTotal[];
  /** Number of the first event whose calls may still run. Absent if the session is not running. */
  runs_from?: number | undefined;
  /** The session's directory; paths are shown relative to it. */
  cwd?: string | undefined;
  subagents: (item: TranscriptItem) => SafeHtml;
  /** The item to which the address leads, shown unfolded, and the words to find in it. */
  hit?: { item: number; words: readonly string[] };
}

export interface ItemPage {
  html: SafeHtml;
  contents: readonly ContentsEntry[];
  /** The number of the page's first item. A negative number counts from the session's end. */
  first: number;
  /** The exclusive end of the page: the number of its last item plus 1. */
  end: number;
  next?: number;
}

/** Makes the page that begins with an item. If `whole` is true, shows only that item, in full. */
export async function pageAt(
  opened: OpenedSession,
  first: number,
  look: ItemLook,
  whole = false,
): Promise<ItemPage> {
  const { items } = opened;
  if (first < 0) {
    const found = await itemsAt(opened, first, whole ? 1 : Math.min(PAGE_ITEMS, -first));
    if (found.first >= 0) return await pageAt(opened, found.first, look, whole);
    const page = new PageRoom(look, {
      ...{ first, numbered: found.numbered, whole },
      ...await promptsBefore(opened, first),
    });
    page.announce(found.items);
    found.items.every((item) => page.takes(item));
    return page.done(page.end < 0);
  }
  // The number of earlier turns is known only once the session is read up to here.
  await items.items(first, 1);
  const page = new PageRoom(look, { first, ...await promptsBefore(opened, first), whole });
  const step = whole ? 1 : STEP;
  for (let next = first;; next += step) {
    // One more item shows whether there is a next page.
    const some = await items.items(next, step + 1);
    page.announce(some);
    const full = some.slice(0, step).some((item) => !page.takes(item));
    const more = full || some.length > step;
    if (!more || full || whole || page.end - first >= PAGE_ITEMS) return page.done(more);
  }
}

/** Number of items that are shown before a hit as its context. */
const SURROUNDINGS = 10;

/** Makes a page with a hit's item, and with preceding items if they fit. */
export async function pageOfHit(
  opened: OpenedSession,
  look: ItemLook & Required<Pick<ItemLook, "hit">>,
): Promise<ItemPage> {
  const { item } = look.hit;
  const prompt = opened.items.prompts.findLast((one) => one.item <= item)?.item ?? 0;
  const first = Math.max(prompt, item - SURROUNDINGS);
  const page = await pageAt(opened, first, look);
  return page.end > item ? page : await pageAt(opened, item, look);
}

/** Makes the page that ends before an item; the last page if the item does not exist. */
export async function pageBefore(
  opened: OpenedSession,
  end: number | undefined,
  look: ItemLook,
): Promise<ItemPage> {
  const start = (end ?? 0) - PAGE_ITEMS;
  const from = end === undefined || end < 0 ? start : Math.max(0, start);
  const found = await itemsAt(opened, from, (end ?? 0) - from);
  for (let shown = lastOnPage(found.items);;) {
    const first = found.first + found.items.length - shown.length;
    const { items } = opened;
    const known = await promptsBefore(opened, first);
    const page = new PageRoom(look, { first, numbered: found.numbered, ...known });
    page.announce(shown);
    const is_full = shown.some((item) => !page.takes(item));
    if (!is_full) return page.done(page.end !== (first < 0 ? 0 : items.progress.total));
    // As many of the last items as fit. The first item always fits.
    shown = shown.slice(first - page.end);
  }
}

/** Returns the last items that probably fit on one page. */
function lastOnPage(found: readonly TranscriptItem[]): readonly TranscriptItem[] {
  let room = PAGE_TEXT;
  const before = found.findLastIndex((item) => {
    const size = eventSize({ payload: item });
    // A longer item has a page of its own.
    if (size < PAGE_TEXT) room -= size;
    return room < 0;
  });
  return found.slice(Math.min(before + 1, found.length - 1));
}

/**
 * Counts the prompts before an item. Returns no number if only the session's end was read and turn
 * numbers are unknown.
 */
async function promptsBefore(
  opened: OpenedSession,
  first: number,
): Promise<{ prompts?: number }> {
  if (first >= 0) {
    return { prompts: opened.items.prompts.filter(({ item }) => item < first).length };
  }
  const { items } = await itemsAt(opened, first, -first);
  return present({ prompts: opened.numbers.before(items) });
}

/** Finds the item that contains an event; undefined if the session ends before that event. */
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
  prompts?: number;
  /** True to show one item in full. @default {false} */
  whole?: boolean;
  /** False if event numbers are unknown. @default {true} */
  numbered?: boolean;
}

class PageRoom {
  readonly #first: number;
  readonly #whole: boolean;
  readonly #view: HtmlView;
  readonly #link: ItemLook["link"];
  readonly #hit: ItemLook["hit"];
  readonly #subagents: ItemLook["subagents"];
  readonly #runs_from: number;
  readonly #maker: BlockMaker;
  readonly #placed: PlacedBlocks;
  readonly #lines: TurnLines;
  readonly #room = new Room();
  #changed: ReadonlySet<string> = new Set();
  readonly #pieces: SafeHtml[] = [];
  end: number;

  constructor(
    { view, link, turns, subagents, hit, cwd, runs_from = Infinity }: ItemLook,
    { first, prompts, whole = false, numbered = true }: RoomOptions,
  ) {
    this.#first = this.end = first;
    this.#whole = whole;
    this.#view = view();
    this.#link = link;
    this.#hit = hit;
    this.#subagents = subagents;
    this.#runs_from = runs_from;
    this.#maker = new BlockMaker({ numbered, cwd });
    this.#placed = new PlacedBlocks(this.#view, { turns: prompts });
    this.#lines = new TurnLines(turns);
  }

  /** Sets the items to be added next. A call hides a file change that is one of these items. */
  announce(items: readonly TranscriptItem[]): void {
    this.#changed = new Set(
      items.flatMap((item) => item.type === "diff" ? item.call_id ?? [] : []),
    );
  }

  /** Adds an item to the page. Returns false if the page is full. */
  takes(item: TranscriptItem): boolean {
    const block = this.#blockOf(item);
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
      this.#pieces.push(this.#placed.add(block, safe`${found}${this.#subagents(item)}`));
    }
    this.end++;
    return true;
  }

  #blockOf(item: TranscriptItem): Block | undefined {
    const made = this.#maker.blockOf(item);
    const runs = (item.type === "tool" || item.type === "bash") && item.status === "unsettled" &&
      item.seq >= this.#runs_from;
    const block = runs && (made?.type === "call" || made?.type === "command")
      ? { ...made, outcome: [{ text: "running", ink: "ok" as const }] }
      : made;
    // A hit may be in the call's input.
    const is_below = item.type === "tool" && this.#changed.has(item.call_id) && !this.#whole &&
      this.#hit?.item !== this.end;
    return is_below && block?.type === "call" ? { ...block, is_change_below: true } : block;
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
