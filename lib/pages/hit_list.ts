/** Renders the hits of a search. */
import { present } from "../event/present.ts";
import { rowsOf } from "../library/candidate.ts";
import type { SessionEntry } from "../library/query.ts";
import type { Summary } from "../projection/summary_row.ts";
import { counted } from "../render/counted.ts";
import { timeHtml } from "../render/html_document/elements.ts";
import { sessionTitle } from "../render/html_document/page.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../render/html_document/safe_html.ts";
import { directoryText } from "../render/path_text.ts";
import { sanitizeLine } from "../render/sanitize.ts";
import type { SearchHit } from "../search/search_task.ts";
import { type Filter, sinceOf } from "./filter.ts";
import { search } from "./found_sessions.ts";
import type { SiteContext } from "./site_context.ts";
import { sessionLink } from "./site_frame.ts";

const HIT_TITLE = 120;
const HITS = 100;

export async function hitsHtml(
  site: SiteContext,
  words: string,
  filter: Filter,
  entries: readonly SessionEntry[],
): Promise<SafeHtml> {
  const since = sinceOf(filter, site.now());
  try {
    const { hits, total, possible, unread } = await search(
      site,
      entries,
      present({ query: words, limit: HITS, since: since?.getTime() }),
    );
    const refs = new Set(hits.map(({ ref }) => ref));
    const found = await rowsOf(entries.filter(({ ref }) => refs.has(ref)));
    const rows = new Map(found.map((row) => [row.ref, row]));
    const notes = unread.map(({ message }) => safe`<p class="notice">${sanitizeLine(message)}</p>`);
    const count = hits.length < possible
      ? `The first ${hits.length} of ${
        possible === Infinity ? `at least ${total}` : `up to ${possible}`
      } hits`
      : counted(hits.length, "hit");
    return safe`${joinHtml(notes)}<p class="note">${count}</p>
<ol class="rows">
${joinHtml(hits.map((hit) => hitHtml(hit, rows.get(hit.ref), site)), "\n")}
</ol>`;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return safe`<p class="notice"><b class="fail">Cannot search</b>: ${
      sanitizeLine(error.message)
    }</p>`;
  }
}

function hitHtml(hit: SearchHit, row: Summary | undefined, site: SiteContext): SafeHtml {
  const { ref, seq, thread, role, time } = hit;
  const more = present({ seq: String(seq), thread });
  const when = Number.isNaN(time) ? undefined : new Date(time).toISOString();
  const title = row === undefined ? "Untitled session" : sessionTitle(row, HIT_TITLE);
  return safe`<li><a href="${
    sessionLink(ref, more, `e${seq}`)
  }"><span dir="auto">${title}</span></a><p class="hit" dir="auto">${
    markedHtml(hit)
  }</p><p class="meta"><span>${role}</span>${timeHtml(when, site.format_time)}<span>${
    sanitizeLine(hit.agent)
  }</span>${
    row?.cwd === undefined ? NOTHING : safe`<span>${directoryText(row.cwd, site.home)}</span>`
  }</p></li>`;
}

/** Renders the text around a hit, with the hit marked. */
function markedHtml({ snippet, ranges }: SearchHit): SafeHtml {
  const pieces: SafeHtml[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    pieces.push(safe`${snippet.slice(at, start)}<mark>${snippet.slice(start, end)}</mark>`);
    at = end;
  }
  return safe`${joinHtml(pieces)}${snippet.slice(at)}`;
}
