/** Renders the list of sessions: a table on a wide screen, two lines a session on a narrow one. */
import { present } from "../../../core/event/present.ts";
import { rowsOf } from "../../../library/query/candidate.ts";
import type { SessionEntry } from "../../../library/query/query.ts";
import type { RunningSession } from "../../../library/running/running_sessions.ts";
import { runningAmong } from "../../../library/running/running_among.ts";
import { AGENT_NAMES } from "../../../core/event/agent_name.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import { formatBytes } from "../../../text/render/byte_size.ts";
import { counted } from "../../../core/event/counted.ts";
import { sessionTitle } from "../../../text/render/html_document/page.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { directoryText } from "../../../text/render/path_text.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import { activeText } from "../../../text/render/session_table.ts";

import { filterQuery, type ListFilter } from "./filter.ts";
import { inOrder, type ListGroup, pageInGroups } from "./list_order.ts";
import { type ListRow, listRows, ROWS, withLastCounts } from "./list_rows.ts";
import { type Column, COLUMNS, type ListView, shownColumns, viewParameters } from "./list_view.ts";
import { commitLink } from "../session/commit_page.ts";
import {
  agentHtml,
  agoHtml,
  emptyHtml,
  modelName,
  resumeCommand,
  senderHtml,
  shortPath,
  tagHtml,
} from "../session_labels.ts";
import { costText } from "../cost_text.ts";
import { nowHtml } from "./now_html.ts";
import type { SiteContext } from "../site_context.ts";
import { sessionLink } from "../site_frame.ts";

const TITLE = 160;
/** Milliseconds to wait for counts of messages that the cache lacks. */
const FILL_MS = 500;

/** Renders a page of sessions. `entries` must have the newest update first. */
export async function listHtml(
  site: SiteContext,
  filter: ListFilter,
  view: ListView,
  entries: readonly SessionEntry[],
): Promise<SafeHtml> {
  if (entries.length === 0) return safe`<span id="rows"></span>${noneHtml(filter)}`;
  const groups = pageInGroups(await inOrder(entries, view, site), view, site, ROWS);
  const shown = groups.flatMap((group) => group.entries);
  const read = (): Promise<ReadonlyMap<string, ListRow>> =>
    listRows(shown, { kept: site.library.kept, changes: view.columns.includes("files") });
  let rows = await read();
  const timed = view.columns.includes("duration");
  const lacks = rows.values().some(({ message_count, active_ms }) =>
    message_count === undefined || timed && active_ms === undefined
  );
  if (lacks) {
    await site.library.fillCounts(shown, FILL_MS, timed);
    rows = await read();
  }
  rows = withLastCounts(site.library, rows);
  // A session that waits for its user may have left the page long ago.
  const yesterday = site.now().getTime() - DAY_MS;
  const others = view.page > 1
    ? []
    : await rowsOf(entries.filter(({ ref, updated }) => !rows.has(ref) && updated > yesterday));
  const running = await runningAmong(site.library, [...rows.values(), ...others], false);
  const waiting = new Map(
    [...running].filter(([, { attention }]) => attention.state === "waits"),
  );
  const first = (view.page - 1) * ROWS;
  const count = shown.length === 0
    ? `None of ${entries.length}`
    : `${first + 1} to ${first + shown.length} of ${entries.length}`;
  const commits = filter.project === undefined || filter.gone
    ? NOTHING
    : safe` · <a href="${commitLink(entries[0]?.ref ?? "")}">Commits</a>`;
  const pages = Math.ceil(entries.length / ROWS);
  const pager = (name: string): SafeHtml => pagerHtml(filter, view, pages, name);
  return safe`${
    view.page === 1 ? await nowHtml(site, [...running.values()], entries, rows) : NOTHING
  }<div class="above"><p class="note">${count}${commits}</p>${pager("Pages, above")}</div>
<table class="list">
${headHtml(filter, view)}
<tbody id="rows"></tbody>
${joinHtml(groups.map((group) => groupHtml(group, { rows, waiting, site, filter, view })), "\n")}
</table>
${pager("Pages, below")}${suggestionsHtml([...rows.values()])}`;
}

