/** A session as pages: one where it is short, else a folder of them with an index. */
import type { SessionThread } from "../source/session_thread.ts";
import type { Block } from "./block/block.ts";
import type { HtmlOptions } from "./html_document.ts";
import {
  contentsHtml,
  documentFoot,
  documentHead,
  pageEnd,
  pageStart,
  sessionTitle,
  skipHtml,
  topHtml,
  turnsHtml,
} from "./html_document/page.ts";
import { type PagePart, PageParts } from "./html_document/page_parts.ts";
import type { ContentsEntry } from "./html_document/placed_blocks.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "./html_document/safe_html.ts";
import { createView, type HtmlView } from "./html_document/view.ts";
import type { DocumentHeader, SessionDocument } from "./session_document.ts";

type PageWriter = (name: string, text: string) => void;

/** Maximum bytes of a session on one page. */
const ONE_PAGE_BYTES = 5_000_000;

/**
 * A session as pages. It holds one page of the folder at a time, and writes nothing before the end.
 */
export class HtmlFolder implements SessionDocument {
  #given: DocumentHeader | undefined;
  readonly #view: HtmlView;
  readonly #parts: PageParts;
  readonly #write: PageWriter;
  /** Parts that wait to be written. */
  #waiting: PagePart[] = [];
  #bytes = 0;
  #is_folder = false;
  readonly #written: PageTurns[] = [];

  /** Begins with the main thread. @param write Takes pages once they are too many for one. */
  constructor(options: HtmlOptions, write: PageWriter) {
    this.#view = createView(options);
    this.#parts = new PageParts(this.#view);
    this.#write = write;
  }

  /** Takes the facts for the head of each page. */
  begin(header: DocumentHeader): string {
    this.#given = header;
    return "";
  }

  block(block: Block): string {
    return this.#take(this.#parts.add(block));
  }

  thread(thread: SessionThread): string {
    return this.#take(this.#parts.beginThread(thread));
  }

  /** Ends the document. Returns the only page; empty if it wrote a folder with an index. */
  end(): string {
    this.#take(this.#parts.end());
    if (!this.#is_folder) return this.#onePage();
    this.#writeWaiting(0);
    this.#write("index.html", indexPage(this.#header, this.#written, this.#view).markup);
    return "";
  }

  get #header(): DocumentHeader {
    if (this.#given === undefined) throw new TypeError("Cannot write a page before it begins");
    return this.#given;
  }

  /** Returns nothing, because pages go to the writer. */
  #take(part: PagePart | undefined): string {
    if (part === undefined) return "";
    this.#waiting.push(part);
    this.#bytes += part.bytes;
    this.#is_folder ||= this.#bytes > ONE_PAGE_BYTES;
    // The last one may have no page after it.
    if (this.#is_folder) this.#writeWaiting(1);
    return "";
  }

  #writeWaiting(kept: number): void {
    while (this.#waiting.length > kept) {
      const part = this.#waiting.shift();
      if (part === undefined) return;
      const number = this.#written.length + 1;
      const is_last = this.#waiting.length === 0;
      const page = numberedPage(this.#header, part, { number, is_last }, this.#view);
      this.#write(pageName(number), page.markup);
      this.#written.push({ name: pageName(number), contents: part.contents });
    }
  }

  #onePage(): string {
    const contents = this.#waiting.flatMap((part) => part.contents);
    const markup = this.#waiting.map((part) => joinHtml(part.markup));
    return safe`${pageStart(this.#header, this.#view)}${joinHtml(markup)}${
      pageEnd(this.#header, contents, this.#view)
    }`.markup;
  }
}

interface PageTurns {
  name: string;
  contents: readonly ContentsEntry[];
}

interface PagePlace {
  /** From 1. */
  number: number;
  is_last: boolean;
}

/** Turns that the index names; of a longer session each page's own contents name the others. */
const MOST_TURNS = 20_000;

function pageName(number: number): string {
  return `${number}.html`;
}

function numberedPage(
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

function indexPage(
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
