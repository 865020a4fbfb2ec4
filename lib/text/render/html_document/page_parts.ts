/**
 * Cuts a document into parts, one for each page of a folder. A part ends before a prompt, unless a
 * turn alone is longer than a page may be.
 */
import { Buffer } from "node:buffer";
import type { SessionThread } from "../../../core/projection/session_thread.ts";
import type { Block } from "../block/block.ts";
import { blockHtml } from "./block.ts";
import {
  type Anchors,
  type ContentsEntry,
  isPrompt,
  PlacedBlocks,
  threadAnchor,
  threadHead,
} from "./placed_blocks.ts";
import type { SafeHtml } from "./html.ts";
import type { HtmlView } from "./view.ts";

export interface PagePart {
  markup: readonly SafeHtml[];
  contents: readonly ContentsEntry[];
  /** Number of bytes of the markup in UTF-8. */
  bytes: number;
}

/** Number of bytes after which a part ends at the next prompt. */
const USUAL_BYTES = 1024 * 1024;
/** Maximum bytes of a part. A part has more only if it is one longer block. */
const MOST_BYTES = 4 * 1024 * 1024;

export class PageParts {
  readonly #view: HtmlView;
  readonly #anchors: Anchors = new Map();
  #threads = 0;
  #turns = 0;
  #placed: PlacedBlocks;
  #markup: SafeHtml[] = [];
  #contents: ContentsEntry[] = [];
  #bytes = 0;

  constructor(view: HtmlView) {
    this.#view = view;
    this.#placed = this.#place();
  }

  /** Returns the part that ends before the block. Undefined if no part ends. */
  add(block: Block): PagePart | undefined {
    const body = blockHtml(block, this.#view);
    const bytes = bytesOf(body);
    const ends = this.#bytes > 0 &&
      (this.#bytes + bytes > MOST_BYTES || (isPrompt(block) && this.#bytes > USUAL_BYTES));
    const part = ends ? this.#finish() : undefined;
    this.#put(this.#placed.add(block, body));
    return part;
  }

  /** Returns the part that ends before the thread. Undefined if no part ends. */
  beginThread(thread: SessionThread): PagePart | undefined {
    const part = this.#bytes > USUAL_BYTES ? this.#finish() : undefined;
    this.#close();
    this.#threads++;
    this.#turns = 0;
    this.#placed = this.#place();
    const entry = threadAnchor(this.#threads, thread);
    this.#contents.push(entry);
    this.#put(threadHead(entry, thread, this.#view));
    return part;
  }

  /** Returns undefined if nothing was added after the previous part. */
  end(): PagePart | undefined {
    return this.#bytes > 0 ? this.#finish() : undefined;
  }

  #finish(): PagePart {
    this.#close();
    const part = { markup: this.#markup, contents: this.#contents, bytes: this.#bytes };
    [this.#markup, this.#contents, this.#bytes] = [[], [], 0];
    this.#placed = this.#place();
    return part;
  }

  #close(): void {
    this.#put(this.#placed.end());
    this.#turns += this.#placed.contents.length;
    for (const one of this.#placed.contents) this.#contents.push(one);
  }

  #place(): PlacedBlocks {
    const prefix = this.#threads === 0 ? "" : `t${this.#threads}-`;
    return new PlacedBlocks(this.#view, { prefix, turns: this.#turns, anchors: this.#anchors });
  }

  #put(html: SafeHtml): void {
    if (html.markup === "") return;
    this.#markup.push(html);
    this.#bytes += bytesOf(html);
  }
}

function bytesOf({ markup }: SafeHtml): number {
  return Buffer.byteLength(markup);
}
