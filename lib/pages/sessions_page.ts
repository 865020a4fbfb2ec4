/** Renders the list of sessions, or the hits of a search in them. */
import { joinHtml, safe } from "../render/html_document/safe_html.ts";
import { sanitizeLine } from "../render/sanitize.ts";
import { firstLine } from "../render/text_width.ts";
import { oddFilters, readFilter } from "./filter.ts";
import { filterForm } from "./filter_form.ts";
import { findSessions } from "./found_sessions.ts";
import { hitsHtml } from "./hit_list.ts";
import { readView } from "./list_view.ts";
import { listHtml } from "./session_list.ts";
import type { SiteContext } from "./site_context.ts";
import { type PageResponse, sitePage } from "./site_frame.ts";

const TITLE = 160;

/** Renders the sessions that a filter takes, or the hits of its words. */
export async function sessionsPage(
  site: SiteContext,
  query: URLSearchParams,
): Promise<PageResponse> {
  const filter = readFilter(query);
  const view = readView(query);
  const { words } = filter;
  const { entries, projects, unread } = await findSessions(site, filter);
  const form = filterForm(filter, { view, projects, home: site.home });
  const list = words === undefined
    ? await listHtml(site, filter, view, entries)
    : await hitsHtml(site, words, filter, entries);
  const notes = [...oddFilters(query), ...view.odd, ...unread]
    .map((text) => safe`<p class="notice">${sanitizeLine(text)}</p>`);
  const title = words === undefined ? "Sessions" : `Search: ${firstLine(words, TITLE)}`;
  // The bar shows where a list is.
  const heading = words === undefined
    ? safe`<h1 class="unseen">${title}</h1>`
    : safe`<h1>${title}</h1>`;
  const body = safe`${heading}\n${form}\n${
    joinHtml(notes)
  }<div id="list" data-live="list">${list}</div>`;
  return sitePage({ title, place: "sessions", body, events: "events" }, site.version);
}
