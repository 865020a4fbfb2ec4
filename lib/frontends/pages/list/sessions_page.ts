/** Renders the list of sessions, or the hits of a search in them. */
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import type { SessionEntry } from "../../../library/query/query.ts";
import { counted } from "../../../core/event/counted.ts";
import { joinHtml, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import { firstLine } from "../../../text/render/text_width.ts";
import { type ListFilter, oddFilters, readFilter, sinceOf } from "./filter.ts";
import { filterForm } from "./filter_form.ts";
import { findSessions } from "./found_sessions.ts";
import { stageHtml } from "./hit_list.ts";
import { buildButton } from "../index_page.ts";
import { needsCounts } from "../../../core/store/session_order.ts";
import { readView } from "./list_view.ts";
import { listHtml } from "./session_list.ts";
import { searchInStages } from "./staged_search.ts";
import type { SiteContext } from "../site_context.ts";
import { type PageResponse, sitePage } from "../site_frame.ts";

const TITLE = 160;
const HITS = 300;

export async function sessionsPage(
  site: SiteContext,
  query: URLSearchParams,
): Promise<PageResponse> {
  const filter = readFilter(query);
  const view = readView(query);
  const { words } = filter;
  const needs_counts = needsCounts(view.sort);
  // What nobody keeps is read at once.
  const exact = needs_counts && site.library.cache === undefined;
  const { entries, projects, counts, unread } = await findSessions(site, filter, exact);
  const notes = [...oddFilters(query), ...view.odd, ...unread]
    .map((text) => safe`<p class="notice">${sanitizeLine(text)}</p>`);
  const head = safe`${filterForm(filter, { view, projects, counts, home: site.home })}\n${
    joinHtml(notes)
  }`;
  if (words !== undefined) {
    const title = `Search: ${firstLine(words, TITLE)}`;
    const body = safe`<h1>${title}</h1>\n${head}`;
    const rest = (signal: AbortSignal): AsyncIterable<SafeHtml> =>
      hitsHtml(site, { ...filter, words }, entries, signal);
    return sitePage({ title, place: "sessions", body, rest }, site.version);
  }
  // The bar shows where it is.
  const heading = safe`<h1 class="unseen">Sessions</h1>`;
  const body = safe`${heading}\n${head}<div id="list" data-live="list">${await listHtml(
    site,
    filter,
    view,
    entries,
  )}</div>`;
  const events = needs_counts ? `events?sort=${view.sort}` : "events";
  return sitePage({ title: "Sessions", place: "sessions", body, events }, site.version);
}

/** Renders the hits after each stage. Without hits in the project, searches all other projects. */
async function* hitsHtml(
  site: SiteContext,
  filter: ListFilter & { words: string },
  entries: readonly SessionEntry[],
  signal: AbortSignal,
): AsyncGenerator<SafeHtml> {
  const { words: query, role, tool, path: file } = filter;
  const since = sinceOf(filter, site.now())?.getTime();
  const request = present({ query, limit: HITS, roles: role && [role], tool, file, since });
  const stages = async function* (
    some: readonly SessionEntry[],
    notes: readonly string[],
  ): AsyncGenerator<SafeHtml, boolean> {
    yield safe`<section class="stage"><p class="note" role="status">Searching ${
      counted(some.length, "session")
    }</p></section>\n`;
    for await (const stage of searchInStages(site, some, request, signal)) {
      yield await stageHtml(site, filter, some, stage, notes);
      if (!stage.is_last) continue;
      yield buildButton(site, query, stage.scanned_bytes);
      return stage.hits.length > 0;
    }
    return false;
  };
  try {
    const { project, ...everywhere } = filter;
    const has_hits = yield* stages(entries, []);
    if (has_hits || project === undefined) return;
    const known = new Set(entries.map(({ ref }) => ref));
    const others = (await findSessions(site, everywhere)).entries
      .filter(({ ref }) => !known.has(ref));
    yield* stages(others, ["Nothing in this project. In all projects:"]);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof SyntaxError || error instanceof SessionError)) throw error;
    yield safe`<p class="notice"><b class="fail">Cannot search</b>: ${
      sanitizeLine(error.message)
    }</p>\n`;
  }
}
