/** Writes a session as one HTML page that needs no network and no other file. */
import { pageEnd, pageStart } from "./html_document/page.ts";
import {
  type ContentsEntry,
  PlacedBlocks,
  threadAnchor,
  threadHead,
} from "./html_document/placed_blocks.ts";
import { safe } from "./html_document/html.ts";
import { createView } from "./html_document/view.ts";
import type { SessionThread } from "../../core/projection/session_thread.ts";
import type { DocumentHeader, DocumentOptions, SessionDocument } from "./session_document.ts";
import type { TimeFormat } from "./time_label.ts";

export interface HtmlOptions extends DocumentOptions {
  /**
   * Formats a time in ISO 8601 in the reader's language and zone.
   *
   * @default {(iso) => iso}
   */
  format_time?: TimeFormat;
}

interface HtmlDocument extends SessionDocument {
  /** Returns the start of a thread that is not the main thread. The next blocks belong to it. */
  thread(thread: SessionThread): string;
}

/**
 * Makes a session into one HTML page, part by part. Memory grows with the session's turns and
 * events, not with their texts.
 *
 * The page works offline, on phones, in dark mode, on paper, and without its script. Its policy
 * forbids all network access. Every text of the session is escaped, and its control characters are
 * made visible. Links lead to `http`, `https` and `mailto` only. Images are shown only if they are
 * part of the session and of a raster type. The block of event 12 is at `#e12`.
 */
export function htmlDocument(options: HtmlOptions): HtmlDocument {
  const view = createView(options);
  let header: DocumentHeader | undefined;
  let blocks = new PlacedBlocks(view, { turns: 0 });
  const contents: ContentsEntry[] = [];
  let threads = 0;
  return {
    begin(given): string {
      header = given;
      return pageStart(given, view).markup;
    },
    block: (block) => blocks.add(block).markup,
    thread(thread): string {
      const closing = blocks.end();
      const entry = threadAnchor(++threads, thread);
      for (const one of [...blocks.contents, entry]) contents.push(one);
      blocks = new PlacedBlocks(view, { prefix: `t${threads}-`, turns: 0 });
      return safe`${closing}${threadHead(entry, thread, view)}`.markup;
    },
    end: () =>
      safe`${blocks.end()}${pageEnd(header, [...contents, ...blocks.contents], view)}`.markup,
  };
}
