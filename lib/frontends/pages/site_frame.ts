/** The frame of the served pages: requests and responses, their headers, links and style. */
import { skipHtml } from "../../text/render/html_document/page.ts";
import { createFrame } from "../../text/render/html_document/frame.ts";
import { PAGE_STYLE } from "../../text/render/html_document/page_style.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../text/render/html_document/html.ts";
import { KIND_INKS } from "../../text/render/html_document/palette.ts";
import { assetLink } from "./assets.ts";
import { LIST_STYLE } from "./list/list_style.ts";
import { untilClosed } from "./page_stream.ts";
import { BLAME_STYLE } from "./session/blame_style.ts";
import { SITE_SCRIPT } from "./site_script.ts";
import { STATS_STYLE } from "./stats/stats_style.ts";

export interface PageRequest {
  method: string;
  /** The path and query, exactly as they were sent. */
  target: string;
  /** Returns the value of a header, whose name is given in lower case. */
  header(name: string): string | undefined;
  /** Reads the fields of a form. Returns an empty form if the body is no form or is too long. */
  form?(): Promise<URLSearchParams>;
}

export interface PageResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** The text, or its pieces as they become ready. Iteration stops if the browser disconnects. */
  body: string | AsyncIterable<string>;
}

/**
 * Returns the address of a session's page, relative to any page.
 *
 * @param more The event, thread or page to show. @param anchor The fragment to scroll to.
 */
export function sessionLink(
  ref: string,
  more: Readonly<Record<string, string>> = {},
  anchor = "",
): string {
  const query = new URLSearchParams({ ref, ...more });
  return `session?${query}${anchor === "" ? "" : `#${anchor}`}`;
}

