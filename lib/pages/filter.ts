/** The filters of a list or search, as the address of a page carries them. */
import { type AgentName, isAgentName } from "../event/agent_name.ts";

/** The spans of time to choose from. */
export const SPANS: Readonly<Record<string, { days: number; name: string }>> = {
  "1d": { days: 1, name: "last day" },
  "7d": { days: 7, name: "last 7 days" },
  "30d": { days: 30, name: "last 30 days" },
  "90d": { days: 90, name: "last 90 days" },
  "365d": { days: 365, name: "last year" },
};

/** The filters of a page. Absent fields filter nothing. */
export interface Filter {
  /** Words to search for. */
  words?: string;
  agent?: AgentName;
  /** The directory of the sessions, or a parent of it. */
  project?: string;
  /** A key of {@linkcode SPANS}. */
  span?: string;
  /** A path, or a part of one, that a call changed or named. */
  file?: string;
  /** A tag of the user. */
  tag?: string;
  archived?: true;
}

/** Maximum length of a value. */
const LONGEST = 1000;

/** Reads the filter in an address; other parameters are ignored. */
export function readFilter(query: URLSearchParams): Filter {
  const text = (name: string): string => (query.get(name) ?? "").trim().slice(0, LONGEST);
  const filter: Filter = {};
  const names = ["q", "agent", "project", "since", "file", "tag"];
  const [words, agent, project, span, file, tag] = names.map(text);
  if (words) filter.words = words;
  if (agent && isAgentName(agent)) filter.agent = agent;
  if (project) filter.project = project;
  if (span && Object.hasOwn(SPANS, span)) filter.span = span;
  if (file) filter.file = file;
  if (tag) filter.tag = tag;
  if (query.get("archived") === "1") filter.archived = true;
  return filter;
}

export function filterQuery(
  { words, agent, project, span, file, tag, archived }: Filter,
  more: Readonly<Record<string, string>> = {},
): string {
  const values = { q: words, agent, project, since: span, file, tag, archived: archived && "1" };
  const given = Object.entries({ ...values, ...more }).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, value]]
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given)}`;
}

/** Returns the first moment that a filter takes. */
export function sinceOf({ span }: Filter, now: Date): Date | undefined {
  const { days } = SPANS[span ?? ""] ?? {};
  return days === undefined ? undefined : new Date(now.getTime() - days * 86_400_000);
}