/** Renders branches, models and tags of the shown sessions as suggestions for the form above. */
function suggestionsHtml(rows: readonly ListRow[]): SafeHtml {
  const known = {
    branch: rows.map(({ git_branch = "" }) => git_branch),
    model: rows.flatMap(({ models = [] }) => models),
    tag: rows.flatMap(({ tags = [] }) => tags),
  };
  return joinHtml(
    Object.entries(known).map(([name, values]) =>
      safe`<datalist id="known-${name}">${
        joinHtml(
          [...new Set(values)].filter(Boolean).map((value) =>
            safe`<option value="${sanitizeLine(value)}"></option>`
          ),
        )
      }</datalist>`
    ),
  );
}

function noneHtml(filter: ListFilter): SafeHtml {
  return Object.keys(filter).length === 0
    ? emptyHtml(
      "No session yet",
      `Reprise looked for sessions of ${AGENT_NAMES.length} coding agents, and found none. New ` +
        "sessions will appear here.",
      safe`<p>What was looked at: <code>reprise doctor</code></p>`,
    )
    : emptyHtml(
      "No session fits",
      "No session of any agent on this machine matches the filters above.",
      safe`<a class="act" href="./">Clear the filters</a>`,
    );
}

function headHtml(filter: ListFilter, view: ListView): SafeHtml {
  const cells = shownColumns(view).map((name) => {
    const is_sorting = name === view.sort;
    const order = { ...view, sort: name, reversed: is_sorting && !view.reversed, page: 1 };
    const link = safe`<a href="./${filterQuery(filter, viewParameters(order))}">${
      COLUMNS[name]
    }</a>`;
    if (!is_sorting) return safe`<th scope="col" class="of-${name}">${link}</th>`;
    const is_rising =
      view.reversed !== ["agent", "title", "project", "branch", "model"].includes(name);
    return safe`<th scope="col" class="of-${name}" aria-sort="${
      is_rising ? "ascending" : "descending"
    }">${link}</th>`;
  });
  return safe`<thead><tr>${
    joinHtml(cells)
  }<th scope="col" class="of-act"><span class="unseen">Resume</span></th></tr></thead>`;
}

interface ListOptions {
  rows: ReadonlyMap<string, ListRow>;
  waiting: ReadonlyMap<string, RunningSession>;
  site: SiteContext;
  filter: ListFilter;
  view: ListView;
}

function groupHtml({ key, count, entries }: ListGroup, options: ListOptions): SafeHtml {
  const { rows, view } = options;
  const heading = view.group === "none"
    ? NOTHING
    : safe`<tr class="group"><th scope="rowgroup" colspan="${shownColumns(view).length + 1}">${
      headingHtml(key, options)
    } <span class="note">${count}</span></th></tr>\n`;
  const lines = entries.flatMap(({ ref }) => {
    const row = rows.get(ref);
    return row === undefined ? [] : [rowHtml(row, options)];
  });
  return safe`<tbody>\n${heading}${joinHtml(lines, "\n")}\n</tbody>`;
}

function headingHtml(key: string, { site, filter, view }: ListOptions): SafeHtml {
  if (view.group === "day") return safe`${key === "" ? "No date" : dayName(key, site)}`;
  if (key === "") return safe`No directory`;
  const narrowed = filterQuery({ ...filter, project: key }, viewParameters({ ...view, page: 1 }));
  return safe`<a href="./${narrowed}">${directoryText(key, site.home)}</a>`;
}

const DAY_MS = 86_400_000;
const WEEKDAY = new Intl.DateTimeFormat("en", { weekday: "long" });

/** Returns a day's name: `Today`, `Yesterday`, or the weekday with the date. */
function dayName(day: string, { day_of, now }: SiteContext): string {
  const today = now().getTime();
  if (day === day_of(today)) return "Today";
  if (day === day_of(today - DAY_MS)) return "Yesterday";
  return `${WEEKDAY.format(new Date(`${day}T12:00`))}, ${day}`;
}

