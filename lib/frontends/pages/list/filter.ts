/** The filters of a list or search, as the address of a page carries them. */
import { type AgentName, isAgentName } from "../../../core/event/agent_name.ts";
import { present } from "../../../core/event/present.ts";
import type { SessionStatus } from "../../../core/projection/summary_row.ts";
import { SEARCH_ROLES, type SearchRole } from "../../../library/search/searchable_text.ts";
import { SESSION_STATES } from "../../../core/store/session_words.ts";

/** The periods that can be chosen, in calendar days. Today is the last of them. */
export const SPANS: Readonly<Record<string, { days: number; name: string }>> = {
  "1d": { days: 1, name: "today" },
  "7d": { days: 7, name: "last 7 days" },
  "30d": { days: 30, name: "last 30 days" },
  "90d": { days: 90, name: "last 90 days" },
  "365d": { days: 365, name: "last year" },
};

/** The filters of a page. An absent field does not filter. */
export interface ListFilter {
  words?: string;
  agent?: AgentName;
  /** The directory of the wanted sessions, or a parent of it. */
  project?: string;
  /** The period: a key of {@linkcode SPANS}, or its first day, such as `2026-11-21`. */
  span?: string;
  /** The last day of the period, such as `2026-11-21`. */
  until?: string;
  /** The path, or the end of the path, of a file that the sessions changed. */
  file?: string;
  // The words of lib/core/store/session_words.ts.
  title?: string;
  branch?: string;
  model?: string;
  status?: SessionStatus;
  failed?: true;
  tag?: string;
  pinned?: true;
  archived?: true;
  /** True to list deleted sessions whose prompts an agent's history still has. */
  gone?: true;
  role?: SearchRole;
  tool?: string;
  /** The file that the searched calls name. */
  path?: string;
}

/** The most characters of a parameter's value. */
const LONGEST = 1000;

const FIELDS = {
  ...{ q: "words", agent: "agent", project: "project", since: "span", until: "until" },
  ...{ file: "file", tag: "tag", branch: "branch", model: "model", pinned: "pinned" },
  ...{ title: "title", status: "status", failed: "failed" },
  ...{ archived: "archived", gone: "gone", role: "role", tool: "tool", path: "path" },
} as const satisfies Readonly<Record<string, keyof ListFilter>>;

/** The parameters that are either set or absent, without other values. */
const CHECKS: readonly string[] = ["pinned", "archived", "gone", "failed"];

/** The parameters with restricted values, each with a test and a text about what is accepted. */
const FORMS: Readonly<Record<string, readonly [(text: string) => boolean, string]>> = {
  agent: [isAgentName, "the name of an agent"],
  since: [
    (text) => Object.hasOwn(SPANS, text) || isDay(text),
    `${Object.keys(SPANS).join(", ")}, or a day such as 2026-11-21`,
  ],
  until: [isDay, "a day such as 2026-11-21"],
  status: [
    (text) => (SESSION_STATES as readonly string[]).includes(text),
    SESSION_STATES.join(", "),
  ],
  role: [
    (text) => (SEARCH_ROLES as readonly string[]).includes(text),
    SEARCH_ROLES.join(", "),
  ],
  ...Object.fromEntries(CHECKS.map((name) => [name, [(text: string) => text === "1", "1"]])),
};

export function isDay(text: string): boolean {
  // A day that no month has would become one of the next.
  return /^\d{4}-\d\d-\d\d$/.test(text) &&
    (new Date(`${text}T00:00Z`).toJSON()?.startsWith(text) ?? false);
}

/** Reads the filter in an address. Ignores other parameters and invalid values. */
export function readFilter(query: URLSearchParams): ListFilter {
  const values = Object.entries(FIELDS).flatMap(([name, field]) => {
    const text = textOf(query, name);
    if (text === "" || !isOfForm(name, text)) return [];
    return [[field, CHECKS.includes(name) ? true : text]];
  });
  return Object.fromEntries(values) as ListFilter;
}

export function oddFilters(query: URLSearchParams): string[] {
  return Object.entries(FORMS).flatMap(([name, [, form]]) => {
    const text = textOf(query, name);
    return text === "" || isOfForm(name, text) ? [] : [`Ignored ${name}=${text}: expected ${form}`];
  });
}

function textOf(query: URLSearchParams, name: string): string {
  return (query.get(name) ?? "").trim().slice(0, LONGEST);
}

function isOfForm(name: string, text: string): boolean {
  return FORMS[name]?.[0](text) ?? true;
}

/** Returns the query of an address, with its `?`. Empty if no parameter is set. */
export function filterQuery(
  filter: ListFilter,
  more: Readonly<Record<string, string | undefined>> = {},
): string {
  const values = Object.entries(FIELDS).map(([name, field]) => {
    const value = filter[field];
    return [name, value === true ? "1" : value] as const;
  });
  const given = Object.entries(present({ ...Object.fromEntries(values), ...more }))
    .filter((pair): pair is [string, string] => pair[1] !== undefined && pair[1] !== "");
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

export function sinceOf({ span = "" }: ListFilter, now: Date): Date | undefined {
  const { days } = SPANS[span] ?? {};
  if (days !== undefined) {
    return new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1);
  }
  return isDay(span) ? new Date(`${span}T00:00`) : undefined;
}

export function untilOf({ until }: ListFilter): Date | undefined {
  return until === undefined ? undefined : new Date(`${until}T23:59:59.999`);
}
