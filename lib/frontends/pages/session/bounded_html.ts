/** Renders blocks in bounded time and memory, and limits the size of a page. */
import type { Block } from "../../../text/render/block/block.ts";
import { cutBlock } from "../../../text/render/block/cut_block.ts";
import { formatBytes } from "../../../text/render/byte_size.ts";
import { blockHtml } from "../../../text/render/html_document/block.ts";
import { NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import type { HtmlView } from "../../../text/render/html_document/view.ts";

/** Maximum number of elements of a page; `PAGE_SIZE` limits its characters. */
const PAGE_ELEMENTS = 3000;
const PAGE_SIZE = 200_000;
/** Maximum elements of an item; `ITEM_SIZE` limits its characters. Larger items have own pages. */
const ITEM_ELEMENTS = 2000;
const ITEM_SIZE = 200_000;

/** Counts the space left on a page. The first item always fits. */
export class Room {
  #elements = 0;
  #size = 0;

  takes(html: SafeHtml): boolean {
    const is_first = this.#elements === 0;
    this.#elements += elementsIn(html) + FRAME_ELEMENTS;
    this.#size += html.markup.length;
    return is_first || (this.#elements <= PAGE_ELEMENTS && this.#size <= PAGE_SIZE);
  }
}

/** Number of elements of the frame around each item. */
const FRAME_ELEMENTS = 3;

export function isLong({ html, is_whole }: BoundedHtml): boolean {
  return !is_whole || html.markup.length > ITEM_SIZE || elementsIn(html) > ITEM_ELEMENTS;
}

export const NO_BODY: BoundedHtml = { html: NOTHING, is_whole: true };

export function beginningHtml(html: SafeHtml, seq: number): SafeHtml {
  const ask = seq === 0 ? "" : `: reprise show REF#${seq} --full`;
  return safe`<p class="notice">Only the beginning is shown. To see the whole item, use the command line${ask}</p>${html}`;
}

export function longHtml({ html, is_whole }: BoundedHtml, link: string): SafeHtml {
  const size = `${is_whole ? "" : "over "}${formatBytes(html.markup.length)}`;
  return safe`<p class="note">This item is long: <a href="${link}">show it on its own page</a> (${size})</p>`;
}

/** Maximum characters of a block; `MOST_ELEMENTS` limits its elements. More is cut off. */
const MOST_SIZE = 2_000_000;
const MOST_ELEMENTS = 6000;
/** Maximum divisor of both limits. A block that still does not fit is rendered anyway. */
const MOST_PARTS = 4096;

export interface BoundedHtml {
  html: SafeHtml;
  is_whole: boolean;
}

/** Renders a block, or as much of its start as fits in the limits. */
export function boundedHtml(whole: Block, view: HtmlView): BoundedHtml {
  // The size of the markup is known only after rendering, so ever shorter parts are tried.
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
