/** Renders the lists of a site: its sessions by day and by project, in parts. */
import { counted } from "../../../core/event/counted.ts";
import { createFrame } from "../html_document/frame.ts";
import { timeHtml } from "../html_document/elements.ts";
import { joinHtml, safe, type SafeHtml } from "../html_document/html.ts";
import { sanitizeLine } from "../sanitize.ts";
import { type TimeFormat, utcMinute } from "../time_label.ts";
import { partsHtml } from "./folder_pages.ts";
import { LISTS_STYLE } from "./site_style.ts";

export interface SiteRow {
  href: string;
  title: string;
  agent: string;
  /** The session's directory. Empty if it has none. */
  project: string;
  /** Time of the last update in ISO 8601. Empty if it is unknown. */
  updated_at: string;
  /** Models, number of messages and cost, as far as they are known. */
  facts: readonly string[];
}

const PART_ROWS = 300;

const FRAME = createFrame({ style: LISTS_STYLE }, ["form-action 'none'"]);

/** The site's lists of sessions. `groupOf` returns the heading above a session's row. */
const LISTS = [
  { name: "index", title: "By day", groupOf: ({ updated_at }: SiteRow) => updated_at.slice(0, 10) },
  { name: "projects", title: "By project", groupOf: ({ project }: SiteRow) => project },
] as const;

/** Returns pairs of file name and text. @param rows The newest update first. */
export function sitePages(rows: readonly SiteRow[], generator: string): [string, string][] {
  return LISTS.flatMap((list) => listPages(list, rows, generator));
}

export function siteTitle(rows: readonly SiteRow[]): string {
  const projects = new Set(rows.map(({ project }) => project));
  const [only] = projects;
  const sessions = counted(rows.length, "session");
  return only !== undefined && only !== "" && projects.size === 1
    ? `${sessions} of ${sanitizeLine(only)}`
    : sessions;
}

export function listLinks(current: string): SafeHtml {
  const links = [...LISTS, { name: "search", title: "Search" }].map(({ name, title }) =>
    name === current
      ? safe`<b aria-current="page">${title}</b>`
      : safe`<a href="${name}.html">${title}</a>`
  );
  return safe`<nav class="steps" aria-label="Lists">${joinHtml(links)}</nav>`;
}

function listPages(
  { name, title, groupOf }: typeof LISTS[number],
  rows: readonly SiteRow[],
  generator: string,
): [string, string][] {
  const ordered = [...Map.groupBy(rows, groupOf).values()].flat();
  const count = Math.max(1, Math.ceil(ordered.length / PART_ROWS));
  const partName = (at: number): string => at === 0 ? `${name}.html` : `${name}-${at + 1}.html`;
  return Array.from({ length: count }, (_, at) => {
    const part = ordered.slice(at * PART_ROWS, (at + 1) * PART_ROWS);
    const groups = [...Map.groupBy(part, groupOf)].map(([group, rows]) =>
      groupHtml(group, rows, name === "index" ? clockTime : utcMinute)
    );
    const parts = partsHtml("Pages of the list", at, count, partName);
    const page = safe`${
      FRAME.head({ title: siteTitle(rows), generator })
    }<body class="lists" id="top">
<header class="top"><h1 dir="auto">${siteTitle(rows)}</h1>${listLinks(name)}${parts}</header>
<main id="main"><h2 class="unseen">${title}</h2>
${joinHtml(groups)}</main>
</body>
</html>
`;
    return [partName(at), page.markup];
  });
}

function groupHtml(group: string, rows: readonly SiteRow[], format: TimeFormat): SafeHtml {
  return safe`<h3 dir="auto">${sanitizeLine(group) || "Not known"}</h3>
<ul class="rows">
${joinHtml(rows.map((row) => rowHtml(row, format)))}</ul>
`;
}

function rowHtml(
  { href, title, agent, project, updated_at, facts }: SiteRow,
  format: TimeFormat,
): SafeHtml {
  const shown = [agent, project, ...facts].filter((fact) => fact !== "");
  const meta = shown.map((fact) => safe`<span>${sanitizeLine(fact)}</span>`);
  return safe`<li><a href="${href}" dir="auto">${title}</a><p class="meta">${
    timeHtml(updated_at, format)
  }${joinHtml(meta)}</p></li>\n`;
}

/** Returns only the time of day, because the heading above shows the day. */
function clockTime(iso: string): string {
  return utcMinute(iso).slice("2026-11-21 ".length);
}
