/**
 * Renders the pages of a folder: its index, and those with a part of the session each.
 *
 * @module
 */
import type { DocumentHeader } from "../session_document.ts";
import {
  contentsHtml,
  documentFoot,
  documentHead,
  sessionTitle,
  skipHtml,
  topHtml,
  turnsHtml,
} from "./page.ts";
import type { PagePart } from "./page_parts.ts";
import type { ContentsEntry } from "./placed_blocks.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "./safe_html.ts";
import type { HtmlView } from "./view.ts";

/** The turns of a page of the folder. */
export interface PageTurns {
  name: string;
  contents: readonly ContentsEntry[];
}

/** Where a page stands among the others. */
export interface PagePlace {
  /** From 1. */
  number: number;
  is_last: boolean;
}

/** Turns that the index names; of a longer session each page's own contents name the others. */
const MOST_TURNS = 20_000;

/** The name of a page's file. */
export function pageName(number: number): string {
  return `${number}.html`;
}

/** A page with a part of the session. */
export function numberedPage(
  header: DocumentHeader,
  { markup, contents }: PagePart,
  { number, is_last }: PagePlace,
  view: HtmlView,
): SafeHtml {
  const title = sessionTitle(header.summary);
  const steps = stepsHtml(number, is_last);
  return safe`${documentHead(header, `${title} · page ${number}`)}${skipHtml()}
<header class="top">
<a class="jump" href="#contents">Contents</a>
<p class="kind">Session of ${header.summary.agent}, page ${number}</p>
<h1 dir="auto">${title}</h1>
${steps}
</header>
<main id="main">
${joinHtml(markup)}
${steps}
</main>
${contentsHtml(contents)}
${documentFoot(header, view)}`;
}

function stepsHtml(number: number, is_last: boolean): SafeHtml {
  const before = number === 1
    ? NOTHING
    : safe`<a rel="prev" href="${pageName(number - 1)}">Page ${number - 1}</a>`;
  const after = is_last
    ? NOTHING
    : safe`<a rel="next" href="${pageName(number + 1)}">Page ${number + 1}</a>`;
  return safe`<nav class="steps" aria-label="Pages of the session"><a href="index.html">All pages</a>${before}${after}</nav>`;
}

/** The page of all pages. */
export function indexPage(
  header: DocumentHeader,
  pages: readonly PageTurns[],
  view: HtmlView,
): SafeHtml {
  let room = MOST_TURNS;
  const lists = pages.map(({ name, contents }, index) => {
    const shown = contents.slice(0, Math.max(0, room));
    room -= shown.length;
    const left = contents.length - shown.length;
    const turns = shown.map((entry) => ({ ...entry, href: `${name}#${entry.anchor}` }));
    const more = left === 0 ? NOTHING : safe`<p class="note">${left} turns more</p>`;
    return safe`<h2><a href="${name}">Page ${index + 1}</a></h2>\n<div class="contents">${
      turns.length === 0 ? NOTHING : turnsHtml(turns)
    }${more}</div>\n`;
  });
  return safe`${documentHead(header, sessionTitle(header.summary))}${skipHtml()}
${topHtml(header.summary, view)}
<main id="main" class="index">
${joinHtml(lists)}</main>
${documentFoot(header, view)}`;
}
