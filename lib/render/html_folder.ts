/**
 * A session as pages: one where it is short, else a folder of them with an index.
 *
 * @module
 */
import type { SessionThread } from "../source/session_thread.ts";
import type { HtmlOptions } from "./html_document.ts";
import { indexPage, numberedPage, pageName, type PageTurns } from "./html_document/folder_page.ts";
import { pageEnd, pageStart } from "./html_document/page.ts";
import { type PagePart, PageParts } from "./html_document/page_parts.ts";
import { joinHtml, safe } from "./html_document/safe_html.ts";
import { createView, type HtmlView } from "./html_document/view.ts";
import type { Block } from "./block/block.ts";
import type { DocumentHeader, SessionDocument } from "./session_document.ts";

/** Takes a page of the folder by its name. */
export type PageWriter = (name: string, text: string) => void;

/** Bytes up to which a session is one page. */
const ONE_PAGE_BYTES = 5_000_000;

/** A session as pages. Of the folder's, one is held at a time; nothing comes before the end. */
export class HtmlFolder implements SessionDocument {
  #given: DocumentHeader | undefined;
  readonly #view: HtmlView;
  readonly #parts: PageParts;
  readonly #write: PageWriter;
  /** Parts that are not written yet. */
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

  /** Takes the next block of the thread. */
  block(block: Block): string {
    return this.#take(this.#parts.add(block));
  }

  /** Begins another thread. */
  thread(thread: SessionThread): string {
    return this.#take(this.#parts.beginThread(thread));
  }

  /** Ends it. Returns the one page; nothing where a folder was written, with its index. */
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

  /** Gives nothing: pages go to the writer. */
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
