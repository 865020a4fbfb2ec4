/** Renders the hits of a search below their sessions, with links that narrow the search. */
import { rowsOf } from "../../../library/query/candidate.ts";
import type { SessionEntry } from "../../../library/query/query.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import { counted } from "../../../core/event/counted.ts";
import { sessionTitle } from "../../../text/render/html_document/page.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { directoryText } from "../../../text/render/path_text.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import type { SearchHit } from "../../../library/search/search_task.ts";
import { NEEDS_INDEX, tierText } from "../../../library/search/tiers.ts";
import { filterQuery, type ListFilter } from "./filter.ts";
import { hitLink } from "./hit_link.ts";
import { agentHtml, agoHtml, emptyHtml, shortPath } from "../session_labels.ts";
import type { SiteContext } from "../site_context.ts";
import type { SearchStage } from "./staged_search.ts";

const TITLE = 120;
/** The most hits of a session that are shown before the rest is folded. */
const SHOWN = 3;

/** Renders the hits so far as one stage of a search. The style hides all stages but the last. */
export async function stageHtml(
  site: SiteContext,
  filter: ListFilter,
  entries: readonly SessionEntry[],
  stage: SearchStage,
  scope_notes: readonly string[] = [],
): Promise<SafeHtml> {
  const { hits, unread, needs_index } = stage;
  const groups = Map.groupBy(hits, ({ ref }) => ref);
  const found = await rowsOf(entries.filter(({ ref }) => groups.has(ref)));
  const rows = new Map(found.map((row) => [row.ref, row]));
  const tier = tierText(stage);
  const about = hits.length > 0
    ? [...scope_notes, ...tier === "" ? [] : [tier]]
    : needs_index
    ? [NEEDS_INDEX]
    : [];
  const notes = [...about, ...unread.map(({ message }) => message)]
    .map((text) => safe`<p class="notice">${sanitizeLine(text)}</p>`);
  const lines = [...groups].map(([ref, some]) =>
    groupHtml(some, rows.get(ref), site, stage.is_last)
  );
  if (stage.is_last && hits.length === 0) {
    const { words: _, ...others } = filter;
    const is_narrow = Object.keys(others).length > 0;
    return safe`<section class="stage" aria-label="Hits">${joinHtml(notes)}${
      emptyHtml(
        "No hits",
        `${counted(stage.all, "session")} ${
          stage.all === 1 ? "was" : "were"
        } searched: messages, commands and results.`,
        is_narrow
          ? safe`<a class="act" href="./${
            filterQuery({ words: filter.words ?? "" })
          }">Search all sessions</a>`
          : safe`<a class="act" href="./">Show all sessions</a>`,
      )
    }</section>
`;
  }
  return safe`<section class="stage" aria-label="Hits">
${joinHtml(notes)}<p class="note" role="status">${countText(stage, groups.size)}</p>
${facetsHtml(filter, hits)}
<ol class="rows hits">
${joinHtml(lines, "\n")}
</ol>
</section>
`;
}

function countText(
  { hits, total, possible, read, all, is_last }: SearchStage,
  sessions: number,
): string {
  const found = `${counted(hits.length, "hit")} in ${counted(sessions, "session")}`;
  if (!is_last) return `${found} · reading ${read} of ${all}`;
  if (hits.length >= possible) return found;
  const most = possible === Infinity ? `at least ${total}` : `up to ${possible}`;
  return `Showing the first ${found} (${most} in all)`;
}

const MOST_VALUES = 8;

function facetsHtml(filter: ListFilter, hits: readonly SearchHit[]): SafeHtml {
  const facets = [
    ["role", "Said by", ({ role }: SearchHit) => role],
    ["tool", "Tool", ({ tool }: SearchHit) => tool],
    ["path", "File", ({ file }: SearchHit) => file],
  ] as const;
  const shown = facets.flatMap(([field, title, valueOf]) => {
    const counts = [...Map.groupBy(hits, valueOf)]
      .flatMap(([value, some]) => value === undefined ? [] : [[value, some.length] as const])
      .sort(([, one], [, other]) => other - one).slice(0, MOST_VALUES);
    if (filter[field] !== undefined || counts.length < 2 && field !== "path") return [];
    if (counts.length === 0) return [];
    const links = counts.map(([value, count]) =>
      safe`<a href="./${filterQuery({ ...filter, [field]: value })}" title="${value}">${
        sanitizeLine(field === "path" ? shortPath(value) : value)
      } <span class="note">${count}</span></a>`
    );
    return [safe`<div><dt>${title}</dt><dd>${joinHtml(links, " ")}</dd></div>`];
  });
  return shown.length === 0
    ? NOTHING
    : safe`<nav aria-label="Narrow the hits"><dl class="facets">${joinHtml(shown)}</dl></nav>`;
}

function groupHtml(
  hits: readonly SearchHit[],
  row: Summary | undefined,
  site: SiteContext,
  is_last: boolean,
): SafeHtml {
  const [first] = hits;
  if (first === undefined) return NOTHING;
  const title = row === undefined ? "Untitled session" : sessionTitle(row, TITLE);
  // Keys go from hit to hit once all are there.
  const lines = (some: readonly SearchHit[], is_row: boolean): SafeHtml =>
    safe`<ol>${joinHtml(some.map((hit) => hitHtml(hit, is_row)))}</ol>`;
  const more = hits.slice(SHOWN);
  const folded = more.length === 0
    ? NOTHING
    : safe`<details><summary>${more.length} more in this session</summary>${
      lines(more, false)
    }</details>`;
  return safe`<li><p class="of"><a href="${
    hitLink(first)
  }" dir="auto">${title}</a><span class="count">${counted(hits.length, "hit")}</span>${
    agentHtml(first.agent)
  }${row?.cwd === undefined ? NOTHING : safe`<span>${directoryText(row.cwd, site.home)}</span>`}${
    agoHtml(row?.updated_at, site)
  }</p>${lines(hits.slice(0, SHOWN), is_last)}${folded}</li>`;
}

function hitHtml(hit: SearchHit, is_row: boolean): SafeHtml {
  const { role, tool } = hit;
  return safe`<li${is_row ? safe` data-row` : NOTHING}><a href="${
    hitLink(hit)
  }"><span class="role">${sanitizeLine(tool ?? role)}</span> <span dir="auto">${
    markedHtml(hit)
  }</span></a></li>`;
}

export function markedHtml({ snippet, ranges }: SearchHit): SafeHtml {
  const pieces: SafeHtml[] = [];
  let at = 0;
  for (const [start, end] of ranges) {
    pieces.push(safe`${snippet.slice(at, start)}<mark>${snippet.slice(start, end)}</mark>`);
    at = end;
  }
  return safe`${joinHtml(pieces)}${snippet.slice(at)}`;
}
