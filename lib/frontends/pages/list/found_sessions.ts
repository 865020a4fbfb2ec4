/** Finds the sessions that match a filter. */
import type { SessionEntry } from "../../../library/query/query.ts";
import { leftOutUndated } from "../../../text/render/undated.ts";
import { wordsIn } from "../../../core/store/session_words.ts";
import { sessionDirectory } from "../../../core/workspace/session_directory.ts";
import { type ListFilter, sinceOf, untilOf } from "./filter.ts";
import type { SiteContext } from "../site_context.ts";

/** Number of sessions by agent and by directory, in the order of the sessions. */
export interface ScopeCounts {
  agent: ReadonlyMap<string, number>;
  project: ReadonlyMap<string, number>;
}

interface FoundSessions {
  /** The matching sessions, newest update first. */
  entries: readonly SessionEntry[];
  /** Directories of all sessions; the directory of the newest session comes first. */
  projects: readonly string[];
  /** The counts before the project filter is applied. */
  counts: ScopeCounts;
  unread: readonly string[];
}

/**
 * Finds the sessions that match a filter. Reads no session as a whole, unless the filter names a
 * changed file.
 *
 * @param exact True to read the sessions as a whole, for their counts.
 */
export async function findSessions(
  site: SiteContext,
  filter: ListFilter,
  exact = false,
): Promise<FoundSessions> {
  const unread = new Set<string>();
  const { agent, gone, archived = false, project, file } = filter;
  const onError = ({ message }: Error): unknown => unread.add(message);
  const dates = { since: sinceOf(filter, site.now()), until: untilOf(filter) };
  const { entries } = await site.library.query({
    ...{ ...wordsIn(filter), archived, gone, exact, ...dates, undated: true, members: true },
    agents: agent && [agent],
    onError,
  });
  const projects = projectsOf(entries);
  const counts = scopeCounts(entries);
  const found = ofProject(entries, project);
  const ours = (dates.since ?? dates.until) === undefined
    ? found
    : found.filter(({ updated }) => !Number.isNaN(updated));
  if (ours.length < found.length) unread.add(leftOutUndated(found.length - ours.length));
  if (file === undefined) return { entries: ours, projects, counts, unread: [...unread] };
  const { findTouches } = await import("../../../features/blame/mod.ts");
  const touches = await findTouches(ours, file, { kept: site.library.kept, onError });
  return { entries: [...touches.keys()], projects, counts, unread: [...unread] };
}

export function scopeCounts(entries: readonly SessionEntry[]): ScopeCounts {
  const sums = (names: readonly string[]): ReadonlyMap<string, number> =>
    new Map([...Map.groupBy(names, (name) => name)].map(([name, some]) => [name, some.length]));
  return {
    agent: sums(entries.map(({ session }) => session.agent)),
    project: sums(entries.flatMap(({ cwd }) => cwd ?? [])),
  };
}

export function projectsOf(entries: readonly SessionEntry[]): string[] {
  return [...new Set(entries.flatMap(({ cwd }) => cwd ?? []))];
}

export function ofProject(
  entries: readonly SessionEntry[],
  project: string | undefined,
): readonly SessionEntry[] {
  return project === undefined
    ? entries
    : entries.filter(({ cwd }) => cwd === project || sessionDirectory(cwd)?.isIn([project]));
}
