/**
 * Completes the rows that are shown. Adds whether a session is being written, and the counts that
 * need a read of the whole session.
 */
import type { AgentName } from "../../core/event/agent_name.ts";
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { withMarks } from "../../core/store/marks.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import type { Candidate, ListedRow, RowSource } from "./candidate.ts";
import { isFresh, type SummaryCounts } from "../catalogue/read_part.ts";
import { lookAtSession } from "../catalogue/session_state.ts";
import type { ExactRead } from "../counts/exact/read_exact.ts";
import { summarized } from "./find_candidates.ts";
import { withReadCounts } from "../counts/keep_counts.ts";
import { type Listing, withListing } from "./listing.ts";
import { loadLocator, type Locator } from "../machine/locators.ts";
import { isShared } from "../machine/pulled/team_sessions.ts";
import type { QueryOptions } from "./query.ts";
import { SessionRoots } from "../machine/session_roots.ts";

/** Minimum number of bytes to read that justifies the time that threads take to start. */
const WORTH_THREADS_BYTES = 32 * 1024 * 1024;

/** Number of rows that are read in one transaction. No process can write meanwhile. */
const ROWS_AT_ONCE = 512;

/** Reads the rows of candidates. A session that cannot be read gets no row. */
export async function fillRows(
  listing: Listing,
  candidates: readonly Candidate[],
  { exact = false, onProgress = () => {} }: Pick<QueryOptions, "exact" | "onProgress">,
): Promise<void> {
  const parts: Candidate[] = [];
  for (let from = 0; from < candidates.length; from += ROWS_AT_ONCE) {
    const some = candidates.slice(from, from + ROWS_AT_ONCE);
    const known = listing.catalogue.reading(() => some.map((one) => one.known()));
    for (const [index, one] of some.entries()) {
      const listed = known[index] ?? await rowOf(listing, one);
      one.shown = withCounts(one, listed);
      // The counts are added to a row while they are fresh.
      const is_whole = listed?.read?.whole === true && one.shown !== listed.row;
      if (one.shown !== undefined && !is_whole) parts.push(one);
    }
  }
  const reads = exact ? await readWhole(parts, onProgress) : undefined;
  const locators = new Map<AgentName, Locator>();
  const roots = new SessionRoots(listing.source.place.environment);
  for (const one of candidates) {
    const { agent } = one.session;
    let locator = locators.get(agent);
    if (locator === undefined) locators.set(agent, locator = await loadLocator(agent));
    const read = reads?.get(one.session);
    if (read !== undefined) one.shown = withExact(listing, one, read) ?? one.shown;
    if (one.shown === undefined) continue;
    one.shown = withPlace(roots, one, await withStatus(listing, one, one.shown, locator));
  }
}

/** Completes rows from the catalogue alone. Only the status is looked up elsewhere. */
export async function knownRows(
  { live, source }: Listing,
  candidates: readonly Candidate[],
): Promise<void> {
  const roots = new SessionRoots(source.place.environment);
  await Promise.all(candidates.map(async (one) => {
    const row = withCounts(one, one.known());
    if (row === undefined) return;
    one.shown = withPlace(roots, one, await live.withStatus(one.session, row));
  }));
}

function withPlace(roots: SessionRoots, { session, cwd }: Candidate, row: Summary): Summary {
  const root = roots.of(session);
  const placed = root === undefined ? row : { ...row, root };
  return isShared(session) && cwd !== undefined ? { ...placed, cwd } : placed;
}

/** Reads rows of candidates that a caller requests after the query has ended. */
export async function lateRows(
  source: RowSource,
  candidates: readonly Candidate[],
): Promise<void> {
  await withListing(source, () => {}, async (listing) => {
    for (const one of candidates) one.listed ??= await rowOf(listing, one);
    await fillRows(listing, candidates, {});
  });
}

/**
 * Returns a session's row without counts and status. Reads the session's start and end if the
 * catalogue lacks its state.
 */
export async function rowOf(
  { catalogue, marks, onError }: Listing,
  { session }: Candidate,
): Promise<ListedRow | undefined> {
  const files = (await loadLocator(session.agent)).files(session);
  const state = files === undefined ? undefined : lookAtSession(session, files);
  // The session was deleted since it was found.
  if (state !== undefined && state.size < 0) return undefined;
  const known = state === undefined ? undefined : catalogue.find(session, state)?.row();
  // A row whose bytes are damaged is read again.
  const summary = known?.summary ?? await summarized(session, catalogue, state, onError);
  return summary && { row: withMarks(summary, marks), read: known?.read };
}

async function readWhole(
  candidates: readonly Candidate[],
  onProgress: (done: number, all: number) => void,
): Promise<Map<AgentSession, ExactRead>> {
  if (candidates.length === 0) return new Map();
  const bytes = new Map(candidates.map(({ session, shown }) => [session, shown?.bytes ?? 0]));
  const all = [...bytes.values()].reduce((sum, one) => sum + one, 0);
  const largest = [...bytes].sort((one, other) => other[1] - one[1]);
  let done = 0;
  const { readAllExact } = await import("../counts/exact/read_all_exact.ts");
  return await readAllExact(largest.map(([session]) => session), {
    workers: all < WORTH_THREADS_BYTES ? 0 : undefined,
    onRead: (session) => onProgress(done += bytes.get(session) ?? 0, all),
  });
}

