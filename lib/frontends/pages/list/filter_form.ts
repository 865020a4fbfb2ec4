/** Renders the form of a list: the field for search words, and all other choices, folded. */
import { AGENT_NAMES } from "../../../core/event/agent_name.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "../../../text/render/html_document/html.ts";
import { directoryText } from "../../../text/render/path_text.ts";
import { sanitizeLine } from "../../../text/render/sanitize.ts";
import type { ScopeCounts } from "./found_sessions.ts";
import { SEARCH_ROLES } from "../../../library/search/searchable_text.ts";
import { SESSION_STATES } from "../../../core/store/session_words.ts";
import { filterQuery, type ListFilter, SPANS } from "./filter.ts";
import { COLUMNS, GROUPS, type ListView, viewParameters } from "./list_view.ts";

interface FormChoices {
  view: ListView;
  /** Directories of sessions; the directory of the newest session comes first. */
  projects: readonly string[];
  home: string | undefined;
  counts: ScopeCounts;
}

/** Maximum number of projects in the form. Any other project can be given in the address. */
const MOST_PROJECTS = 200;

/** Renders the form with the current filter. The form works without a script. */
export function filterForm(filter: ListFilter, choices: FormChoices): SafeHtml {
  const { words = "" } = filter;
  const linkTo = (chosen: ListFilter): string =>
    `./${filterQuery(chosen, viewParameters({ ...choices.view, page: 1 }))}`;
  const label = "Search all messages, commands and results";
  return safe`<form class="filter" action="./" method="get" role="search">
<div class="words"><input type="search" id="q" name="q" value="${words}" autocomplete="off" aria-label="${label}" placeholder="Search all sessions" data-search><button type="submit">Search</button></div>
<details><summary>More filters and columns</summary>
<div class="fields">
${joinHtml(fieldsHtml(filter, choices), "\n")}
${columnsHtml(choices.view, words !== "")}
<div><button type="submit">Show</button></div>
</div>
</details>
</form>
<nav class="chips" aria-label="Filters">${menusHtml(filter, choices, linkTo)}${
    chipsHtml(filter, choices.home, linkTo)
  }</nav>`;
}

function fieldsHtml(filter: ListFilter, { view, projects, home, counts }: FormChoices): SafeHtml[] {
  const { span = "", until = "", role = "", words } = filter;
  const spans = Object.entries(SPANS).map(([key, { name }]) => [key, name] as const);
  const day = span === "" || Object.hasOwn(SPANS, span) ? [] : [[span, `since ${span}`] as const];
  return [
    ...scopeFields(filter, { projects, home, counts }),
    choiceHtml("since", "Time", span, [["", "any"], ...day, ...spans]),
    fieldHtml("until", "Until", until, "date"),
    fieldHtml("file", "File that a session changed", filter.file),
    fieldHtml("title", "Title", filter.title),
    fieldHtml("model", "Model", filter.model, "text", true),
    choiceHtml("status", "Status", filter.status ?? "", [
      ["", "any"],
      ...SESSION_STATES.map(asChoice),
    ]),
    fieldHtml("branch", "Git branch", filter.branch, "text", true),
    fieldHtml("tag", "Tag", filter.tag, "text", true),
    ...(words === undefined
      ? [choiceHtml("group", "Group by", view.group, Object.entries(GROUPS))]
      : [choiceHtml("role", "Said by", role, [["", "anyone"], ...SEARCH_ROLES.map(asChoice)])]),
    safe`<fieldset><legend>Only</legend>${
      joinHtml([
        checkHtml("pinned", "1", "pinned", filter.pinned === true),
        checkHtml("failed", "1", "ended with an error", filter.failed === true),
        checkHtml("archived", "1", "archived", filter.archived === true),
        checkHtml("gone", "1", "deleted by their agent", filter.gone === true),
      ])
    }</fieldset>`,
  ];
}

function scopeFields(
  { agent, project = "" }: ListFilter,
  { projects, home, counts }: Pick<FormChoices, "projects" | "home" | "counts">,
): SafeHtml[] {
  // The sessions of one agent do not show which other agents there are.
  const agents = agent === undefined ? [...counts.agent.keys()].sort() : AGENT_NAMES;
  const listed = projects.slice(0, MOST_PROJECTS);
  const named = project === "" || listed.includes(project) ? listed : [project, ...listed];
  return [
    choiceHtml("agent", "Agent", agent ?? "", [["", "all"], ...agents.map(asChoice)]),
    choiceHtml("project", "Project", project, [
      ["", "all"],
      ...named.map((path) => [path, directoryText(path, home)] as const),
    ]),
  ];
}

