/**
 * Completes the rows that are shown. It looks up whether a session is being written, and counts
 * that need a whole read.
 */
import { SessionError } from "../event/session_error.ts";
import type { Summary, ThreadSummary } from "../projection/summary_row.ts";
import { withMarks } from "../session/marks.ts";
import type { Agent, AgentSession } from "../source/agent.ts";
import { threadsOf } from "../source/read_threads.ts";
import { isFresh, type SummaryCounts } from "./catalogue/read_part.ts";
import { lookAtSession } from "./catalogue/session_state.ts";
import { type ListedSession, type ListingSource, summarized } from "./listing.ts";
import { filesToRead, withReadCounts } from "./keep_counts.ts";
import { loadLocator, type Locator } from "./locators.ts";
import { loadAgent } from "./registry.ts";

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
  const toRead = new Set(exact ? rows.filter(lacksCounts) : []);
  const all = [...toRead].reduce((sum, { row }) => sum + (row.bytes ?? 0), 0);
  let done = 0;
  for (const one of rows) {
    const locator = await loadLocator(one.session.agent);
    const row = toRead.has(one) ? await counted(source, one) : one;
    shown.push(await withStatus(source, row, locator));
    if (toRead.has(one)) onProgress(done += one.row.bytes ?? 0, all);
  }
  return shown;
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
  const { session } = listed;
  const { catalogue, marks } = source;
  const files = await filesToRead(session);
  const seen = lookAtSession(session, files.files);
  const agent = await loadAgent(session.agent);
  let summary: Summary | undefined;
  try {
    summary = await agent.summarize(session, { exact: true });
    if (summary !== undefined) {
      summary = { ...summary, threads: await otherThreads(agent, session) };
    }
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    source.onError(error);
  }
  if (summary === undefined) return listed;
  const ends = catalogue.lastRow(session);
  if (ends !== undefined && ends.summary !== null) {
    const read = withReadCounts(session, ends.read, files, countsOf(summary));
    catalogue.putRead(session, seen, ends.summary, read);
  }
  return { ...listed, row: withMarks(summary, marks) };
}

async function otherThreads(agent: Agent, session: AgentSession): Promise<ThreadSummary[]> {
  const [, ...others] = await threadsOf(agent, session);
  return others.map(({ id, kind, title, records }) =>
    title === undefined ? { id, kind, records } : { id, kind, title, records }
  );
}

function countsOf(summary: Summary): SummaryCounts {
  const counts: Record<string, unknown> = {};
  for (const field of COUNTS) if (summary[field] !== undefined) counts[field] = summary[field];
  return counts;
}
