/** Renders the pages of a session's folder: the numbered pages, and an index split into parts. */
import {
  contentsHtml,
  documentFoot,
  documentHead,
  sessionTitle,
  skipHtml,
  topHtml,
  turnsHere,
  turnsHtml,
} from "../html_document/page.ts";
import type { PagePart } from "../html_document/page_parts.ts";
import type { ContentsEntry } from "../html_document/placed_blocks.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../html_document/html.ts";
import type { HtmlView } from "../html_document/view.ts";
import type { DocumentHeader } from "../session_document.ts";

export interface FolderFrame {
  header: DocumentHeader;
  view: HtmlView;
  /** Address of the site's index. `undefined` if the folder belongs to no site. */
  site: string | undefined;
}

export interface PageTurns {
  name: string;
  contents: readonly ContentsEntry[];
}

/** Maximum number of turns on one part of the index: browsers are slow with tens of thousands. */
const INDEX_TURNS = 1000;

/** @param number The page's number, from 1. */
export function pageName(number: number): string {
  return `${number}.html`;
}

export function onePage(frame: FolderFrame, parts: readonly PagePart[]): SafeHtml {
  const { header, view } = frame;
  return safe`${documentHead(header, sessionTitle(header.summary))}${skipHtml()}
${topHtml(header.summary, view, siteHtml(frame))}
<main id="main">
${joinHtml(parts.map(({ markup }) => joinHtml(markup)))}</main>
${contentsHtml(turnsHere(parts.flatMap(({ contents }) => contents)))}
${documentFoot(header, view)}`;
}

/** @param number The page's number, from 1. */
export function numberedPage(
  frame: FolderFrame,
  { markup, contents }: PagePart,
  { number, is_last }: { number: number; is_last: boolean },
): SafeHtml {
  const { header, view } = frame;
  const title = sessionTitle(header.summary);
  const before = number > 1 && stepHtml("prev", pageName(number - 1), `Page ${number - 1}`);
  const after = !is_last && stepHtml("next", pageName(number + 1), `Page ${number + 1}`);
  const steps = (name: string): SafeHtml =>
    safe`<nav class="steps" aria-label="${name}"><a href="index.html">All pages</a><a href="search.html">Search</a>${
      before || NOTHING
    }${after || NOTHING}</nav>`;
  return safe`${documentHead(header, `${title} · page ${number}`)}${skipHtml()}
<header class="top">
<a class="jump" href="#contents">Contents</a>
<p class="kind">Session of ${header.summary.agent}, page ${number}</p>
<h1 dir="auto">${title}</h1>
${steps("Pages of the session")}
${siteHtml(frame)}</header>
<main id="main">
${joinHtml(markup)}
${steps("Pages of the session, again")}
</main>
${contentsHtml(turnsHere(contents))}
${documentFoot(header, view)}`;
}

/** Returns the name and the text of each page of the index. */
export function indexPages(frame: FolderFrame, pages: readonly PageTurns[]): [string, string][] {
  const parts: PageTurns[][] = [[]];
  let room = INDEX_TURNS;
  for (const { name, contents } of pages) {
    for (let at = 0; at === 0 || at < contents.length;) {
      if (room === 0) [room] = [INDEX_TURNS, parts.push([])];
      const shown = contents.slice(at, at + room);
      parts.at(-1)?.push({ name, contents: shown });
      room -= shown.length;
      at += Math.max(1, shown.length);
    }
  }
  return parts.map((part, at) => [partName(at), indexPart(frame, part, at, parts.length).markup]);
}

function partName(at: number): string {
  return at === 0 ? "index.html" : `index-${at + 1}.html`;
}

function indexPart(
  frame: FolderFrame,
  part: readonly PageTurns[],
  at: number,
  count: number,
): SafeHtml {
  const { header, view } = frame;
  const lists = part.map(({ name, contents }) => {
    const turns = contents.map((entry) => ({ ...entry, href: `${name}#${entry.anchor}` }));
    return safe`<h2><a href="${name}">Page ${name.replace(".html", "")}</a></h2>
<div class="contents">${turns.length === 0 ? NOTHING : turnsHtml(turns)}</div>\n`;
  });
  return safe`${documentHead(header, sessionTitle(header.summary))}${skipHtml()}
${topHtml(header.summary, view, siteHtml(frame))}
<main id="main" class="index">
<p><a href="search.html">Search these pages</a></p>
${partsHtml("Parts of the index", at, count, partName)}${joinHtml(lists)}</main>
${documentFoot(header, view)}`;
}

export function partsHtml(
  label: string,
  current: number,
  count: number,
  nameOf: (at: number) => string,
): SafeHtml {
  if (count === 1) return NOTHING;
  const parts = Array.from(
    { length: count },
    (_, at) =>
      at === current
        ? safe`<b aria-current="page">${at + 1}</b>`
        : safe`<a href="${nameOf(at)}">${at + 1}</a>`,
  );
  return safe`<nav class="steps" aria-label="${label}">${joinHtml(parts)}</nav>\n`;
}

function siteHtml({ site }: FolderFrame): SafeHtml {
  return site === undefined
    ? NOTHING
    : safe`<nav class="steps" aria-label="Site"><a href="${site}">All sessions</a></nav>\n`;
}

function stepHtml(rel: string, href: string, text: string): SafeHtml {
  return safe`<a rel="${rel}" href="${href}">${text}</a>`;
}
