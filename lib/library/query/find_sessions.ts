/** Finds, selects and sorts the sessions of a query. */
import type { AgentName } from "../../core/event/agent_name.ts";
import { present } from "../../core/event/present.ts";
import type { Summary } from "../../core/projection/summary_row.ts";
import { withMarks } from "../../core/store/marks.ts";
import { isSelected, isUndated, newestFirst, type Selectable } from "../../core/store/selection.ts";
import { asksWords, fitsWords } from "../../core/store/session_words.ts";
import { projectDirectories } from "../../core/workspace/project.ts";
import { sessionDirectory } from "../../core/workspace/session_directory.ts";
import { Candidate, RowSource } from "./candidate.ts";
import type { CatalogueEntry } from "../catalogue/catalogue.ts";
import { fillRows, knownRows, lateRows, rowOf } from "./fill_rows.ts";
import { findCandidates } from "./find_candidates.ts";
import { chosenAgents } from "../catalogue/library_place.ts";
import { type Listing, withListing } from "./listing.ts";
import { tracedAgents } from "../machine/locators.ts";
import type { FoundSessions, QueryOptions } from "./query.ts";
import { isInRoot } from "../machine/session_roots.ts";
import { isShared } from "../machine/pulled/team_sessions.ts";
import { TEAM_REF } from "../../core/store/ref.ts";

/**
 * Finds the sessions that a query selects, the newest update first.
 *
 * @throws {SessionError} `invalid-config`. Errors of a single session or agent go to `onError`.
 */
export async function findSessions(
  source: RowSource,
  options: QueryOptions & { cwd: string },
): Promise<FoundSessions> {
  const { scope = "all", cwd, onError = () => {} } = options;
  const directories = options.directories ??
    (scope === "all" ? undefined : projectDirectories(cwd));
  const wanted: Wanted = { ...options, directories, widens: scope === "project" };
  const { entries, widened, undated } = await withListing(
    // The catalogue keeps only sessions that exist.
    options.gone ? new RowSource(source.place, {}, lateRows) : source,
    onError,
    (listing) => options.remembered ? remembered(listing, wanted) : found(listing, wanted),
  );
  return { entries, directories: widened ? undefined : directories, widened, undated };
}

interface Wanted extends Omit<QueryOptions, "scope" | "cwd" | "directories"> {
  directories: readonly string[] | undefined;
  widens: boolean;
}

interface Selected<Session> {
  entries: Session[];
  widened: boolean;
  undated: number;
}

async function found(listing: Listing, wanted: Wanted): Promise<Selected<Candidate>> {
  const { running = false, limit } = wanted;
  const exact = wanted.exact || asksWords(wanted, "whole");
  const { rows = exact || running || asksWords(wanted, "now") } = wanted;
  const { place } = listing.source;
  const agents = tracedAgents(place.environment, chosenAgents(place, wanted.agents));
  const since = oldestShown(listing, agents, wanted);
  // If the query's words need completed rows, the limit applies after them.
  const asked = { ...wanted, rows, limit: asksWords(wanted, "now", "whole") ? undefined : limit };
  const first = await newest(listing, agents, asked, since);
  const last = first.entries.at(-1)?.updated ?? NaN;
  const is_full = first.entries.length === limit && last >= since;
  const { entries, widened, undated } =
    since === -Infinity || is_full && !first.entries.some(isImported)
      ? first
      : await newest(listing, agents, asked, -Infinity);
  // A session that a process holds without a mark is not interrupted.
  if (wanted.status === "interrupted") await mayRun(listing, entries);
  if (rows) await fillRows(listing, entries, { ...wanted, exact });
  listing.catalogue.save();
  if (!rows) return { entries, widened, undated };
  const shown = entries.filter((one) => isShown(one, running) && fitsNow(one, wanted));
  return { entries: shown.slice(0, limit), widened, undated };
}

/**
 * Returns the time of a limited list's last row, as the catalogue knows it. Older sessions are not
 * held in memory, because there may be 100,000. Returns −Infinity if the catalogue does not know
 * the time.
 */
