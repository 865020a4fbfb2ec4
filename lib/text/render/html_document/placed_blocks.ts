/**
 * Places blocks on a page. Each block has an anchor. A turn is the blocks from one prompt to the
 * next.
 */
import type { SessionThread } from "../../../core/projection/session_thread.ts";
import type { Block, BlockBase, MessageBlock } from "../block/block.ts";
import { integrityMark } from "../integrity_mark.ts";
import { sanitizeLine } from "../sanitize.ts";
import { firstLine } from "../text_width.ts";
import { blockHtml, promptTitle } from "./block.ts";
import { timeHtml } from "./elements.ts";
import { NOTHING, safe, type SafeHtml } from "./html.ts";
import type { HtmlView } from "./view.ts";

/** A turn or the start of a thread in the table of contents. */
export interface ContentsEntry {
  /** The turn's number in its thread, from 1. `»` if unknown, or for the start of a thread. */
  number: number | string;
  anchor: string;
  title: string;
}

/** Number of uses of each anchor. A damaged log may give two events the same number. */
export type Anchors = Map<string, number>;

interface PlacedOptions {
  /** Text at the start of each anchor, to tell apart several threads on a page. @default {""} */
  prefix?: string;
  /** Number of turns before the page. Absent if the earlier turns were not counted. */
  turns?: number | undefined;
  /** The anchors used so far. All parts of a document share them. @default {none} */
  anchors?: Anchors;
}

export class PlacedBlocks {
  readonly contents: ContentsEntry[] = [];
  readonly #view: HtmlView;
  readonly #prefix: string;
  readonly #turns: number | undefined;
  readonly #anchors: Anchors;

  constructor(view: HtmlView, { prefix = "", turns, anchors = new Map() }: PlacedOptions = {}) {
    this.#view = view;
    this.#prefix = prefix;
    this.#turns = turns;
    this.#anchors = anchors;
  }

  /** Returns empty HTML if the block's body is empty. */
  add(block: Block, body: SafeHtml = blockHtml(block, this.#view)): SafeHtml {
    if (body.markup === "") return NOTHING;
    // A block of this type belongs to no event of its own.
    if (block.type === "turn") {
      return safe`<div class="item is-turn"><div class="body">${body}</div></div>\n`;
    }
    // A record names an event whose number is not known.
    const { seq, id } = block;
    const anchor = this.#claim(id === undefined ? `e${seq}` : `r${id}`);
    const opening = isPrompt(block) ? this.#openTurn(anchor, promptTitle(block)) : NOTHING;
    // A link to the call's last event leads to the call.
    const also = block.end_seq === undefined || id !== undefined
      ? NOTHING
      : safe`<span class="also" id="${this.#claim(`e${block.end_seq}`)}"></span>`;
    const kind = block.type === "notice" && block.hides_with_calls ? "call" : block.type;
    const link = id === undefined
      ? safe`<a class="seq" href="#${anchor}" aria-label="Permalink #${seq}">#${seq}</a>`
      : NOTHING;
    return safe`${opening}<div class="item is-${kind}" id="${anchor}">${also}<div class="body">${
      markHtml(block)
    }${body}</div>${link}</div>\n`;
  }

  /** Returns the end tag of the open turn. Empty if no turn is open. */
  end(): SafeHtml {
    return this.contents.length > 0 ? safe`</section>\n` : NOTHING;
  }

  #claim(event: string): string {
    const name = `${this.#prefix}${event}`;
    const copy = (this.#anchors.get(name) ?? 0) + 1;
    this.#anchors.set(name, copy);
    return copy === 1 ? name : `${name}-${copy}`;
  }

  /** Opens a turn. Its heading contains the prompt's title only for screen readers. */
  #openTurn(anchor: string, title: string): SafeHtml {
    const closing = this.end();
    const number = this.#turns === undefined ? MARK : this.#turns + this.contents.length + 1;
    this.contents.push({ number, anchor, title });
    return safe`${closing}<section class="turn">\n<h2>${
      this.#turns === undefined ? "Turn" : `Turn ${number}`
    }<span class="unseen">: ${title}</span></h2>\n`;
  }
}

export function isPrompt(block: Block): block is MessageBlock {
  return block.type === "message" && block.role === "user";
}

function markHtml({ doubt }: BlockBase): SafeHtml {
  const mark = integrityMark(doubt);
  return mark === undefined ? NOTHING : safe`<p class="mark"><b class="fail">${mark}</b></p>`;
}

const TITLE = 120;
/** Placeholder for a turn's number if it is unknown, and for the number of a thread's start. */
const MARK = "»";

const KINDS: Readonly<Record<SessionThread["kind"], string>> = {
  main: "Main thread",
  branch: "Branch",
  subagent: "Subagent",
  replaced: "Replaced",
};

export function threadAnchor(
  number: number,
  { kind, title = "", id }: SessionThread,
): ContentsEntry {
  const name = firstLine(title, TITLE) || sanitizeLine(id);
  return { number: MARK, anchor: `t${number}`, title: `${KINDS[kind]}: ${name}` };
}

export function threadHead(
  { anchor, title }: ContentsEntry,
  { id, updated_at }: SessionThread,
  view: HtmlView,
): SafeHtml {
  return safe`<div class="thread-head" id="${anchor}"><h2 dir="auto">${title}</h2><p class="note">${
    sanitizeLine(id)
  } ${timeHtml(updated_at, view.format_time)}</p></div>\n`;
}
