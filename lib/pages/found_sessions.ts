/** Finds the sessions that a filter takes. */
import { isInProject } from "../workspace/project.ts";
import type { SessionEntry } from "../library/query.ts";
import { searchEntries, type SearchResult } from "../search/search.ts";
import type { SearchRequest } from "../search/search_task.ts";
import { type Filter, sinceOf } from "./filter.ts";
import type { SiteContext } from "./site_context.ts";
import { touchingSessions } from "./touched_file.ts";

/** The sessions of a filter, and those of all projects. */
export interface FoundSessions {
  /** The newest update first. */
  entries: readonly SessionEntry[];
  /** Directories of all sessions, the one with the newest session first. */
  projects: readonly string[];
  /** Why some could not be read. */
  unread: readonly string[];
}

/** Hits in which a file is named; sessions that have none of them are not looked through. */
const MOST_NAMING = 10_000;

/** Finds sessions without reading them, but for a file that they touched. */
export async function findSessions(site: SiteContext, filter: Filter): Promise<FoundSessions> {
  const unread = new Set<string>();
  const since = sinceOf(filter, site.now());
  const { entries } = await site.library.query({
    archived: filter.archived ?? false,
    agents: filter.agent && [filter.agent],
    since,
    onError: ({ message }) => unread.add(message),
  });
  const projects = [...new Set(entries.flatMap(({ cwd }) => cwd ?? []))];
  const { project, file } = filter;
  const ours = project === undefined
    ? entries
    : entries.filter(({ cwd }) => cwd !== undefined && isInProject(cwd, [project]));
  if (file === undefined) return { entries: ours, projects, unread: [...unread] };
  const { hits, unread: failed } = await search(site, ours, {
    query: phrase(file),
    roles: ["tool"],
    limit: MOST_NAMING,
  });
  for (const { message } of failed) unread.add(message);
  const naming = new Set(hits.map(({ ref }) => ref));
  const named = ours.filter(({ ref }) => naming.has(ref));
  const { entries: left, left_out } = await touchingSessions(named, file);
  if (left_out > 0 || hits.length >= MOST_NAMING) {
    unread.add("More sessions may have touched the file: choose a project or a time to see them");
  }
  return { entries: left, projects, unread: [...unread] };
}

/**
 * Searches sessions, by the index where there is one.
 *
 * @throws {SyntaxError} That says what is wrong with the query.
 */
export async function search(
  { library, now }: SiteContext,
  entries: readonly SessionEntry[],
  request: Partial<SearchRequest> & Pick<SearchRequest, "query">,
): Promise<SearchResult> {
  const options = { cache: library.cache, kept: library.kept };
  return await searchEntries(entries, { ...request, now: now().getTime() }, options);
}

/** The words of a text next to each other, as a query. */
function phrase(text: string): string {
  return `"${text.replaceAll('"', " ")}"`;
}