function oldestShown(
  { catalogue }: Listing,
  agents: readonly AgentName[],
  wanted: Wanted,
): number {
  const { limit = Infinity, running, widens } = wanted;
  if (limit === Infinity || running || widens || isLate(wanted)) return -Infinity;
  const selected = [...catalogue.entries(agents)].filter((one) => isSelected(one, wanted));
  const { entries } = ofDirectories(selected, wanted);
  if (entries.length <= limit || entries.some(isImported)) return -Infinity;
  return newestFirst(entries, () => "", limit).at(-1)?.updated ?? -Infinity;
}

/** True if the query's `limit` can be applied only after rows or marks were read. */
function isLate(wanted: Wanted): boolean {
  return wanted.root !== undefined || asksWords(wanted);
}

/** True if the row meets the query's conditions on status and counts, which are added last. */
function fitsNow({ shown }: Candidate, wanted: Wanted): boolean {
  return fitsWords(shown ?? {}, wanted, "now", "whole");
}

function isImported({ imported }: { readonly imported: boolean }): boolean {
  return imported;
}

/** Finds wanted sessions updated since a time. Skips sessions that another session contains. */
async function newest(
  listing: Listing,
  agents: readonly AgentName[],
  wanted: Wanted,
  since: number,
): Promise<Selected<Candidate>> {
  const { rows = false, running = false, limit, root, gone } = wanted;
  const { members } = wanted;
  const located = await findCandidates(listing, agents, {
    with_state: !rows,
    since,
    gone,
    members,
  });
  const found = members ? withoutOwn(located) : located;
  const all = root === undefined ? found : found.filter(isBelowRoot(root));
  const candidates = running ? await mayRun(listing, all) : all;
  const selected = await select(listing, candidates, wanted);
  const held = await withoutHeld(listing, selected.entries);
  return { ...selected, entries: held.slice(0, limit) };
}

/** Leaves out sessions shared by the team if the original session is on this machine. */
function withoutOwn(found: readonly Candidate[]): Candidate[] {
  const refs = new Set(found.map(({ ref }) => ref));
  return found.filter(({ ref, session }) =>
    !isShared(session) || !refs.has(ref.slice(TEAM_REF.length))
  );
}

function isBelowRoot(root: string): (one: Candidate) => boolean {
  const isIn = isInRoot(root);
  return ({ session }) => isIn(session);
}

function isShown({ shown }: Candidate, running: boolean): boolean {
  return shown !== undefined && (!running || shown.status === "running");
}

/** Returns sessions that may be running, so that only their rows need to be read. */
async function mayRun({ live }: Listing, found: readonly Candidate[]): Promise<Candidate[]> {
  const running: Candidate[] = [];
  for (const one of found) {
    if (await live.mayRun(one.session, one.updated, one.cwd)) running.push(one);
  }
  return running;
}

async function remembered(listing: Listing, wanted: Wanted): Promise<Selected<Candidate>> {
  const { source, catalogue } = listing;
  const { archived, limit, root } = wanted;
  // A mark may archive a session, and only its row has the title. So the limit applies after both.
  const first = archived === true ? { ...wanted, archived: "any" as const } : wanted;
  const parsed = archived === true || isLate(wanted) ? undefined : limit;
  const all = [...catalogue.entries(chosenAgents(source.place, wanted.agents))]
    .filter((entry) => isSelected(entry, first));
  const { entries, ...found } = ofDirectories(all, wanted);
  const refOf = (entry: CatalogueEntry): string => entry.row()?.summary?.ref ?? "";
  const known = newestFirst(entries, refOf, parsed)
    .flatMap((entry) => rememberedCandidate(listing, entry, wanted) ?? [])
    .filter(root === undefined ? () => true : isBelowRoot(root));
  const held = await withoutHeld(listing, known);
  const shown = asksWords(wanted, "now", "whole") ? held : held.slice(0, limit);
  await knownRows(listing, shown);
  const fitting = shown.filter((one) => fitsNow(one, wanted));
  return { ...found, entries: fitting.slice(0, limit) };
}

