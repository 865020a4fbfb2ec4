/**
 * Completes the rows that are shown. It looks up whether a session is being written, and counts
 * that need a whole read.
 */
import type { AgentName } from "../event/agent_name.ts";
import { SessionError } from "../event/session_error.ts";
import type { Summary } from "../projection/summary_row.ts";
import { withMarks } from "../session/marks.ts";
import type { AgentSession } from "../source/agent.ts";
import type { ExactRead } from "./exact/read_exact.ts";
import { isFresh, type SummaryCounts } from "./catalogue/read_part.ts";
import { lookAtSession } from "./catalogue/session_state.ts";
import { type ListedSession, type ListingSource, summarized } from "./listing.ts";
import { withReadCounts } from "./keep_counts.ts";
import { loadLocator, type Locator } from "./locators.ts";

/** Threads take as long to start as so many bytes to read. */
const WORTH_THREADS_BYTES = 32 * 1024 * 1024;

/**
 * Brings sessions up to date, in their order.
 *
 * @param exact Read those whose counts are not known. @param onProgress Gets the bytes read of all that
 * are to be read.
 */
export async function shownSessions(
  source: ListingSource,
  listed: readonly ListedSession[],
  exact: boolean,
  onProgress: (done: number, all: number) => void = () => {},
): Promise<ListedSession[]> {
  const shown: ListedSession[] = [];
  const rows = listed.map(withCounts);
  const toRead = exact ? rows.filter(lacksCounts) : [];
  const reads = await readWhole(toRead, onProgress);
  const locators = new Map<AgentName, Locator>();
  for (const one of rows) {
    const { agent } = one.session;
    const locator = locators.get(agent) ?? await loadLocator(agent);
    locators.set(agent, locator);
    const read = reads.get(one.session);
    const row = read === undefined ? one : withExact(source, one, read);
    shown.push(await withStatus(source, row, locator));
  }
  return shown;
}

/** Reads sessions on all cores, where that takes longer than to start threads. */
async function readWhole(
  listed: readonly ListedSession[],
  onProgress: (done: number, all: number) => void,
): Promise<Map<AgentSession, ExactRead>> {
  if (listed.length === 0) return new Map();
  const bytes = new Map(listed.map(({ session, row }) => [session, row.bytes ?? 0]));
  const all = [...bytes.values()].reduce((sum, one) => sum + one, 0);
  const largest = [...bytes].sort((one, other) => other[1] - one[1]);
  let done = 0;
  const { readAllExact } = await import("./exact/read_all_exact.ts");
  return await readAllExact(largest.map(([session]) => session), {
    ...(all < WORTH_THREADS_BYTES ? { workers: 0 } : {}),
    onRead: (session) => onProgress(done += bytes.get(session) ?? 0, all),
  });
}

function lacksCounts({ row }: ListedSession): boolean {
  return row.message_count === undefined || row.threads === undefined;
}

/** Adds the counts of whoever read the whole, while the session is as it was then. */
export function withCounts(listed: ListedSession): ListedSession {
  const { session, row, read } = listed;
  if (read?.counts === undefined) return listed;
  // What the row tells by itself stays where it stands: programs see one order.
  return isFresh(session, read) ? { ...listed, row: { ...row, ...read.counts, ...row } } : listed;
}

/** A row tells how a session stood when it was read; whether it runs, locks and processes tell now. */
async function withStatus(
  source: ListingSource,
  listed: ListedSession,
  { isActive, files }: Locator,
): Promise<ListedSession> {
  const { session, row } = listed;
  const now = await source.live.withStatus(session, row);
  if (now.status !== "interrupted" || isActive === undefined) return { ...listed, row: now };
  // A writer that closed it since it was looked at would seem to have gone away.
  const state = lookAtSession(session, files(session));
  const entry = source.catalogue.find(session, state);
  if (entry !== undefined) return listed;
  const summary = await summarized(session, source.catalogue, state, source.onError);
  // An unchanged status keeps the counts of a whole read.
  if (summary === undefined || summary.status === listed.row.status) return listed;
  return { ...listed, row: withMarks(summary, source.marks) };
}

const COUNTS = [
  "message_count",
  "turn_count",
  "last_seq",
  "usage",
  "cost_usd",
  "models",
  "threads",
] as const satisfies readonly (keyof SummaryCounts)[];

/** Reads the whole of a session for its counts, and keeps them. */
export async function counted(
  source: ListingSource,
  listed: ListedSession,
): Promise<ListedSession> {
  const { readExact } = await import("./exact/read_exact.ts");
  return withExact(source, listed, await readExact(listed.session));
}

/** Returns a session with its counts, and keeps them. */
function withExact(
  { catalogue, marks, onError }: ListingSource,
  listed: ListedSession,
  { files, seen, summary, error }: ExactRead,
): ListedSession {
  const { session } = listed;
  if (error !== undefined) onError(new SessionError(error.code, error.message, error.data));
  if (summary === undefined) return listed;
  const ends = catalogue.lastRow(session);
  if (ends !== undefined && ends.summary !== null) {
    const read = withReadCounts(session, ends.read, files, countsOf(summary));
    catalogue.putRead(session, seen, ends.summary, read);
  }
  return { ...listed, row: withMarks(summary, marks) };
}

function countsOf(summary: Summary): SummaryCounts {
  const counts: Record<string, unknown> = {};
  for (const field of COUNTS) if (summary[field] !== undefined) counts[field] = summary[field];
  return counts;
}