/** Style of lists, forms and charts. A session looks as it does in an export. */
export const SITE_STYLE = `${PAGE_STYLE}
.site{display:block}
.bar{display:flex;flex-wrap:wrap;gap:var(--s2) var(--s4);align-items:baseline;padding:var(--s1) 0;border-bottom:1px solid var(--line);margin-bottom:var(--s3);grid-column:1/-1;font-size:var(--t3)}
.bar b{font-size:var(--t4)}
.bar a{padding:var(--s1) 0;text-decoration:none}
.bar a:hover{text-decoration:underline}
.bar [aria-current]{color:var(--text);font-weight:600;text-decoration:none}
.bar button{font:inherit;font-size:var(--t3);color:var(--link);background:none;border:1px solid var(--line);border-radius:.35rem;padding:2px var(--s2);cursor:pointer}
.bar b+a~button:first-of-type{margin-inline-start:auto}
.chosen{box-shadow:-.3rem 0 var(--page),-.5rem 0 var(--link)}
.keys{border:1px solid var(--line);border-radius:.5rem;background:var(--page);color:var(--text);padding:var(--s4) var(--s5)}
.keys::backdrop{background:rgb(0 0 0/.4)}
.keys h2{margin:0 0 var(--s2)}
.keys dl{display:grid;grid-template-columns:auto 1fr;gap:var(--s1) var(--s4)}
.keys dd{margin:0}
.keys kbd{font:inherit;font-family:ui-monospace,monospace;border:1px solid var(--muted);border-radius:.25rem;padding:1px var(--s2)}
.keys button{font:inherit;padding:var(--s1) var(--s4)}
.site h1{font-size:var(--t5);margin:0 0 var(--s3)}
.site h2{font-size:var(--t4)}
.served .bar{margin-bottom:0}
.served .top{padding:var(--s2) 0 var(--s1);margin:0}
.under a,.meta a,.steps a,.pages a{text-decoration:none}
.under a:hover,.meta a:hover,.steps a:hover,.pages a:hover{text-decoration:underline}
.served .top h1{font-size:var(--t5);margin:0;display:-webkit-box;-webkit-line-clamp:2;-webkit-box-orient:vertical;overflow:hidden}
.title{display:flex;flex-wrap:wrap;gap:var(--s1) var(--s4);align-items:start;justify-content:space-between}
.title h1{flex:1 1 16rem}
.acts{display:flex;gap:var(--s2)}
.acts button{font:inherit;font-size:var(--t2);color:var(--link);background:none;border:1px solid var(--line);border-radius:.35rem;padding:1px var(--s2);cursor:pointer}
.acts button{white-space:nowrap}
.marks>summary{cursor:pointer;color:var(--muted)}
.marks form{display:grid;gap:var(--s2);max-width:40rem;padding:var(--s2) var(--s3);margin:var(--s1) 0;background:var(--code);border:1px solid var(--line);border-radius:.4rem}
.marks label{display:grid;gap:2px;color:var(--muted);font-size:var(--t2)}
.marks :is(input,textarea){font:inherit;font-size:var(--t3);color:var(--text);background:var(--page);border:1px solid var(--muted);border-radius:.35rem;padding:var(--s1) var(--s2)}
.marks button{font:inherit;justify-self:start;color:var(--page);background:var(--link);border:0;border-radius:.35rem;padding:var(--s1) var(--s4);cursor:pointer}
.steps[hidden]{display:none}
@media not all and (min-width:64rem){.marks[open]{flex:1 0 100%}}
@media (min-width:64rem){.marks{position:relative}.marks form{position:absolute;z-index:6;width:40rem;box-shadow:0 4px 16px rgb(0 0 0/.18)}}
.lost:not(:empty){position:fixed;z-index:9;inset:auto 0 0;margin:0;padding:var(--s2) var(--s4);background:var(--text);color:var(--page);text-align:center}
.copied::after{content:" ✓"}
@media (scripting:none){[data-copy]{display:none}}
.top .meta{display:flex;flex-wrap:wrap;gap:2px var(--s4);margin:2px 0 0;color:var(--muted);font-size:var(--t3)}
.top .meta b:first-child{color:var(--text)}
.under{display:flex;flex-wrap:wrap;align-items:baseline;gap:2px var(--s4);margin:2px 0 0;font-size:var(--t3)}
.more[open]{flex:1 0 100%}
.more summary{cursor:pointer;color:var(--muted)}
.more .facts{margin:var(--s2) 0}
.top .note{margin:var(--s1) 0 0}
.top .threads{display:flex;flex-wrap:wrap;gap:var(--s1) var(--s4);margin:0;font-size:1em}
@media (max-width:40rem){
.bar{gap:var(--s1) var(--s2)}
.bar :is(b,button){display:none}
.top .where{display:none}
.more{flex:none}
.under .threads{flex:0 1 100%}
.top .threads{flex-wrap:nowrap;overflow-x:auto;white-space:nowrap}
}
.done{border-top:1px solid var(--line);margin-top:var(--s4);padding-top:var(--s2)}
.done h3 a{text-decoration:none}
.done h3 a:hover{text-decoration:underline}
.done h3{font-size:var(--t4);margin:var(--s4) 0 0}
.done p{margin:2px 0}
.done ul{margin:var(--s1) 0 var(--s2);padding-inline-start:var(--s4)}
.done time{color:var(--muted);font-size:var(--t3)}
.done .failed{color:var(--fail)}
.done .waits,.done .unfinished{color:var(--warn)}
.pages [aria-current]{color:var(--text);font-weight:600;text-decoration:none}
.strip{display:flex;overflow:hidden;height:28px;margin-top:var(--s2);align-items:stretch}
.strip a{flex:1 1 0;min-width:0;max-width:40px;position:relative}
.strip a:hover{background:var(--card)}
.strip svg{display:block;width:max(50%,100% - 1px);height:100%}
${KIND_INKS.map((name) => `.k-${name} rect{fill:var(--${name})}`).join("\n")}
.strip .bad.bad{fill:var(--fail)}
.strip .notch::after{content:"";position:absolute;inset:0 auto 0 0;border-inline-start:2px dotted var(--text)}
.here{position:absolute;inset-block-start:0;inset-inline-end:3rem;z-index:2;display:flex;gap:var(--s1)}
.here button,.notices.notices{font:inherit;font-size:var(--t2);color:var(--link);background:var(--page);border:1px solid var(--line);border-radius:.35rem;padding:1px var(--s2);cursor:pointer}
:has(>.here){position:relative}
:not(.item)>.here{inset-inline-end:var(--s1);inset-block-start:var(--s1)}
.notices[aria-pressed=true]{color:var(--page);background:var(--link)}
.beside{grid-column:1;grid-row:3;position:sticky;top:0;align-self:start;display:flex;flex-direction:column;height:100vh;padding:var(--s3) 0}
.beside>details{flex:0 1 auto;min-height:0;max-height:58%;overflow-y:auto;border-bottom:1px solid var(--line);padding-inline-end:var(--s2)}
.beside summary{cursor:pointer;font-weight:600;padding-bottom:var(--s1)}
.beside :is(.now,.above,.pages,.of-act){display:none}
.beside .list tbody tr:not(.group):has([aria-current]){background:var(--card);box-shadow:-.3rem 0 var(--card),-.5rem 0 var(--link)}
.served .beside .contents{flex:1 1 0;min-height:8rem;max-height:none;align-self:stretch;position:static;padding:var(--s3) 0 0}
.beside .list .of-title{padding:0}
@media (min-width:80rem){body.has-list{grid-template-columns:26rem minmax(0,1fr)}}
.rail{display:none}
@media (min-width:100rem){
body{max-width:112rem}
body.served{grid-template-columns:17rem minmax(0,1fr) 20rem}
body.has-list{grid-template-columns:26rem minmax(0,1fr) 20rem}
.served .rail{display:block;grid-column:3;grid-row:3;position:sticky;top:0;align-self:start;max-height:100vh;overflow-y:auto;padding:var(--s4) 0;font-size:var(--t3)}
.rail .facts{grid-template-columns:1fr 1fr;gap:var(--s2) var(--s3)}
.rail h2{font-size:var(--t3);margin:var(--s4) 0 var(--s1)}
.rail ul{list-style:none;margin:0;padding:0}
.rail li{display:flex;justify-content:space-between;gap:var(--s2)}
.rail li code{overflow:hidden;text-overflow:ellipsis;white-space:nowrap;direction:rtl;background:none;padding:0}
.rail li span{white-space:nowrap}
}
@media (min-width:64rem){
.served .top{grid-row:2;display:flex;flex-wrap:wrap;align-items:baseline;gap:0 var(--s5);padding:2px 0 0}
.served .top>:is(.title,.strip,.note){flex:1 0 100%}
.strip{height:18px;margin-top:2px}
.served .tools{padding:var(--s1) 0}
.served main,.served .contents{grid-row:3}
.to-contents{display:none}
}
@media print{.here,.beside,.strip,.rail,.marks,.bar,.steps,.pages,.filter,.chips,.acts,.under,.build,.of-act{display:none}}
${LIST_STYLE}
${STATS_STYLE}
${BLAME_STYLE}`;

