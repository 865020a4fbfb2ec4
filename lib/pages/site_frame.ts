/** The frame of the served pages, and the headers that keep others out of them. */
import { createFrame } from "../render/html_document/frame.ts";
import { joinHtml, safe, type SafeHtml } from "../render/html_document/safe_html.ts";
import type { PageResponse } from "./exchange.ts";
import { SITE_STYLE } from "./site_style.ts";

const FORMS = ["form-action 'self'"];

const LISTS = createFrame({ style: SITE_STYLE }, FORMS);

/** Headers that every response has. */
const HEADERS = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Pages to go to from each page. */
const PLACES = [["sessions", "./", "Sessions"], ["stats", "stats", "Statistics"]] as const;

/** Name of a place in the bar, or none of them. */
export type Place = typeof PLACES[number][0] | "session";

/** A page of lists, forms and charts. */
export interface SitePage {
  title: string;
  place: Place;
  body: SafeHtml;
  /** @default {200} */
  status?: number;
}

/** Writes a page of lists, forms and charts. */
export function sitePage(
  { title, place, body, status = 200 }: SitePage,
  version: string,
): PageResponse {
  const page = safe`${LISTS.head({ title: `${title} · Reprise`, generator: `reprise ${version}` })}
<body class="site" id="top">
${barHtml(place)}
<main id="main">
${body}
</main>
</body>
</html>
`;
  return htmlResponse(page, LISTS.policy, status);
}

/** The way to the other pages. */
export function barHtml(place: Place): SafeHtml {
  const links = PLACES.map(([name, href, text]) =>
    name === place
      ? safe`<a href="${href}" aria-current="page">${text}</a>`
      : safe`<a href="${href}">${text}</a>`
  );
  return safe`<nav class="bar" aria-label="Reprise"><b>Reprise</b> ${joinHtml(links, " ")}</nav>`;
}

/** A page as a response. */
export function htmlResponse(page: SafeHtml, policy: string, status = 200): PageResponse {
  return {
    status,
    headers: {
      ...HEADERS,
      "content-security-policy": `${policy}; frame-ancestors 'none'`,
      "content-type": "text/html; charset=utf-8",
    },
    body: page.markup,
  };
}

/** A line of text as a response. */
export function textResponse(status: number, text: string): PageResponse {
  const headers = {
    ...HEADERS,
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    "content-type": "text/plain; charset=utf-8",
  };
  return {
    status,
    headers: status === 405 ? { ...headers, allow: "GET, HEAD" } : headers,
    body: `${text}\n`,
  };
}
