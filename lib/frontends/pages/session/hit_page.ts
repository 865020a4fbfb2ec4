/** Redirects from the hits on a page to the nearest hit on another page of the session. */
import { BlockMaker } from "../../../text/render/block/block_maker.ts";
import { openedHtml, safe } from "../../../text/render/html_document/html.ts";
import { createView } from "../../../text/render/html_document/view.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import { firstLine } from "../../../text/render/text_width.ts";
import type { SiteContext } from "../site_context.ts";
import { type PageResponse, redirectResponse, sessionLink, sitePage } from "../site_frame.ts";
import { boundedHtml } from "./bounded_html.ts";
import { showsWords } from "./hit_excerpt.ts";
import { itemsAt } from "./items_at.ts";
import type { FoundItems } from "./long_end.ts";
import type { OpenedSession } from "./opened_sessions.ts";
import { numberIn, wordsIn } from "./session_place.ts";

const STEP = 100;
const TITLE = 100;

/** The item at which a search starts: forward `from` this item, or backward `before` it. */
export type HitStart = { from: string } | { before: string };

/** Returns an address that redirects to the next hit from an item, or to the last hit before it. */
export function hitStep(
  { ref, thread }: Pick<OpenedSession, "ref" | "thread">,
  words: readonly string[],
  place: HitStart,
): string {
  return `hit?${new URLSearchParams({ ref, ...thread, words: words.join("\n"), ...place })}`;
}

export async function hitPage(site: SiteContext, query: URLSearchParams): Promise<PageResponse> {
  const opened = await site.sessions.open(query.get("ref") ?? "", query.get("thread") ?? undefined);
  const { ref, thread } = opened;
  const words = wordsIn(query);
  const before = numberIn(query, "before");
  const from = numberIn(query, "from") ?? 0;
  const found = before === undefined
    ? await hitFrom(opened, from, words)
    : await hitBefore(opened, before, words);
  if (found !== undefined) {
    const { item, seq } = found;
    const place = seq === undefined ? { from: String(item) } : { seq: String(seq) };
    const more = { ...thread, ...place, words: words.join("\n") };
    return redirectResponse(sessionLink(ref, more, seq === undefined ? "" : `e${seq}`));
  }
  const title = before === undefined ? "No later hit" : "No earlier hit";
  const back = before === undefined ? { before: String(from) } : { from: String(before) };
  const body = safe`<h1>${title}</h1>
<p>There is no further hit in this direction for “${
    firstLine(sanitizeLine(words.join(" ")), TITLE)
  }”. <a href="${
    sessionLink(ref, { ...thread, ...back, words: words.join("\n") })
  }">Back</a> · <a href="${
    hitStep(opened, words, { from: "0" })
  }">First hit in the session</a></p>`;
  return sitePage({ title, place: "session", body }, site.version);
}

interface FoundHit {
  item: number;
  /** The number of the hit's event; undefined if event numbers are unknown. */
  seq: number | undefined;
}

async function hitFrom(
  opened: OpenedSession,
  from: number,
  words: readonly string[],
): Promise<FoundHit | undefined> {
  for (let next = from;;) {
    const count = next < 0 ? Math.min(STEP, -next) : STEP;
    const found = await itemsAt(opened, next, count);
    const hit = hitsIn(found, words).at(0);
    next = found.first + found.items.length;
    // Numbers from the end are negative, so 0 is after the last item.
    if (hit !== undefined || found.items.length < count || next === 0) return hit;
  }
}

async function hitBefore(
  opened: OpenedSession,
  before: number,
  words: readonly string[],
): Promise<FoundHit | undefined> {
  for (let end = before; end !== 0;) {
    const count = end < 0 ? STEP : Math.min(STEP, end);
    const found = await itemsAt(opened, end - count, count);
    const hit = hitsIn(found, words).at(-1);
    if (hit !== undefined || found.items.length === 0) return hit;
    end = found.first;
  }
  return undefined;
}

function hitsIn({ items, first, numbered }: FoundItems, words: readonly string[]): FoundHit[] {
  const [maker, view] = [new BlockMaker({ numbered }), createView({ tools: "full" })];
  const longest = words.map(longestWord);
  return items.flatMap((item, index) => {
    const block = maker.blockOf(item);
    if (block === undefined || !hasWords(item, longest)) return [];
    if (!showsWords(openedHtml(boundedHtml(block, view).html), words)) return [];
    return [{ item: first + index, seq: numbered ? item.seq : undefined }];
  });
}

/** Returns a text's longest word. Markup may stand between words, but never splits a word. */
function longestWord(text: string): string {
  const [word = text] = (text.match(/[\p{L}\p{N}]+/gu) ?? []).sort((one, other) =>
    other.length - one.length
  );
  return word;
}

/** True if a text of an item contains one of the words. A cheap test before rendering. */
function hasWords(value: unknown, words: readonly string[]): boolean {
  if (typeof value === "string") return showsWords(safe`${value}`, words);
  return typeof value === "object" && value !== null &&
    Object.values(value).some((inner) => hasWords(inner, words));
}