const COPY_ICON =
  safe`<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.4"><rect x="5.5" y="5.5" width="8" height="8" rx="1.5"></rect><path d="M3.5 10.5h-1v-8h8v1"></path></svg>`;

function rowHtml(row: ListRow, { site, waiting, filter, view }: ListOptions): SafeHtml {
  const waits = waiting.has(row.ref);
  const cells = shownColumns(view).map((name) =>
    safe`<td class="of-${name}">${
      name === "title" ? titleHtml(row, waits) : CELLS[name](row, site)
    }</td>`
  );
  const command = resumeCommand(row.ref);
  const resume = filter.gone
    ? NOTHING
    : safe`<button type="button" data-copy="${command}" title="Copy: ${command}" aria-label="Copy the command that resumes it">${COPY_ICON}</button>`;
  return safe`<tr data-row>${joinHtml(cells)}<td class="of-act">${resume}</td></tr>`;
}

type Cell = (row: ListRow, site: SiteContext) => SafeHtml;

const CELLS: Readonly<Record<Exclude<Column, "title">, Cell>> = {
  agent: ({ agent }) => agentHtml(agent),
  project: ({ cwd }, { home }) => {
    if (cwd === undefined) return NOTHING;
    const text = directoryText(cwd, home);
    return safe`<span title="${text}">${shortPath(text)}</span>`;
  },
  branch: ({ git_branch = "" }) => safe`${sanitizeLine(git_branch)}`,
  model: ({ models = [] }) => {
    const last = modelName(models.at(-1) ?? "");
    if (last === "") return NOTHING;
    const others = models.length > 1 ? ` +${models.length - 1}` : "";
    return safe`<span title="${sanitizeLine(models.join(", "))}">${last}${others}</span>`;
  },
  messages: ({ message_count }) =>
    // The unit is hidden if the column names it.
    message_count === undefined
      ? NOTHING
      : safe`${message_count}<span class="unit"> message${message_count === 1 ? "" : "s"}</span>`,
  cost: (row) => safe`${costText(row)}`,
  files: ({ changes }) => {
    const { files = 0, more, added, removed } = changes ?? {};
    if (files === 0) return NOTHING;
    return safe`${counted(files, "file")}${more ? " or more" : ""} +${added} −${removed}`;
  },
  duration: (row) => (row.active_ms ?? 0) === 0 ? NOTHING : safe`${activeText(row)}`,
  size: ({ bytes }) => bytes === undefined ? NOTHING : safe`${formatBytes(bytes)}`,
  created: ({ created_at }, site) => agoHtml(created_at, site),
  updated: ({ updated_at }, site) => agoHtml(updated_at, site),
};

function titleHtml(row: Summary, waits: boolean): SafeHtml {
  const runs = waits
    ? safe`<b class="waits">waits for you</b>`
    : safe`<b class="running">running</b>`;
  const states = [
    row.status === "running" ? runs : NOTHING,
    row.status === "failed" ? safe`<b class="fail">failed</b>` : NOTHING,
    row.pinned ? safe`<b class="pinned">pinned</b>` : NOTHING,
    senderHtml(row),
    ...(row.tags ?? []).map(tagHtml),
  ].filter(({ markup }) => markup !== "");
  return safe`<div><a href="${sessionLink(row.ref)}" dir="auto">${sessionTitle(row, TITLE)}</a>${
    joinHtml(states.map((state) => safe` ${state}`))
  }</div>`;
}

function pagerHtml(filter: ListFilter, view: ListView, count: number, name: string): SafeHtml {
  if (count <= 1) return NOTHING;
  const link = (page: number, text: string, step: string): SafeHtml =>
    page < 1 || page > count
      ? NOTHING
      : safe`<a data-step="${step}" href="./${
        filterQuery(filter, present(viewParameters({ ...view, page })))
      }">${text}</a>`;
  const { page } = view;
  return safe`<nav class="pages" aria-label="${name}">${
    link(page - 1, "Previous", "earlier")
  }<span>Page ${page} of ${count}</span>${link(page + 1, "Next", "later")}</nav>`;
}
