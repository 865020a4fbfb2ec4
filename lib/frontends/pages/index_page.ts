/** Renders the state of the search index, builds it on request, and shows the progress. */
import { present } from "../../core/event/present.ts";
import { startThread } from "../../core/platform/thread.ts";
import { formatBytes } from "../../text/render/byte_size.ts";
import { counted } from "../../core/event/counted.ts";
import { NOTHING, safe, type SafeHtml } from "../../text/render/html_document/html.ts";
import { type IndexStatus, indexStatus } from "../../library/search/index/index_status.ts";
import type { UpdateOrder, UpdateProgress } from "../../library/search/index/update_worker.ts";
import { whileRunning } from "./page_stream.ts";
import type { SiteContext } from "./site_context.ts";
import { type PageResponse, sitePage } from "./site_frame.ts";

/** Minimum number of bytes that a search must read before the page offers to build an index. */
const MUCH_BYTES = 20e6;

/** Renders the button that builds the search index. Renders nothing if the search read little. */
export function buildButton(
  { library }: SiteContext,
  words: string,
  scanned_bytes: number,
): SafeHtml {
  if (library.cache === undefined || scanned_bytes < MUCH_BYTES) return NOTHING;
  const read = formatBytes(scanned_bytes);
  return buildForm(
    words,
    `This search read ${read} of session files. A search index, built once, makes searches fast.`,
  );
}

function buildForm(words: string, reason: string): SafeHtml {
  const address = `index?${new URLSearchParams({ q: words })}`;
  return safe`<form class="build" method="post" action="${address}"><p>${reason} <button type="submit">Build the index</button></p></form>\n`;
}

const PAGE = { title: "Search index", place: "session" } as const;
const HEADING = safe`<h1>Search index</h1>`;
const SWITCHED_OFF =
  safe`${HEADING}\n<p class="notice">The cache is switched off, so there is no index.</p>\n`;

/** Renders the index's state and the button that builds it. Opening the page builds nothing. */
export async function indexPage(
  { library, version }: SiteContext,
  query: URLSearchParams,
): Promise<PageResponse> {
  if (library.cache === undefined) return sitePage({ ...PAGE, body: SWITCHED_OFF }, version);
  const status = indexStatus(library.cache, await library.sessions());
  const state = stateText(status);
  const body = safe`${HEADING}
<p>With the index, a search does not have to read the session files. The index has no text of a session. It stays on this machine, in the cache folder.</p>
${
    status.state === "current"
      ? safe`<p>${state}</p>\n`
      : buildForm(query.get("q") ?? "", state)
  }<p><a href="./">All sessions</a></p>`;
  return sitePage({ ...PAGE, body }, version);
}

function stateText({ state, sessions, bytes, behind_sessions, behind_bytes }: IndexStatus): string {
  if (state === "absent") {
    return "There is no search index yet. Without one, each search reads all session files.";
  }
  if (state === "damaged") {
    return "The search index is damaged, so each search reads all session files. Build it again.";
  }
  const has = `The index contains ${counted(sessions, "session")} and takes up ${
    formatBytes(bytes)
  }.`;
  if (state === "current") return has;
  const lacks = `${formatBytes(behind_bytes)} of ${counted(behind_sessions, "session")}`;
  return `${has} Not indexed yet: ${lacks}.`;
}

/** Builds the index in another thread. The work continues if the reader leaves the page. */
export async function buildPage(
  site: SiteContext,
  query: URLSearchParams,
): Promise<PageResponse> {
  const { cache, kept: { folder, version } } = site.library;
  if (cache === undefined) return sitePage({ ...PAGE, body: SWITCHED_OFF }, site.version);
  const words = query.get("q") ?? "";
  const again = words === ""
    ? safe`<a href="./">All sessions</a>`
    : safe`<a href="./?${String(new URLSearchParams({ q: words }))}">Search again: ${words}</a>`;
  const order: UpdateOrder = {
    cache,
    kept: present({ folder, version }),
    sessions: await site.library.sessions(),
  };
  const rest = async function* (): AsyncGenerator<SafeHtml> {
    let last: UpdateProgress | undefined;
    const thread = startThread(
      "library/search/index/update_worker",
      order,
      (progress: UpdateProgress) => {
        last = progress;
      },
    );
    for await (const _ of whileRunning(thread)) yield progressHtml(last);
    yield progressHtml(last);
    yield safe`<p class="stage">${outcomeText(last)} ${again}</p>\n`;
  };
  return sitePage({ ...PAGE, body: HEADING, rest }, site.version);
}

function progressHtml(last: UpdateProgress | undefined): SafeHtml {
  if (last === undefined) return NOTHING;
  const { done, all } = last;
  return safe`<p class="stage"><progress max="${all}" value="${done}" aria-label="Index"></progress> Reading ${
    formatBytes(done)
  } of ${formatBytes(all)}</p>\n`;
}

function outcomeText(last: UpdateProgress | undefined): string {
  const { result } = last ?? {};
  if (result === undefined) return "Cannot build the index; to see why: reprise index build";
  return result.state === "locked"
    ? "Another process is building the index."
    : `The index is complete: ${formatBytes(result.read_bytes)} of session files were read.`;
}
