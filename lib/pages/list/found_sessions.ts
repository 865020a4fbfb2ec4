/** Finds the sessions that a filter takes, or that touched a file. */
import type { KnownEvent, LogEvent } from "../../event/envelope.ts";
import { isObject } from "../../event/guard.ts";
import type { EventKind } from "../../event/payload.ts";
import { SessionError } from "../../event/session_error.ts";
import type { SessionEntry } from "../../library/query.ts";
import { leftOutUndated } from "../../render/undated.ts";
import { searchEntries, type SearchResult } from "../../search/search.ts";
import type { SearchRequest } from "../../search/search_task.ts";
import { wordsIn } from "../../session/session_words.ts";
import { sessionDirectory } from "../../workspace/session_directory.ts";
import { type Filter, sinceOf, untilOf } from "./filter.ts";
import type { SiteContext } from "../site_context.ts";

/** The sessions of a filter, and the projects of all sessions. */
interface FoundSessions {
  /** The newest update first. */
  entries: readonly SessionEntry[];
  /** Directories of all sessions, the one with the newest session first. */
  projects: readonly string[];
  unread: readonly string[];
}

/** Hits in which a file is named; sessions that have none of them are not looked through. */
const MOST_NAMING = 10_000;

/**
 * Finds sessions without reading them, but for a file that they touched.
 *
 * @param exact True to read them whole, for their counts.
 */
export async function findSessions(
  site: SiteContext,
  filter: Filter,
  exact = false,
): Promise<FoundSessions> {
  const unread = new Set<string>();
  const { agent, gone, archived = false, project, file } = filter;
  const dates = { since: sinceOf(filter, site.now()), until: untilOf(filter) };
  const { entries } = await site.library.query({
    ...{ ...wordsIn(filter), archived, gone, exact, ...dates, undated: true },
    agents: agent && [agent],
    onError: ({ message }) => unread.add(message),
  });
  const projects = projectsOf(entries);
  const found = ofProject(entries, project);
  const ours = (dates.since ?? dates.until) === undefined
    ? found
    : found.filter(({ updated }) => !Number.isNaN(updated));
  if (ours.length < found.length) unread.add(leftOutUndated(found.length - ours.length));
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
    unread.add(
      "Not all sessions were searched. To find more that changed the file, choose a project or a " +
        "time.",
    );
  }
  return { entries: left, projects, unread: [...unread] };
}

/** Returns the directories of sessions, in the order of the first session of each. */
export function projectsOf(entries: readonly SessionEntry[]): string[] {
  return [...new Set(entries.flatMap(({ cwd }) => cwd ?? []))];
}

/** Returns the sessions of a project; all if there is none. */
export function ofProject(
  entries: readonly SessionEntry[],
  project: string | undefined,
): readonly SessionEntry[] {
  return project === undefined
    ? entries
    : entries.filter(({ cwd }) => cwd === project || sessionDirectory(cwd)?.isIn([project]));
}

/**
 * Searches sessions, with the index if there is one. @throws {SyntaxError} If the query is
 * malformed.
 */
export async function search(
  { library, now }: SiteContext,
  entries: readonly SessionEntry[],
  request: Partial<SearchRequest> & Pick<SearchRequest, "query">,
): Promise<SearchResult> {
  const { cache, kept, marks } = library;
  const options = { cache, kept, marks };
  return await searchEntries(entries, { ...request, now: now().getTime() }, options);
}

/** Quotes a text as a phrase of a query. */
function phrase(text: string): string {
  return `"${text.replaceAll('"', " ")}"`;
}

/** Kinds of events that a file is named in. */
const KINDS: ReadonlySet<EventKind> = new Set([
  "assistant_message",
  "assistant_interrupted",
  "tool_end",
  "bash_start",
  "diff",
]);

/** Arguments that hold paths, commands or patches. Others hold the contents of files. */
const ARGUMENTS = /path|file|dir|notebook|cmd|command|patch|^input$/i;
/** Lines of a patch that name a file. */
const PATCH_HEADER = /^(?:\*\*\* (?:Add|Delete|Update|Move)[^:]*:|diff --git|---|\+\+\+) ?(.*)$/gm;
const PATCH = /^\*\*\* Begin Patch|^diff --git |^--- /m;

/** The sessions that touched a file, and how many were not looked through. */
interface TouchingSessions {
  entries: readonly SessionEntry[];
  left_out: number;
}

/** Maximum number of bytes that one page reads; the last session is read to its end. */
const MOST_BYTES = 200_000_000;

/** Reads sessions until each shows that it touched a file whose path holds the text. */
async function touchingSessions(
  candidates: readonly SessionEntry[],
  text: string,
): Promise<TouchingSessions> {
  const wanted = text.toLowerCase();
  const entries: SessionEntry[] = [];
  let bytes = 0;
  for (const [at, entry] of candidates.entries()) {
    if (bytes > MOST_BYTES) return { entries, left_out: candidates.length - at };
    bytes += Math.max(0, entry.state?.size ?? 0);
    if (await isTouching(entry, wanted)) entries.push(entry);
  }
  return { entries, left_out: 0 };
}

async function isTouching(entry: SessionEntry, wanted: string): Promise<boolean> {
  try {
    const handle = await entry.open();
    for await (const { events } of handle.allEvents({ needs: KINDS })) {
      if (events.some((event) => touches(event, wanted))) return true;
    }
  } catch (error) {
    // The search that found it has told what cannot be read.
    if (!(error instanceof SessionError)) throw error;
  }
  return false;
}

/** True where an event names a file whose path holds a text. @param wanted In lower case. */
export function touches(event: LogEvent, wanted: string): boolean {
  if (event.form !== "known") return false;
  return namedIn(event).some((text) => text.toLowerCase().includes(wanted));
}

function namedIn(event: KnownEvent): string[] {
  switch (event.kind) {
    case "diff":
      return event.payload.path === undefined ? [] : [event.payload.path];
    case "tool_end":
      return inputPaths(event.payload.input);
    case "bash_start":
      return [event.payload.command ?? ""];
    case "assistant_message":
    case "assistant_interrupted": {
      const { content } = event.payload;
      if (typeof content === "string") return [];
      return content.flatMap((part) => part.type === "tool_call" ? inputPaths(part.input) : []);
    }
    default:
      return [];
  }
}

function inputPaths(input: unknown): string[] {
  if (typeof input === "string") return patchPaths(input);
  if (!isObject(input)) return [];
  return Object.entries(input).flatMap(([name, value]) => {
    if (!ARGUMENTS.test(name)) return [];
    const text = Array.isArray(value) ? value.filter(isText).join(" ") : value;
    if (!isText(text)) return [];
    return PATCH.test(text) ? patchPaths(text) : [text];
  });
}

/** Returns the paths in the headers of a patch. */
function patchPaths(patch: string): string[] {
  return [...patch.matchAll(PATCH_HEADER)].map(([, path = ""]) => path);
}

function isText(value: unknown): value is string {
  return typeof value === "string";
}
