/** Shows a text that a search found and that no item of the session shows. */
import { safe, type SafeHtml } from "../render/html_document/safe_html.ts";
import { searchableTexts } from "../search/searchable_text.ts";
import { excerptOf } from "./bounded_html.ts";
import type { OpenedSession } from "./opened_sessions.ts";

/** Renders the text of an event around some words; undefined if it has none of them. */
export async function unseenHit(
  { handle, thread }: OpenedSession,
  seq: number,
  words: readonly string[],
): Promise<SafeHtml | undefined> {
  for await (const events of handle.events(thread)) {
    const event = events.find((one) => one.seq === seq);
    if (event === undefined) continue;
    const excerpt = excerptOf(searchableTexts(event), words);
    return excerpt === undefined
      ? undefined
      : safe`<div class="item is-hit" id="e${seq}"><div class="body"><p class="label">Event #${seq}, which is not shown as an item</p><pre>${excerpt}</pre></div></div>\n`;
  }
  return undefined;
}
