/**
 * A session as one HTML page that needs nothing else: no network, no script, no other file.
 *
 * @module
 */
import type { Integrity } from "../event/envelope.ts";
import type { TranscriptItem } from "../projection/transcript/transcript_item.ts";
import { createChangedWords } from "./html_document/changed_words.ts";
import { createHighlight } from "./html_document/highlight.ts";
import { itemHtml } from "./html_document/item.ts";
import { promptTitle } from "./html_document/message.ts";
import { type ContentsEntry, pageEnd, pageStart } from "./html_document/page.ts";
import { NOTHING, safe, type SafeHtml } from "./html_document/safe_html.ts";
import type { HtmlView } from "./html_document/view.ts";
import { integrityMark } from "./integrity_mark.ts";
import type { DocumentHeader, DocumentOptions, SessionDocument } from "./session_document.ts";
import type { TimeFormat } from "./time_label.ts";

/** How a page is written. */
export interface HtmlOptions extends DocumentOptions {
  /**
   * Writes a time in the reader's language and zone.
   *
   * @default {(iso) => iso}
   */
  format_time?: TimeFormat;
}

/** What a page has come to. */
interface PageState {
  header: DocumentHeader | undefined;
  contents: ContentsEntry[];
  /** Whether a turn has been opened. */
  in_turn: boolean;
  /** How often each number was given an id: a damaged log may name an event twice. */
  anchors: Map<number, number>;
}

/**
 * Makes a session into one HTML page, part by part.
 *
 * The page works offline and without script, on a phone, in the dark and on paper. Its policy forbids
 * all network. Every text of the session is escaped, its control characters are made visible; links
 * lead to `http`, `https` and `mailto` only, and images are shown only where they are part of the
 * session and of a raster type. An item of number 12 is at `#e12`.
 *
 * @param options What to show.
 * @returns The document. Memory grows with its number of turns and events, not with their texts.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { htmlDocument } from "./html_document.ts";
 *
 * const page = htmlDocument({ tools: "full" });
 * const part = page.item(
 *   { type: "message", role: "user", content: "<b>hi</b>", seq: 2, integrity: "verified" },
 * );
 * assert.ok(part.includes('id="e2"') && part.includes("&lt;b&gt;hi&lt;/b&gt;"));
 * ```
 */
export function htmlDocument(options: HtmlOptions): SessionDocument {
  const view: HtmlView = {
    tools: options.tools,
    format_time: options.format_time,
    highlight: createHighlight(),
    changed_words: createChangedWords(),
  };
  const state: PageState = {
    header: undefined,
    contents: [],
    in_turn: false,
    anchors: new Map(),
  };
  return {
    begin(header): string {
      state.header = header;
      return pageStart(header, view).markup;
    },
    item: (item) => placedHtml(item, view, state).markup,
    end(): string {
      const closing = state.in_turn ? safe`</section>\n` : NOTHING;
      return safe`${closing}${pageEnd(state.header, state.contents, view)}`.markup;
    },
  };
}

function placedHtml(item: TranscriptItem, view: HtmlView, state: PageState): SafeHtml {
  const body = itemHtml(item, view);
  if (body.markup === "") return NOTHING;
  const anchor = claimAnchor(state, item.seq);
  const is_prompt = item.type === "message" && item.role === "user";
  const opening = is_prompt ? openTurn(state, anchor, promptTitle(item)) : NOTHING;
  // What looks for the settlement finds the call.
  const also = item.end_seq === undefined
    ? NOTHING
    : safe`<span class="also" id="${claimAnchor(state, item.end_seq)}"></span>`;
  return safe`${opening}<div class="item" id="${anchor}">${also}<div class="body">${
    markHtml(item.integrity)
  }${body}</div><a class="seq" href="#${anchor}" aria-label="Permalink #${item.seq}">#${item.seq}</a></div>\n`;
}

function claimAnchor({ anchors }: PageState, seq: number): string {
  const copy = (anchors.get(seq) ?? 0) + 1;
  anchors.set(seq, copy);
  return copy === 1 ? `e${seq}` : `e${seq}-${copy}`;
}

/** The heading's text is the prompt's first line for those who go from heading to heading. */
function openTurn(state: PageState, anchor: string, title: string): SafeHtml {
  const closing = state.in_turn ? safe`</section>\n` : NOTHING;
  state.in_turn = true;
  state.contents.push({ anchor, title });
  return safe`${closing}<section class="turn">\n<h2>Turn ${state.contents.length}<span class="unseen">: ${title}</span></h2>\n`;
}

function markHtml(integrity: Integrity): SafeHtml {
  const mark = integrityMark(integrity);
  return mark === undefined ? NOTHING : safe`<p class="mark"><b class="fail">${mark}</b></p>`;
}
