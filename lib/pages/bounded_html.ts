/** Renders a block as far as a browser shows it with ease, however long it is. */
import type { Block } from "../render/block/block.ts";
import { cutBlock } from "../render/block/cut_block.ts";
import { blockHtml } from "../render/html_document/block.ts";
import type { SafeHtml } from "../render/html_document/safe_html.ts";
import type { HtmlView } from "../render/html_document/view.ts";

/** Of a block of more characters or elements, the beginning is rendered. */
const MOST_SIZE = 2_000_000;
const MOST_ELEMENTS = 6000;
/** The limits are divided by no more than this. */
const MOST_PARTS = 4096;

/** HTML of a block, or of its beginning. */
export interface BoundedHtml {
  html: SafeHtml;
  is_whole: boolean;
}

/** Renders a block in bounded time and memory. */
export function boundedHtml(whole: Block, view: HtmlView): BoundedHtml {
  // How much markup a text becomes, only its marks tell.
  for (let part = 1;; part *= 2) {
    const { block, is_whole } = cutBlock(whole, MOST_SIZE / part, MOST_ELEMENTS / part);
    const html = blockHtml(block, view);
    const fits = html.markup.length <= MOST_SIZE && elementsIn(html) <= MOST_ELEMENTS;
    if (fits || part >= MOST_PARTS) return { html, is_whole };
  }
}

/** Counts the elements of a markup. */
export function elementsIn({ markup }: SafeHtml): number {
  let count = 0;
  for (let at = markup.indexOf("<"); at >= 0; at = markup.indexOf("<", at + 1)) {
    if (markup[at + 1] !== "/") count++;
  }
  return count;
}
