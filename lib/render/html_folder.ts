/**
 * A session as pages: one where it is short, else a folder of them with an index.
 *
 * @module
 */
import type { TranscriptItem } from "../projection/transcript/transcript_item.ts";
import type { SessionThread } from "../source/session_thread.ts";
import type { HtmlOptions } from "./html_document.ts";
import { indexPage, numberedPage, pageName, type PageTurns } from "./html_document/folder_page.ts";
import { pageEnd, pageStart } from "./html_document/page.ts";
import { type PagePart, PageParts } from "./html_document/page_parts.ts";
import { joinHtml, safe } from "./html_document/safe_html.ts";
import { createView, type HtmlView } from "./html_document/view.ts";
import type { DocumentHeader } from "./session_document.ts";

/** Takes a page of the folder by its name. */
export type PageWriter = (name: string, text: string) => void;

/** Bytes up to which a session is one page. */
const ONE_PAGE_BYTES = 5_000_000;

/** A session as pages. Of the folder's, one is held at a time. */
export class HtmlFolder {
  readonly #header: DocumentHeader;
  readonly #view: HtmlView;
  readonly #parts: PageParts;
  readonly #write: PageWriter;
  /** Parts that are not written yet. */
  #waiting: PagePart[] = [];
  #bytes = 0;
  #is_folder = false;
  readonly #written: PageTurns[] = [];

  /** Begins with the main thread. @param write Takes pages once they are too many for one. */
  constructor(header: DocumentHeader, options: HtmlOptions, write: PageWriter) {
    this.#header = header;
    this.#view = createView(options);
    this.#parts = new PageParts(this.#view);
    this.#write = write;
  }

  /** Takes the next item of the thread. */
  item(item: TranscriptItem): void {
    this.#take(this.#parts.add(item));
  }

  /** Begins another thread. */
  thread(thread: SessionThread): void {
    this.#take(this.#parts.beginThread(thread));
  }

  /** Ends it. Returns the one page; undefined where a folder was written, with its index. */
  end(): string | undefined {
    this.#take(this.#parts.end());
    if (!this.#is_folder) return this.#onePage();
    this.#writeWaiting(0);
    this.#write("index.html", indexPage(this.#header, this.#written, this.#view).markup);
    return undefined;
  }

  #take(part: PagePart | undefined): void {
    if (part === undefined) return;
    this.#waiting.push(part);
    this.#bytes += part.bytes;
    this.#is_folder ||= this.#bytes > ONE_PAGE_BYTES;
    // The last one may have no page after it.
    if (this.#is_folder) this.#writeWaiting(1);
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
