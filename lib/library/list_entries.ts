/** Selects and sorts the sessions of a list. */
import type { AgentName } from "../event/agent_name.ts";
import type { SessionError } from "../event/session_error.ts";
import type { Summary } from "../projection/summary_row.ts";
import type { ListOptions } from "../session/list_sessions.ts";
import { knownMoment, newerFirst } from "../session/update_order.ts";
import type { AgentSession } from "../source/agent.ts";
import { sessionRef } from "../source/session_name.ts";
import { isInProject } from "../workspace/project.ts";
import { realDirectory } from "../workspace/real_directory.ts";
import {
  type Candidate,
  candidatesOf,
  listedOf,
  type ListedSession,
  type ListingSource,
} from "./listing.ts";
import { shownSessions } from "./shown_sessions.ts";

/** The sessions to list. */
export interface LibraryListOptions
  extends Pick<ListOptions, "archived" | "exact" | "since" | "title" | "limit"> {
  /** Only those of these agents. @default {all} */
  agents?: readonly AgentName[];
  /** Only those of these real directories, and of what is below them. @default {all} */
  directories?: readonly string[];
  /** Only those that run now, of no more than the limit. @default {false} */
  running?: boolean;
  /** Called after each session that `exact` reads, with the bytes read and all that are to be read. */
  onProgress?: (done: number, all: number) => void;
  /** Gets what could not be read. @default {nothing} */
  onError?: (error: SessionError) => void;
}

/** A session, and what a list shows of it. */
export interface LibraryEntry {
  /** The session, to be opened. */
  session: AgentSession;
  /** The session's row in a list. */
  row: Summary;
}

/** The sessions that were listed. */
export interface ListedEntries {
  /** The newest update first. */
  entries: LibraryEntry[];
  /** True where the directories have none and those of all others are listed. */
  widened: boolean;
}

/** Which sessions to list, and whether to list all where the directories have none. */
export type EntryOptions = Omit<LibraryListOptions, "agents" | "onError"> & { widen?: boolean };

/**
 * Lists sessions; undefined where a row of the catalogue is damaged: then it is not to be used.
 *
 * @throws {SessionError} Nothing of one session or agent: that goes to the source's `onError`.
 */
export async function listEntries(
  source: ListingSource,
  agents: readonly AgentName[],
  options: EntryOptions,
): Promise<ListedEntries | undefined> {
  const { limit, exact = false, running = false, onProgress } = options;
  const found = await candidatesOf({ ...source, located: running }, agents);
  const candidates = running ? await mayRun(source, found) : found;
  const { wanted, widened } = wantedCandidates(candidates, options);
  const copies = wanted.some(({ imported }) => imported);
  const listed: ListedSession[] = [];
  for (const candidate of wanted) {
    const one = listedOf(candidate);
    if (one === undefined) return undefined;
    listed.push(one);
  }
  const shown = (copies ? await withoutCopies(listed) : listed).slice(0, limit ?? listed.length);
  const entries = (await shownSessions(source, shown, exact, onProgress))
    .filter(({ row }) => !running || row.status === "running")
    .map(({ session, row }) => ({ session, row }));
  return { entries, widened };
}

/** The candidates that may run now: of all others no row is made. */
async function mayRun({ live }: ListingSource, found: readonly Candidate[]): Promise<Candidate[]> {
  const running: Candidate[] = [];
  for (const one of found) {
    const { session } = one.listed ?? one.located ?? {};
    if (session !== undefined && await live.mayRun(session, one.updated)) running.push(one);
  }
  return running;
}

/** Those that the options ask for, the newest update first; all, where they may and there is none. */
export function wantedCandidates(
  candidates: readonly Candidate[],
  options: EntryOptions,
): { wanted: Candidate[]; widened: boolean } {
  const { directories, widen = false } = options;
  const all = candidates.filter((one) => isWanted(one, options));
  const ours = directories === undefined ? all : all.filter(isOfDirectories(directories));
  const widened = widen && directories !== undefined && ours.length === 0;
  return { wanted: sorted(widened ? all : ours, options.limit), widened };
}

function isWanted(
  candidate: Candidate,
  { archived = false, since, title }: EntryOptions,
): boolean {
  if (archived !== "any" && candidate.archived !== archived) return false;
  if (since !== undefined && candidate.updated < since.getTime()) return false;
  if (title === undefined) return true;
  // One that cannot be told apart is told when it is shown.
  const { row } = listedOf(candidate) ?? {};
  return row === undefined || row.title.toLowerCase().includes(title.toLowerCase());
}

/** Whether a session belongs to one of the directories, or to what is below one. */
function isOfDirectories(directories: readonly string[]): (candidate: Candidate) => boolean {
  const known = new Map<string, boolean>();
  return ({ cwd }) => {
    let is = known.get(cwd);
    if (is === undefined) known.set(cwd, is = cwd !== "" && isOf(cwd, directories));
    return is;
  };
}

/** True when a directory is one of some, or below one. */
function isOf(cwd: string, directories: readonly string[]): boolean {
  // The agent wrote the path as it saw it: links may lead there.
  return isInProject(cwd, directories) || isInProject(realDirectory(cwd), directories);
}

/** No more than the limit, unless some were imported: copies that are left out must not count. */
function sorted(candidates: readonly Candidate[], limit: number | undefined): Candidate[] {
  const copies = candidates.some(({ imported }) => imported);
  return newestFirst(candidates, copies ? undefined : limit);
}

/** Leaves out each session that another one holds whole. */
export async function withoutCopies(listed: readonly ListedSession[]): Promise<ListedSession[]> {
  const { withoutHeldCopies } = await import("./listed_copies.ts");
  const byRow = new Map(listed.map((one) => [rowKey(one.row), one]));
  return withoutHeldCopies(listed.map(({ row }) => row)).flatMap((row) => {
    const one = byRow.get(rowKey(row));
    return one === undefined ? [] : [{ ...one, row }];
  });
}

/** An id may be there twice, where somebody copied a session's folder. */
function rowKey({ ref, path }: ListedSession["row"]): string {
  return `${ref}\n${path}`;
}

/**
 * Sorts candidates, the newest update first. Of one time, in the order of their references; one
 * without a time is last.
 *
 * @param limit How many are wanted, at most. @default {all}
 */
export function newestFirst(candidates: readonly Candidate[], limit = Infinity): Candidate[] {
  const moments = Float64Array.from(candidates, ({ updated }) => knownMoment(updated));
  const refs = new Map<number, string>();
  const refOf = (index: number): string => {
    let ref = refs.get(index);
    if (ref === undefined) refs.set(index, ref = refOfCandidate(candidates[index] as Candidate));
    return ref;
  };
  const order = newest(moments, limit).sort((one, other) =>
    newerFirst(moments[one] as number, moments[other] as number) ||
    (refOf(one) < refOf(other) ? -1 : 1)
  );
  const count = Math.min(limit, order.length);
  return Array.from(
    { length: count },
    (_, place) => candidates[order[place] as number] as Candidate,
  );
}

/** The indexes of those that may be among the first so many: few of 100,000 need to be compared. */
function newest(moments: Float64Array, limit: number): Uint32Array {
  const all = Uint32Array.from(moments.keys());
  if (limit >= moments.length) return all;
  const least = moments.slice().sort()[moments.length - limit] ?? Infinity;
  return all.filter((index) => (moments[index] as number) >= least);
}

function refOfCandidate(candidate: Candidate): string {
  const { located } = candidate;
  return located === undefined ? listedOf(candidate)?.row.ref ?? "" : sessionRef(located.session);
}
