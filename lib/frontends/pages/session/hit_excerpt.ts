/** Shows the words of a hit if its page would not show them otherwise. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import type { Block } from "../../../text/render/block/block.ts";
import {
  NOTHING,
  openedHtml,
  safe,
  type SafeHtml,
} from "../../../text/render/html_document/html.ts";
import { searchableTexts } from "../../../library/search/searchable_text.ts";
import type { OpenedSession } from "./opened_sessions.ts";

/** Renders a found item unfolded. Adds an excerpt if the item would show none of the words. */
export function foundHtml(html: SafeHtml, block: Block, words: readonly string[]): SafeHtml {
  const open = openedHtml(html);
  if (words.length === 0 || showsWords(open, words)) return open;
  const excerpt = excerptOf(block, words);
  return excerpt === undefined
    ? open
    : safe`<p class="label">Around the hit</p><pre>${excerpt}</pre>${open}`;
}

/** True if a text has one of the words. Like the page's script, ignores case and white space. */
export function showsWords({ markup }: SafeHtml, words: readonly string[]): boolean {
  const text = plain(markup.replaceAll(/<[^>]*>/g, ""));
  return words.some((word) => text.includes(plain(safe`${word}`.markup)));
}

function plain(text: string): string {
  return text.replaceAll(/\s+/g, " ").toLowerCase();
}

export async function eventAt(
  { handle, thread }: OpenedSession,
  seq: number,
): Promise<LogEvent | undefined> {
  for await (const events of handle.events(thread)) {
    const event = events.find((one) => one.seq === seq);
    if (event !== undefined) return event;
  }
  return undefined;
}

/** Renders an excerpt of an event around some words; nothing if it contains none of them. */
export function unseenHtml(event: LogEvent | undefined, words: readonly string[]): SafeHtml {
  const excerpt = event && excerptOf(searchableTexts(event), words);
  if (event === undefined || excerpt === undefined) return NOTHING;
  const { seq } = event;
  return safe`<div class="item is-hit" id="e${seq}"><div class="body"><p class="label">Event #${seq} (not part of the conversation shown here)</p><pre>${excerpt}</pre></div></div>\n`;
}

/** Number of characters before and after a word in an excerpt. */
const AROUND = 1000;

function excerptOf(value: unknown, words: readonly string[]): string | undefined {
  if (typeof value === "string") {
    const at = words.map((word) => value.indexOf(word)).filter((place) => place >= 0)
      .reduce((first, place) => Math.min(first, place), Infinity);
    return at === Infinity
      ? undefined
      : value.slice(Math.max(0, at - AROUND), at + AROUND).toWellFormed();
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const inner of Object.values(value)) {
    const excerpt = excerptOf(inner, words);
    if (excerpt !== undefined) return excerpt;
  }
  return undefined;
}
