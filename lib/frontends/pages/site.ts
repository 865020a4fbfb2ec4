/** The pages of a library, as a function from request to response. */
import { errorText } from "../../core/event/error_text.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { safe, type SafeHtml } from "../../text/render/html_document/html.ts";
import { sanitizeLine } from "../../text/render/sanitize.ts";
import { assetAt, policyOf } from "./assets.ts";
import {
  assetResponse,
  htmlResponse,
  type PageRequest,
  type PageResponse,
  sitePage,
  textResponse,
} from "./site_frame.ts";
import { RequestGuard, type ServerKey } from "./guard.ts";
import { blamePage } from "./session/blame_page.ts";
import { commitPage } from "./session/commit_page.ts";
import { contextPage } from "./session/context_page.ts";
import { digestPage } from "./digest_page.ts";
import { editsPage } from "./edits_page.ts";
import { eventsPage } from "./events_page.ts";
import { filesPage } from "./session/files_page.ts";
import { goPage } from "./go_page.ts";
import { hitPage } from "./session/hit_page.ts";
import { buildPage, indexPage } from "./index_page.ts";
import { markPage } from "./mark_page.ts";
import { neighbourPage } from "./session/neighbour_page.ts";
import { placePage } from "./session/place_page.ts";
import { sessionPage } from "./session/session_page.ts";
import { threadsPage } from "./session/threads_page.ts";
import { sessionsPage } from "./list/sessions_page.ts";
import type { SiteContext } from "./site_context.ts";
import { statsPage } from "./stats/stats_page.ts";

export { sessionLink } from "./site_frame.ts";
export { OpenedSessions } from "./session/opened_sessions.ts";

/** Answers a request. Never rejects. */
export type Site = (request: PageRequest) => Promise<PageResponse>;

type Page = (
  site: SiteContext,
  query: URLSearchParams,
  form: URLSearchParams,
) => PageResponse | Promise<PageResponse>;

const PAGES: Readonly<Record<string, Page>> = {
  "": sessionsPage,
  blame: blamePage,
  commit: commitPage,
  context: contextPage,
  digest: digestPage,
  edits: editsPage,
  events: eventsPage,
  files: filesPage,
  go: goPage,
  hit: hitPage,
  index: indexPage,
  neighbour: neighbourPage,
  place: placePage,
  session: sessionPage,
  stats: statsPage,
  threads: threadsPage,
};

/** The handlers of submitted forms, by path. {@linkcode RequestGuard} lists these paths too. */
const ACTIONS: Readonly<Record<string, Page>> = { index: buildPage, mark: markPage };

/** HTTP status by error code, for errors that are not the program's fault. */
const STATUS: Readonly<Record<string, number>> = {
  "not-found": 404,
  "invalid-ref": 404,
  ambiguous: 404,
  permission: 404,
  "unsupported-source": 404,
};

/** Makes a library's pages. @param onEnter Called once a browser entered with the key's token. */
export function createSite(
  site: SiteContext,
  key: ServerKey,
  onEnter: () => void = () => {},
): Site {
  const guard = new RequestGuard(key);
  return async (request) => {
    const admission = guard.admit(request);
    if ("status" in admission) return textResponse(admission.status, admission.reason);
    const { path, query, enters, acts } = admission;
    if (enters) {
      onEnter();
      return entrance(path, query, guard);
    }
    const asset = assetAt(path);
    if (asset !== undefined) return assetResponse(asset);
    const pages = acts ? ACTIONS : PAGES;
    const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
    const form = acts ? await request.form?.() : undefined;
    const response = await pageOrReason(site, page, query, form);
    const policy = response.headers["content-security-policy"] ?? "";
    const base = `http://${key.authority}/${key.token}/`;
    const headers = { "content-security-policy": policyOf(policy, base) };
    return policy === "" ? response : { ...response, headers: { ...response.headers, ...headers } };
  };
}

async function pageOrReason(
  site: SiteContext,
  page: Page | undefined,
  query: URLSearchParams,
  form = new URLSearchParams(),
): Promise<PageResponse> {
  if (page === undefined) return failed(site, 404, "This page does not exist");
  try {
    return await page(site, query, form);
  } catch (error) {
    const known = error instanceof SessionError;
    const status = known ? STATUS[error.code] ?? 500 : 500;
    return failed(site, status, errorText(error));
  }
}

/**
 * Returns a page that sets the cookie and then redirects. With an HTTP redirect after another
 * site's link, a browser would not send a `SameSite=Strict` cookie.
 */
function entrance(
  path: string,
  query: URLSearchParams,
  { set_cookie }: RequestGuard,
): PageResponse {
  const seq = query.get("seq") ?? "";
  const anchor = /^\d+$/.test(seq) ? `#e${seq}` : "";
  const page = redirectPage(`./${path}${query.size === 0 ? "" : `?${query}`}${anchor}`);
  const response = htmlResponse(page, "default-src 'none'");
  return { ...response, headers: { ...response.headers, "set-cookie": set_cookie } };
}

function failed({ version }: SiteContext, status: number, message: string): PageResponse {
  const body = safe`<h1>This page cannot be shown</h1>\n<p class="notice">${
    sanitizeLine(message)
  }</p>\n<p class="empty"><a class="act" href="./">Show all sessions</a></p>`;
  return sitePage({ title: "Not shown", place: "session", body, status }, version);
}

/** Writes a page that redirects without a script and without a referrer. */
export function redirectPage(address: string): SafeHtml {
  const refresh = `0; url=${address}`;
  return safe`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="${refresh}">
<title>Reprise</title>
</head>
<body><p><a href="${address}">Show the sessions</a></p></body>
</html>
`;
}
