/**
 * The pages of a library, as a function from request to response.
 *
 * @module
 */
import { SessionError } from "../event/session_error.ts";
import { safe } from "../render/html_document/safe_html.ts";
import { sanitizeLine } from "../render/sanitize.ts";
import type { PageRequest, PageResponse } from "./exchange.ts";
import { admit, type Key } from "./guard.ts";
import { sessionPage } from "./session_page.ts";
import { sessionsPage } from "./sessions_page.ts";
import type { SiteContext } from "./site_context.ts";
import { sitePage, textResponse } from "./site_frame.ts";
import { statsPage } from "./stats_page.ts";
import { threadsPage } from "./threads_page.ts";

export type { PageRequest, PageResponse } from "./exchange.ts";
export type { Key } from "./guard.ts";
export { OpenedSessions } from "./opened_sessions.ts";
export { sessionLink } from "./session_link.ts";
export type { SiteContext } from "./site_context.ts";

/** Answers a request; never fails. */
export type Site = (request: PageRequest) => Promise<PageResponse>;

type Page = (site: SiteContext, query: URLSearchParams) => Promise<PageResponse>;

const PAGES: Readonly<Record<string, Page>> = {
  "": sessionsPage,
  session: sessionPage,
  stats: statsPage,
  threads: threadsPage,
};

/** Status of a response for each error that is not the program's own fault. */
const STATUS: Readonly<Record<string, number>> = {
  "not-found": 404,
  "invalid-ref": 404,
  ambiguous: 404,
  permission: 404,
  "unsupported-source": 404,
};

/** Makes the pages of a library. */
export function createSite(site: SiteContext, key: Key): Site {
  return async (request) => {
    const admission = admit(request, key);
    if ("status" in admission) return textResponse(admission.status, admission.reason);
    const { path, query } = admission;
    const page = Object.hasOwn(PAGES, path) ? PAGES[path] : undefined;
    if (page === undefined) return failed(site, 404, "There is no such page");
    try {
      return await page(site, query);
    } catch (error) {
      const known = error instanceof SessionError;
      const status = known ? STATUS[error.code] ?? 500 : 500;
      return failed(site, status, error instanceof Error ? error.message : String(error));
    }
  };
}

function failed({ version }: SiteContext, status: number, message: string): PageResponse {
  const body = safe`<h1>This page cannot be shown</h1>\n<p class="notice">${
    sanitizeLine(message)
  }</p>\n<p><a href="./">All sessions</a></p>`;
  return sitePage({ title: "Not shown", place: "session", body, status }, version);
}
