/** Writes a session as one page, or as a folder of pages with an index and a search. */
import type { SessionThread } from "../../core/projection/session_thread.ts";
import type { Block } from "./block/block.ts";
import { blockText } from "./block/block_text.ts";
import type { HtmlOptions } from "./html_document.ts";
import { sessionTitle } from "./html_document/page.ts";
import { type PagePart, PageParts } from "./html_document/page_parts.ts";
import { createView } from "./html_document/view.ts";
import {
  type FolderFrame,
  indexPages,
  numberedPage,
  onePage,
  pageName,
  type PageTurns,
} from "./html_site/folder_pages.ts";
import { searchPage } from "./html_site/search_page.ts";
import {
  type Passage,
  passagesPath,
  passagesScript,
  WordIndex,
  type WriteFile,
} from "./html_site/word_index.ts";
import { sanitizeText } from "./sanitize.ts";
import type { DocumentHeader, SessionDocument } from "./session_document.ts";

interface FolderOptions extends HtmlOptions {
  /** Address of the site's index. With it, even a short session is written as a folder. */
  site?: string | undefined;
}

interface WaitingPart extends PagePart {
  passages: Passage[];
}

const ONE_PAGE_BYTES = 5_000_000;
/** Maximum UTF-16 units of a block's text that the search covers, from the text's start. */
const MOST_SEARCHED = 4000;

/** Writes a session as one HTML page, or as a folder of pages. Keeps only one page in memory. */
export class HtmlFolder implements SessionDocument {
  readonly #frame: Omit<FolderFrame, "header">;
  readonly #parts: PageParts;
  readonly #write: WriteFile;
  readonly #words: WordIndex;
  #given: DocumentHeader | undefined;
  #threads = 0;
  #passages: Passage[] = [];
  #waiting: WaitingPart[] = [];
  #bytes = 0;
  #is_folder = false;
  readonly #written: PageTurns[] = [];

  /** Begins the document with the main thread. Call `thread` for each further thread. */
  constructor({ site, ...options }: FolderOptions, write: WriteFile) {
    const view = createView(options);
    this.#frame = { view, site };
    this.#parts = new PageParts(view);
    this.#write = write;
    this.#words = new WordIndex(write);
  }

  begin(header: DocumentHeader): string {
    this.#given = header;
    return "";
  }

  block(block: Block): string {
    this.#take(this.#parts.add(block));
    const prefix = this.#threads === 0 ? "" : `t${this.#threads}-`;
    const text = block.type === "turn" ? "" : blockText(block).slice(0, MOST_SEARCHED);
    if (text !== "") this.#passages.push([`${prefix}e${block.seq}`, sanitizeText(text)]);
    return "";
  }

  thread(thread: SessionThread): string {
    this.#take(this.#parts.beginThread(thread));
    this.#threads++;
    return "";
  }

  /** Returns the only page. Empty if pages were written as files. */
  end(): string {
    this.#take(this.#parts.end());
    const frame = this.#framed;
    if (this.#is_folder) {
      this.#writeWaiting(0);
      for (const [name, text] of indexPages(frame, this.#written)) this.#write(name, text);
      this.#words.end();
      const { header: { summary, generator } } = frame;
      this.#write("search.html", searchPage(sessionTitle(summary), generator));
      return "";
    }
    const page = onePage(frame, this.#waiting).markup;
    if (frame.site === undefined) return page;
    this.#write("index.html", page);
    const passages = this.#waiting.flatMap((part) => part.passages);
    this.#write(passagesPath("index.html"), passagesScript(passages));
    return "";
  }

  get #framed(): FolderFrame {
    if (this.#given === undefined) {
      throw new TypeError("Cannot write page: internal error: its header has not been written yet");
    }
    return { ...this.#frame, header: this.#given };
  }

  #take(part: PagePart | undefined): void {
    if (part === undefined) return;
    this.#waiting.push({ ...part, passages: this.#passages });
    this.#passages = [];
    this.#bytes += part.bytes;
    this.#is_folder ||= this.#bytes > ONE_PAGE_BYTES;
    // The last part waits, because there may be no page after it.
    if (this.#is_folder) this.#writeWaiting(1);
  }

  #writeWaiting(kept: number): void {
    while (this.#waiting.length > kept) {
      const part = this.#waiting.shift();
      if (part === undefined) return;
      const number = this.#written.length + 1;
      const is_last = this.#waiting.length === 0;
      const page = numberedPage(this.#framed, part, { number, is_last });
      const href = pageName(number);
      this.#write(href, page.markup);
      this.#write(passagesPath(href), passagesScript(part.passages));
      this.#words.add({ href, title: `Page ${number}`, note: noteOf(part) }, part.passages);
      this.#written.push({ name: href, contents: part.contents });
    }
  }
}

function noteOf({ contents: [first] }: PagePart): string {
  return first === undefined ? "" : `${first.number}. ${first.title}`;
}
