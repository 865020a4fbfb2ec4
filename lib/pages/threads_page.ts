/** Renders the threads of a session: the main one, branches, subagents, what a rewind cut off. */
import { firstLine } from "../render/text_width.ts";
import { timeHtml } from "../render/html_document/elements.ts";
import { sessionTitle } from "../render/html_document/page.ts";
import { joinHtml, safe, type SafeHtml } from "../render/html_document/safe_html.ts";
import { sanitizeLine } from "../render/sanitize.ts";
import { MAIN_THREAD, type SessionThread } from "../source/session_thread.ts";
import type { PageResponse } from "./exchange.ts";
import { sessionLink } from "./session_link.ts";
import type { SiteContext } from "./site_context.ts";
import { sitePage } from "./site_frame.ts";
import { counted } from "../render/counted.ts";

const TITLE = 160;

/** The page of a session's threads. */
export async function threadsPage(
  site: SiteContext,
  query: URLSearchParams,
): Promise<PageResponse> {
  const { ref, handle, summary } = await site.sessions.open(query.get("ref") ?? "");
  const threads = await handle.threads();
  const title = `Threads of ${sessionTitle((await summary()).summary)}`;
  const body = safe`<h1 dir="auto">${title}</h1>
<ul class="rows">
${joinHtml(threads.map((thread) => rowHtml(ref, thread, site)), "\n")}
</ul>`;
  return sitePage({ title, place: "session", body }, site.version);
}

function rowHtml(
  ref: string,
  { id, kind, title = "", records, updated_at }: SessionThread,
  { format_time }: SiteContext,
): SafeHtml {
  const is_main = id === MAIN_THREAD;
  const name = firstLine(title, TITLE) || (is_main ? "Main thread" : sanitizeLine(id));
  const count = is_main && records === 0 ? "" : counted(records, "record");
  return safe`<li><a href="${
    sessionLink(ref, is_main ? {} : { thread: id })
  }"><span dir="auto">${name}</span></a><p class="meta"><span>${kind}</span><span>${count}</span>${
    timeHtml(updated_at, format_time)
  }</p></li>`;
}