function rememberedCandidate(
  { source, marks }: Listing,
  entry: CatalogueEntry,
  wanted: Wanted,
): Candidate | undefined {
  const { session, summary, read } = entry.row() ?? {};
  if (session === undefined || summary == null) return undefined;
  if (isShared(session) && !wanted.members) return undefined;
  const row = withMarks(summary, marks);
  const { updated, subagent } = entry;
  if (!isSelected({ updated, subagent, archived: row.archived }, wanted)) return undefined;
  if (!fitsWords(row, wanted, "marks", "row")) return undefined;
  const one = new Candidate(source, session, entry);
  one.listed = { row, read };
  return one;
}

async function select(
  listing: Listing,
  candidates: readonly Candidate[],
  wanted: Wanted,
): Promise<Selected<Candidate>> {
  const selected = candidates.filter((one) =>
    isSelected(one, wanted) && (!asksWords(wanted, "marks") || hasMarks(listing, one, wanted))
  );
  const fitting = asksWords(wanted, "row") ? await withRows(listing, selected, wanted) : selected;
  const { entries, widened } = ofDirectories(fitting, wanted);
  const without = candidates.filter((one) => isUndated(one, wanted));
  const undated = ofDirectories(without, { ...wanted, widens: widened }).entries.length;
  // Copies that are left out must not count.
  const limit = entries.some(isImported) ? undefined : wanted.limit;
  return { entries: newestFirst(entries, ({ ref }) => ref, limit), widened, undated };
}

function hasMarks({ marks }: Listing, { ref }: Candidate, wanted: Wanted): boolean {
  const { tags, pinned } = marks.get(ref) ?? {};
  return fitsWords(present({ tags: tags?.value, pinned: pinned?.value }), wanted, "marks");
}

async function withRows(
  listing: Listing,
  candidates: readonly Candidate[],
  wanted: Wanted,
): Promise<Candidate[]> {
  const found: Candidate[] = [];
  for (const one of candidates) {
    const { row } = one.known() ?? await rowOf(listing, one) ?? {};
    if (row !== undefined && fitsWords(row, wanted, "row")) found.push(one);
  }
  return found;
}

function ofDirectories<Session extends Selectable & { readonly cwd: string | undefined }>(
  sessions: readonly Session[],
  { directories, widens }: Wanted,
): Selected<Session> {
  const undated = 0;
  if (directories === undefined) return { entries: [...sessions], widened: false, undated };
  const ours = sessions.filter(isOfDirectories(directories));
  const widened = widens && ours.length === 0;
  return { entries: widened ? [...sessions] : ours, widened, undated };
}

function isOfDirectories(
  directories: readonly string[],
): (session: { readonly cwd: string | undefined }) => boolean {
  const known = new Map<string, boolean>();
  return ({ cwd = "" }) => {
    let is = known.get(cwd);
    if (is === undefined) known.set(cwd, is = sessionDirectory(cwd)?.isIn(directories) ?? false);
    return is;
  };
}

/** Drops sessions that another session contains. Links a copy and an original that both grew. */
async function withoutHeld(
  listing: Listing,
  candidates: readonly Candidate[],
): Promise<Candidate[]> {
  const imported = candidates.filter(isImported);
  if (imported.length === 0) return [...candidates];
  const { copiesAmong, relate } = await import("./listed_copies.ts");
  const copies: Summary[] = [];
  for (const one of imported) {
    const { row } = one.known() ?? await rowOf(listing, one) ?? {};
    if (row !== undefined) copies.push({ ...row, ref: one.ref });
  }
  const named = new Map(candidates.map((one) => [one.ref, one]));
  const places = new Map(candidates.map(({ ref, session: { path } }) => [ref, { ref, path }]));
  const { held, apart } = relate(copiesAmong(copies), places);
  for (const pair of apart) {
    const [copy, original] = pair.map((ref) => held.has(ref) ? undefined : named.get(ref));
    if (copy === undefined || original === undefined) continue;
    await addFacts(listing, copy, { copy_of: original.ref });
    const { row: { copies = [] } = {} } = original.known() ?? {};
    await addFacts(listing, original, { copies: [...copies, copy.ref] });
  }
  return candidates.filter(({ ref }) => !held.has(ref));
}

async function addFacts(
  listing: Listing,
  one: Candidate,
  facts: Pick<Summary, "copy_of" | "copies">,
): Promise<void> {
  const known = one.known() ?? await rowOf(listing, one);
  if (known !== undefined) one.listed = { ...known, row: { ...known.row, ...facts } };
}
