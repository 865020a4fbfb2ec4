/** Renders the list of sessions, and the hits of a search in them. */
import { AGENT_NAMES } from "../event/agent_name.ts";
import { present } from "../event/present.ts";
import { rowsOf } from "../library/candidate.ts";
import type { SessionEntry } from "../library/query.ts";
import type { Summary } from "../projection/summary_row.ts";
import { formatBytes } from "../render/byte_size.ts";
import { counted } from "../render/counted.ts";
import { timeHtml } from "../render/html_document/elements.ts";
import { sessionTitle } from "../render/html_document/page.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../render/html_document/safe_html.ts";
import { directoryText } from "../render/path_text.ts";
import { sanitizeLine } from "../render/sanitize.ts";
import { firstLine } from "../render/text_width.ts";
import { formatCost } from "../render/usage_text.ts";
import type { SearchHit } from "../search/search_task.ts";
import { type Filter, filterQuery, readFilter, sinceOf, SPANS } from "./filter.ts";
import { findSessions, search } from "./found_sessions.ts";
import { hitLink } from "./hit_link.ts";
import type { SiteContext } from "./site_context.ts";
import { type PageResponse, sessionLink, sitePage } from "./site_frame.ts";

const TITLE = 160;
const ROWS = 50;

/** Renders the sessions that a filter takes, or the hits of its words. */
export async function sessionsPage(
  site: SiteContext,
  query: URLSearchParams,
): Promise<PageResponse> {
  const filter = readFilter(query);
  const { entries, projects, unread } = await findSessions(site, filter);
  const form = filterForm(filter, { projects, home: site.home });
  const list = filter.words === undefined
    ? await rowsHtml(site, filter, entries, numberOf(query.get("page")))
    : await hitsHtml(site, filter.words, filter, entries);
  const notes = unread.map((text) => safe`<p class="notice">${sanitizeLine(text)}</p>`);
  const title = filter.words === undefined
    ? "Sessions"
    : `Search: ${firstLine(filter.words, TITLE)}`;
  const body = safe`<h1>${title}</h1>\n${form}\n${joinHtml(notes)}${list}`;
  return sitePage({ title, place: "sessions", body, events: "events" }, site.version);
}

function numberOf(text: string | null): number {
  return text !== null && /^[1-9]\d{0,5}$/.test(text) ? Number(text) : 1;
}

async function rowsHtml(
  site: SiteContext,
  filter: Filter,
  entries: readonly SessionEntry[],
  page: number,
): Promise<SafeHtml> {
  if (entries.length === 0) {
    const found = Object.keys(filter).length === 0
      ? "No coding agent has left a session on this machine yet."
      : "There is no such session.";
    return safe`<p class="note">${found}</p>`;
  }
  const first = (page - 1) * ROWS;
  const shown = entries.slice(first, first + ROWS);
  const rows = await rowsOf(shown);
  const count = `${first + 1} to ${first + shown.length} of ${entries.length}`;
  return safe`<p class="note">${shown.length === 0 ? `None of ${entries.length}` : count}</p>
<ul class="rows">
${joinHtml(rows.map((row) => rowHtml(row, site)), "\n")}
</ul>
${pagesHtml(filter, page, Math.ceil(entries.length / ROWS))}`;
}

function rowHtml(row: Summary, { format_time, home }: SiteContext): SafeHtml {
  const title = sessionTitle(row, TITLE);
  const facts = [
    safe`<span>${sanitizeLine(row.agent)}</span>`,
    timeHtml(row.updated_at, format_time),
    row.cwd === undefined ? NOTHING : safe`<span>${directoryText(row.cwd, home)}</span>`,
    row.message_count === undefined
      ? NOTHING
      : safe`<span>${counted(row.message_count, "message")}</span>`,
    row.cost_usd === undefined ? NOTHING : safe`<span>${formatCost(row)}</span>`,
    row.bytes === undefined ? NOTHING : safe`<span>${formatBytes(row.bytes)}</span>`,
    row.pinned ? safe`<b>pinned</b>` : NOTHING,
    ...(row.tags ?? []).map((tag) =>
      safe`<a class="tag" href="./${filterQuery({ tag })}">#${sanitizeLine(tag)}</a>`
    ),
    row.status === "running" ? safe`<b class="ok">running</b>` : NOTHING,
  ];
  return safe`<li><a href="${
    sessionLink(row.ref)
  }"><span dir="auto">${title}</span></a><p class="meta">${
    joinHtml(facts.filter(({ markup }) => markup !== ""))
  }</p></li>`;
}

function pagesHtml(filter: Filter, page: number, count: number): SafeHtml {
  if (count <= 1) return NOTHING;
  const link = (to: number, text: string, rel: string): SafeHtml =>
    to < 1 || to > count
      ? NOTHING
      : safe`<a rel="${rel}" href="./${filterQuery(filter, { page: String(to) })}">${text}</a>`;
  return safe`<nav class="pages" aria-label="Pages">${
    link(page - 1, "Newer", "prev")
  }<span>Page ${page} of ${count}</span>${link(page + 1, "Older", "next")}</nav>`;
}

/** The choices of the form. */
interface FilterChoices {
  /** Directories of sessions, the one with the newest session first. */
  projects: readonly string[];
  home: string | undefined;
}

/** More would make the page long. One that is not listed can be typed in its address. */
const MOST_PROJECTS = 200;

/** Renders the form with the current filter; it works without a script. */
function filterForm(filter: Filter, { projects, home }: FilterChoices): SafeHtml {
  const { words = "", agent = "", project = "", span = "", file = "", tag = "", archived = false } =
    filter;
  const listed = projects.slice(0, MOST_PROJECTS);
  const spans = Object.entries(SPANS).map(([key, { name }]) => [key, name] as const);
  const named = project === "" || listed.includes(project) ? listed : [project, ...listed];
  return safe`<form class="filter" action="./" method="get" role="search">
<div class="words"><label for="q">Search everything that was said and done</label><input type="search" id="q" name="q" value="${words}" autocomplete="off"><button type="submit">Show</button></div>
${
    choiceHtml("agent", "Agent", agent, [
      ["", "all"],
      ...AGENT_NAMES.map((name) => [name, name] as const),
    ])
  }
${
    choiceHtml("project", "Project", project, [
      ["", "all"],
      ...named.map((path) => [path, directoryText(path, home)] as const),
    ])
  }
${choiceHtml("since", "Time", span, [["", "any"], ...spans])}
<div><label for="file">File that was touched</label><input id="file" name="file" value="${file}" autocomplete="off"></div>
<div><label for="tag">Tag</label><input id="tag" name="tag" value="${tag}" autocomplete="off"></div>
<div class="check"><input type="checkbox" id="archived" name="archived" value="1"${
    archived ? safe` checked` : NOTHING
  }><label for="archived">Archived sessions</label></div>
</form>`;
}

function choiceHtml(
  name: string,
  label: string,
  chosen: string,
  choices: readonly (readonly [value: string, text: string])[],
): SafeHtml {
  const options = choices.map(([value, text]) =>
    safe`<option value="${value}"${value === chosen ? safe` selected` : NOTHING}>${text}</option>`
  );
  return safe`<div><label for="${name}">${label}</label><select id="${name}" name="${name}">${
    joinHtml(options)
  }</select></div>`;
}

const HIT_TITLE = 120;
const HITS = 100;

async function hitsHtml(
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
  const { role, time } = hit;
  const when = Number.isNaN(time) ? undefined : new Date(time).toISOString();
  const title = row === undefined ? "Untitled session" : sessionTitle(row, HIT_TITLE);
  return safe`<li><a href="${
    hitLink(hit)
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