function withCounts(
  { session }: Candidate,
  listed: ListedRow | undefined,
): Summary | undefined {
  if (listed?.read?.counts === undefined) return listed?.row;
  const { row, read } = listed;
  // Fields of the row keep their positions, so that programs always see one order.
  return isFresh(session, read) ? { ...row, ...read.counts, ...row } : row;
}

async function withStatus(
  { live, catalogue, marks, onError }: Listing,
  { session }: Candidate,
  row: Summary,
  { isActive, files }: Locator,
): Promise<Summary> {
  const now = await live.withStatus(session, row);
  const is_here = session.machine === undefined && !isShared(session);
  if (now.status !== "interrupted" || isActive === undefined || !is_here) return now;
  // A writer that closed the session since then would seem to have been killed.
  const state = lookAtSession(session, files(session));
  if (catalogue.find(session, state) !== undefined) return row;
  const summary = await summarized(session, catalogue, state, onError);
  // An unchanged status keeps the counts of a whole read.
  return summary === undefined || summary.status === row.status ? row : withMarks(summary, marks);
}

const COUNTS = [
  "message_count",
  "turn_count",
  "active_ms",
  "last_seq",
  "usage",
  "cost_usd",
  "models",
  "threads",
] as const satisfies readonly (keyof SummaryCounts)[];

/** Returns the row of a session that was read whole, and stores it; undefined if that failed. */
function withExact(
  { catalogue, marks, onError }: Listing,
  { session, shown }: Candidate,
  { files, seen, summary, error }: ExactRead,
): Summary | undefined {
  if (error !== undefined) onError(new SessionError(error.code, error.message, error.data));
  if (summary === undefined) return undefined;
  const ends = catalogue.lastRow(session);
  const spent = ends?.read && isFresh(session, ends.read) ? spentOf(ends.read.counts) : {};
  const counts: SummaryCounts = { ...countsOf(summary), ...spent };
  // A summary has the tokens of the main thread alone, unless the ends of a log tell them.
  if (summary.threads?.length && shown?.usage === undefined && spent.usage === undefined) {
    for (const field of ["usage", "cost_usd"] as const) delete counts[field];
  }
  const row = { ...summary };
  for (const field of COUNTS) delete row[field];
  if (ends !== undefined && ends.summary !== null) {
    const read = withReadCounts(session, ends.read, files, counts);
    catalogue.putRead(session, seen, row, { ...read, whole: true });
  }
  // The fields have the order of a stored row.
  return { ...withMarks(row, marks), ...counts };
}

/** Returns the tokens and cost of all threads; no fields if only the main thread was counted. */
function spentOf({ usage, cost_usd, main }: SummaryCounts = {}): SummaryCounts {
  return main === undefined ? {} : present({ usage, cost_usd, main });
}

function countsOf(summary: Summary): SummaryCounts {
  const counts: Record<string, unknown> = {};
  for (const field of COUNTS) if (summary[field] !== undefined) counts[field] = summary[field];
  return counts;
}

/** Number of bytes of a session that are surely read within a millisecond. */
const BYTES_A_MS = 20_000;

/**
 * Reads the counts and costs that rows lack, in the order of the entries. Stops after about the
 * given number of milliseconds.
 *
 * @param entries Entries whose rows were read. Entries without a row are skipped.
 * @param active True to read the active time, too.
 */
export async function fillCounts(
  source: RowSource,
  entries: readonly Candidate[],
  milliseconds: number,
  active = false,
): Promise<void> {
  // The other half of the time is for costs.
  const deadline = performance.now() + milliseconds / 2;
  const { readExact } = await import("../counts/exact/read_exact.ts");
  const filled: Candidate[] = [];
  await withListing(source, () => {}, async (listing) => {
    for (const one of entries) {
      const { session, shown } = one;
      const left = deadline - performance.now();
      if (left <= 0) break;
      if (shown === undefined) continue;
      const lacks_usage = shown.usage === undefined && Boolean(shown.models?.length);
      const is_partial = shown.message_count === undefined ||
        active && shown.active_ms === undefined;
      if (!is_partial && !lacks_usage) continue;
      // A session in a database is no longer than the database.
      const bytes = shown.bytes ?? lookAtSession(session).size;
      if (bytes > left * BYTES_A_MS) continue;
      if (is_partial) {
        const whole = withExact(listing, one, await readExact(session)) ?? shown;
        const { status, machine, root } = shown;
        one.shown = present({ ...whole, status, root, machine });
      }
      filled.push(one);
    }
    listing.catalogue.save();
  });
  await fillCosts(source, filled);
}

/** Estimates costs that were not recorded. */
export async function fillCosts(source: RowSource, entries: readonly Candidate[]): Promise<void> {
  const [{ loadPrices }, { usageOf }, { rowCounts }] = await Promise.all([
    import("../counts/usage/load_prices.ts"),
    import("./usage_of.ts"),
    import("../counts/usage/usage_sums.ts"),
  ]);
  const { estimate } = await loadPrices();
  const shown = new Map(entries.map((one) => [one.ref, one]));
  await usageOf(entries, {
    estimate,
    kept: source.kept,
    onSpent(ref, spent): void {
      const one = shown.get(ref);
      if (one?.shown !== undefined) one.shown = { ...one.shown, ...rowCounts(spent) };
    },
  });
}