/** Makes the frame of pages with a script. Pages may fetch from and submit to their own server. */
export function siteFrame(script: string): ReturnType<typeof createFrame> {
  const directives = ["form-action 'self'", "connect-src 'self'"];
  return createFrame({ style: SITE_STYLE, script, link: assetLink }, directives);
}

const LISTS = siteFrame(SITE_SCRIPT);

const HEADERS = {
  "cache-control": "no-store",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

const PLACES = [
  ["sessions", "./", "Sessions"],
  ["edits", "edits", "Edits"],
  ["digest", "digest", "Digest"],
  ["stats", "stats", "Statistics"],
  ["go", "go", "Go to"],
] as const;

/** The link in the bar for the page. `session` if the bar has no link for the page. */
type Place = typeof PLACES[number][0] | "session";

interface SitePage {
  title: string;
  place: Place;
  body: SafeHtml;
  /** The HTTP status. @default {200} */
  status?: number;
  /** The address of the event stream that reports changes. @default {none} */
  events?: string;
  /** Yields the parts after the body, until the signal aborts. @default {nothing} */
  rest?: (signal: AbortSignal) => AsyncIterable<SafeHtml>;
}

export function sitePage(
  { title, place, body, status = 200, events, rest }: SitePage,
  version: string,
): PageResponse {
  const start = safe`${LISTS.head({ title: `${title} · Reprise`, generator: `reprise ${version}` })}
<body class="site" id="top"${eventsHtml(events)}>
${skipHtml(place === "sessions" && events !== undefined ? "rows" : "main")}
${barHtml(place)}
<main id="main">
${body}
`;
  const end = safe`</main>
${LISTS.script}</body>
</html>
`;
  const whole = htmlResponse(safe`${start}${end}`, LISTS.policy, status);
  if (rest === undefined) return whole;
  const pieces = untilClosed(async function* (signal): AsyncGenerator<string> {
    yield start.markup;
    for await (const piece of rest(signal)) yield piece.markup;
    yield end.markup;
  });
  return { ...whole, body: pieces };
}

export function eventsHtml(address: string | undefined): SafeHtml {
  return address === undefined ? NOTHING : safe` data-events="${address}"`;
}

/** Renders the bar with links to the other pages. @param here The open session. */
export function barHtml(place: Place, here: Readonly<Record<string, string>> = {}): SafeHtml {
  const of = Object.keys(here).length === 0 ? "" : `?${new URLSearchParams(here)}`;
  const links = PLACES.map(([name, href, text]) =>
    safe`<a href="${href}${name === "go" ? of : ""}"${
      name === place ? safe` aria-current="page"` : NOTHING
    }${name === "go" ? safe` data-go` : NOTHING}>${text}</a>`
  );
  return safe`<nav class="bar" aria-label="Reprise"><b>Reprise</b> ${joinHtml(links, " ")}</nav>`;
}

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

/** Answers with a style or script. A browser may cache it: a changed file has another name. */
export function assetResponse({ type, text }: { type: string; text: string }): PageResponse {
  const cached = "private, max-age=31536000, immutable";
  return {
    status: 200,
    headers: { ...HEADERS, "cache-control": cached, "content-type": type },
    body: text,
  };
}

export function eventsResponse(body: AsyncIterable<string>): PageResponse {
  return { status: 200, headers: { ...HEADERS, "content-type": "text/event-stream" }, body };
}

export function redirectResponse(address: string): PageResponse {
  return { ...textResponse(303, "Elsewhere"), headers: { ...HEADERS, location: address } };
}

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