function asChoice(name: string): readonly [string, string] {
  return [name, name];
}

function columnsHtml(view: ListView, is_search: boolean): SafeHtml {
  if (is_search) return NOTHING;
  const { sort } = viewParameters(view);
  const names = Object.entries(COLUMNS).filter(([name]) => name !== "title");
  return safe`<fieldset><legend>Columns</legend><input type="hidden" name="columns" value="title">${
    sort === undefined ? NOTHING : safe`<input type="hidden" name="sort" value="${sort}">`
  }${
    joinHtml(
      names.map(([name, title]) =>
        checkHtml("columns", name, title, (view.columns as readonly string[]).includes(name))
      ),
    )
  }</fieldset>`;
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

function fieldHtml(
  name: string,
  label: string,
  value = "",
  type = "text",
  suggests = false,
): SafeHtml {
  const list = suggests ? safe` list="known-${name}"` : NOTHING;
  return safe`<div><label for="${name}">${label}</label><input type="${type}" id="${name}" name="${name}" value="${value}" autocomplete="off"${list}></div>`;
}

function checkHtml(name: string, value: string, label: string, is_checked: boolean): SafeHtml {
  return safe`<label class="check"><input type="checkbox" name="${name}" value="${value}"${
    is_checked ? safe` checked` : NOTHING
  }>${label}</label>`;
}

const MOST_VALUES = 12;

export function menusHtml(
  filter: ListFilter,
  { counts, home }: Pick<FormChoices, "counts" | "home">,
  linkTo: (filter: ListFilter) => string,
): SafeHtml {
  const menu = (name: string, links: readonly SafeHtml[]): SafeHtml =>
    links.length === 0
      ? NOTHING
      : safe`<details class="menu" name="menu"><summary>${name}</summary><ul>${
        joinHtml(links.map((link) => safe`<li>${link}</li>`))
      }</ul></details>`;
  const valuesOf = (
    field: "agent" | "project",
    textOf: (value: string) => string,
  ): SafeHtml[] =>
    filter[field] !== undefined ? [] : [...counts[field]]
      .sort(([, one], [, other]) => other - one).slice(0, MOST_VALUES)
      .map(([value, count]) =>
        safe`<a href="${linkTo({ ...filter, [field]: value })}">${
          textOf(value)
        } <span class="note">${count}</span></a>`
      );
  const times = filter.span !== undefined
    ? []
    : Object.entries(SPANS).map(([span, { name }]) =>
      safe`<a href="${linkTo({ ...filter, span })}">${name}</a>`
    );
  return joinHtml([
    menu("Agent", valuesOf("agent", sanitizeLine)),
    menu("Project", valuesOf("project", (path) => directoryText(path, home))),
    menu("Time", times),
  ]);
}

/** Labels of the filters that chips show: all filters except the search words. */
const CHIPS = {
  ...{ agent: "agent", project: "project", span: "time", until: "until", file: "file" },
  ...{ title: "title", model: "model", branch: "branch", status: "status", tag: "tag" },
  ...{ role: "said by", tool: "tool", failed: "ended with an error" },
  ...{ path: "in file", pinned: "pinned", archived: "archived", gone: "deleted" },
} as const satisfies Partial<Record<keyof ListFilter, string>>;

export function chipsHtml(
  filter: ListFilter,
  home: string | undefined,
  linkTo: (filter: ListFilter) => string,
): SafeHtml {
  const names = Object.keys(CHIPS) as (keyof typeof CHIPS)[];
  const chips = names.flatMap((name) => {
    const value = filter[name];
    if (value === undefined) return [];
    const { [name]: _, ...others } = filter;
    const text = value === true
      ? CHIPS[name]
      : `${CHIPS[name]}: ${
        name === "project" ? directoryText(value, home) : SPANS[value]?.name ?? value
      }`;
    return [
      safe`<a href="${
        linkTo(others)
      }" aria-label="Without ${text}">${text} <span aria-hidden="true">×</span></a>`,
    ];
  });
  return joinHtml(chips);
}
