/** Prints hits page by page, for `--max-chars` and `--cursor`. */
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { HitsBehind } from "../../lib/text/render/page/places.ts";
import type { SearchHit } from "../../lib/library/search/search_task.ts";
import type { TieredRequest, TieredResult } from "../../lib/library/search/tiers.ts";
import type { Context } from "../_context.ts";
import { say } from "../_message.ts";
import { fromCursor, type PageFlags, pageRoom, queryFlags } from "../_page.ts";
import type { WrittenTime } from "../_values.ts";
import { type FoundHit, hitAsJson, renderHits } from "./search_hits.ts";

interface SearchPageFlags extends PageFlags {
  cwd?: string;
  json?: true;
  limit: number;
  since?: WrittenTime;
}

interface HitFinder {
  find(request: TieredRequest): Promise<TieredResult>;
  /** Prints a note that says in which scope and tier the hits are, or why there are none. */
  tell(result: TieredResult): Promise<void>;
  describe(hits: readonly SearchHit[], from: TieredResult): Promise<FoundHit[]>;
}

/** Prints one page. Returns false for an empty first page or for hits of similar wording. */
export async function searchPage(
  context: Context,
  request: TieredRequest,
  flags: SearchPageFlags,
  { find, describe, tell }: HitFinder,
): Promise<boolean> {
  const { hitCursor, hitsBehind, parseHitCursor } = await import(
    "../../lib/text/render/page/places.ts"
  );
  const { cursor, limit, cwd = context.cwd } = flags;
  const asked = { ...queryFlags(flags), cwd, query: request.query };
  const query = { command: "search", query: asked };
  const place = cursor === undefined ? undefined : fromCursor(() => parseHitCursor(query, cursor));
  const now = place?.now ?? request.now;
  const behind = await hitsBehind(place, limit + 1, (limit) => find({ ...request, now, limit }));
  if (behind === undefined) throw goneHit();
  const { result, start } = behind;
  await tell(result);
  const found = await describe(result.hits.slice(start), result);
  if (found.length === 0) {
    if (place !== undefined) await say(context, "No more");
    return place !== undefined;
  }
  await printHits(context, flags, found, {
    ...{ behind, offset: place?.offset ?? 0 },
    cursorBehind: (at, hit) => hitCursor(query, { now, ...at }, hit),
  });
  return result.tier !== "wording";
}

interface PageEnds {
  behind: HitsBehind<TieredResult>;
  /** Number of characters of the first hit that earlier pages have shown. */
  offset: number;
  cursorBehind(at: { count: number; offset: number }, hit: SearchHit | undefined): string;
}

async function printHits(
  context: Context,
  flags: SearchPageFlags,
  found: readonly FoundHit[],
  { behind: { result: { hits }, start }, offset, cursorBehind }: PageEnds,
): Promise<void> {
  const { cutJsonLine, lastLines, Page } = await import("../../lib/text/render/page/page.ts");
  const { json = false, limit } = flags;
  const page = new Page(await pageRoom(flags), json ? cutJsonLine : undefined);
  let shown = 0;
  for (const one of found.slice(0, limit)) {
    const text = json ? await hitAsJson(one) : await renderHits(context, [one]);
    if (!page.add(shown, text, shown === 0 ? offset : 0)) break;
    shown++;
  }
  context.stdout.write(page.text);
  if (shown === found.length) return;
  const last = found[shown - 1]?.hit;
  const count = last === undefined ? start : hits.indexOf(last) + 1;
  const at = { count, offset: page.left === 0 ? 0 : page.next?.offset ?? 0 };
  const next = cursorBehind(at, hits[count - 1]);
  context.stdout.write(lastLines(next, page.left, json ? "json" : "text"));
}

function goneHit(): SessionError {
  const message =
    "Cannot use the cursor: it points to a hit that no longer exists. Search again without " +
    "--cursor";
  return new SessionError("not-found", message, {});
}
