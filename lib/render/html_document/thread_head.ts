/**
 * Renders what another thread of a session begins with.
 *
 * @module
 */
import type { SessionThread } from "../../source/session_thread.ts";
import { firstLine } from "../first_line.ts";
import { sanitizeLine } from "../sanitize.ts";
import { timeHtml } from "./moment.ts";
import type { ContentsEntry } from "./placed_blocks.ts";
import { safe, type SafeHtml } from "./safe_html.ts";
import type { HtmlView } from "./view.ts";

const TITLE = 120;
/** Stands for the number of a turn. */
const MARK = "»";

const KINDS: Readonly<Record<SessionThread["kind"], string>> = {
  main: "Main thread",
  branch: "Branch",
  subagent: "Subagent",
  replaced: "Replaced",
};

/** How the contents name a thread. */
export function threadAnchor(
  number: number,
  { kind, title = "", id }: SessionThread,
): ContentsEntry {
  const name = firstLine(title, TITLE) || sanitizeLine(id);
  return { number: MARK, anchor: `t${number}`, title: `${KINDS[kind]}: ${name}` };
}

/** The head of a thread. */
export function threadHead(
  { anchor, title }: ContentsEntry,
  { id, updated_at }: SessionThread,
  view: HtmlView,
): SafeHtml {
  return safe`<div class="thread-head" id="${anchor}"><h2 dir="auto">${title}</h2><p class="note">${
    sanitizeLine(id)
  } ${timeHtml(updated_at, view.format_time)}</p></div>\n`;
}
