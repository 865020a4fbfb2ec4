/** Finds sessions, projects, pages, turns and hits by a few letters. Ctrl-K opens this page. */
import { present } from "../../core/event/present.ts";
import { openIndex } from "../../library/catalogue/cache/search_database.ts";
import { rowsOf } from "../../library/query/candidate.ts";
import type { SessionEntry } from "../../library/query/query.ts";
import { searchEntries } from "../../library/search/search.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../text/render/html_document/html.ts";
import { sessionTitle, withoutMarks } from "../../text/render/html_document/page.ts";
import { directoryText } from "../../text/render/path_text.ts";
import { sanitizeLine } from "../../text/render/sanitize.ts";
import { firstLine } from "../../text/render/text_width.ts";
import { filterQuery } from "./list/filter.ts";
import { projectsOf } from "./list/found_sessions.ts";
import { hitLink } from "./list/hit_link.ts";
import { markedHtml } from "./list/hit_list.ts";
import { agentHtml, agoHtml } from "./session_labels.ts";
import { hitStep } from "./session/hit_page.ts";
import { isTime, placeLink } from "./session/place_page.ts";
import type { SiteContext } from "./site_context.ts";
import { type PageResponse, sessionLink, sitePage } from "./site_frame.ts";

/** Maximum number of links of each kind. */
const MOST = 6;
/** Maximum number of characters of the searched text. */
const LONGEST = 200;
/** Minimum number of characters that are searched for while they are typed. */
const LEAST = 3;
const PATIENCE_MS = 2000;

type Link = readonly [kind: string, href: string, text: SafeHtml, note?: SafeHtml];

export async function goPage(site: SiteContext, query: URLSearchParams): Promise<PageResponse> {
  const text = (query.get("q") ?? "").trim().slice(0, LONGEST);
  const [ref, thread] = [query.get("ref") ?? "", query.get("thread") ?? undefined];
  const here = ref === "" ? undefined : { ref, thread: present({ thread }) };
  const { entries } = await site.library.query({});
  const links = [
    ...here === undefined ? [] : await placeLinks(site, here, text),
    ...await titleLinks(site, text),
    ...projectLinks(site, entries, text),
    ...pageLinks(here, text),
    ...await hitLinks(site, entries, { here, text }),
  ];
  const hidden = Object.entries(here === undefined ? {} : { ref, ...here.thread })
    .map(([name, value]) => safe`<input type="hidden" name="${name}" value="${value}">`);
  const lines = links.map(([kind, href, name, note = NOTHING]) =>
    safe`<li><a href="${href}"><span class="role">${kind}</span><span dir="auto">${name}</span>${note}</a></li>`
  );
  const label = "Session, project, page, words, turn number or time";
  const body = safe`<h1>Go to</h1>
<form class="filter" action="go" method="get" role="search"><div class="words">${
    joinHtml(hidden)
  }<input type="search" name="q" value="${text}" autocomplete="off" aria-label="${label}" placeholder="${label}" data-search><button type="submit">Find</button></div></form>
<ul class="hits go" id="found">${joinHtml(lines, "\n")}</ul>`;
  return sitePage({ title: "Go to", place: "go", body }, site.version);
}

interface Here {
  ref: string;
  thread: { thread?: string };
}

async function placeLinks({ sessions }: SiteContext, here: Here, text: string): Promise<Link[]> {
  if (/^[1-9]\d{0,6}$/.test(text)) {
    const { items } = await sessions.open(here.ref, here.thread.thread);
    const { prompts, progress } = items;
    const prompt = prompts[Number(text) - 1];
    // For a long session, only the turns read so far are known.
    if (prompt === undefined && progress.total !== undefined) return [];
    const name = prompt === undefined ? "" : `: ${withoutMarks(firstLine(prompt.text, LONGEST))}`;
    return [["turn", placeLink(here, { turn: text }), safe`Turn ${text}${name}`]];
  }
  return isTime(text) ? [["time", placeLink(here, { time: text }), safe`Turn at ${text}`]] : [];
}

async function titleLinks(site: SiteContext, text: string): Promise<Link[]> {
  const { entries } = await site.library.query(
    present({ title: text || undefined, limit: MOST, members: true }),
  );
  return (await rowsOf(entries)).map((row) => [
    "session",
    sessionLink(row.ref),
    safe`${sessionTitle(row)}`,
    safe`<span class="note">${agentHtml(row.agent)} ${agoHtml(row.updated_at, site)}</span>`,
  ]);
}

function projectLinks(
  { home }: SiteContext,
  entries: readonly SessionEntry[],
  text: string,
): Link[] {
  return projectsOf(entries).filter((project) => fits(directoryText(project, home), text))
    .slice(0, text === "" ? 2 : MOST)
    .map((project) => [
      "project",
      `./${filterQuery({ project })}`,
      safe`${directoryText(project, home)}`,
    ]);
}

function pageLinks(here: Here | undefined, text: string): Link[] {
  const of = String(new URLSearchParams(here === undefined ? {} : { ref: here.ref }));
  const ours = here === undefined ? [] : [
    ["End of this session", sessionLink(here.ref, { ...here.thread, end: "1" }, "end")],
    ["Branches and subagents of this session", `threads?${of}`],
    ["Changed files of this session", `files?${of}`],
    ["Commits of this session", `commit?${of}`],
    ["Context of this session", `context?${of}`],
  ];
  const all = [
    ...ours,
    ["Sessions", "./"],
    ["Pinned sessions", "./?pinned=1"],
    ["Edits of all sessions", "edits"],
    ["Digest", "digest"],
    ["Statistics", "stats"],
    ["Search index", "index"],
  ];
  return all.filter(([name = ""]) => fits(name, text))
    .map(([name = "", href = ""]) => ["page", href, safe`${name}`]);
}

function fits(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.toLowerCase());
}

/** Returns links to searches for the text, and links to hits if an index finds them quickly. */
async function hitLinks(
  site: SiteContext,
  entries: readonly SessionEntry[],
  { here, text }: { here: Here | undefined; text: string },
): Promise<Link[]> {
  if (text === "") return [];
  const quoted = firstLine(sanitizeLine(text), LONGEST);
  const links: Link[] = [
    ...here === undefined ? [] : [
      ["search", hitStep(here, [text], { from: "0" }), safe`“${quoted}” in this session`] as Link,
    ],
    ["search", `./${filterQuery({ words: text })}`, safe`“${quoted}” in all sessions`],
  ];
  const { cache, kept, marks } = site.library;
  if (cache === undefined || text.length < LEAST || !hasIndex(cache)) return links;
  const request = { query: text, limit: MOST, now: site.now().getTime() };
  const signal = AbortSignal.timeout(PATIENCE_MS);
  // An incomplete query is malformed. If the search takes long, the links above remain.
  const found = await searchEntries(entries, request, { cache, kept, marks, signal })
    .catch(() => undefined);
  return [
    ...links,
    ...(found?.hits ?? []).map((
      hit,
    ): Link => [hit.tool ?? hit.role, hitLink(hit), markedHtml(hit)]),
  ];
}

function hasIndex(cache: string): boolean {
  using database = openIndex(cache);
  return database !== undefined;
}
