/** Usage of several sessions, with each response counted once among all of them. */
import { present } from "../../event/present.ts";
import type { EventSource } from "../../event/envelope.ts";
import { SessionError } from "../../event/session_error.ts";
import { foldBatches } from "../../projection/projection.ts";
import { responseUsage } from "../../projection/response_usage.ts";
import type { SessionWork } from "../../projection/session_work.ts";
import type { SessionUsage } from "../../projection/usage_totals.ts";
import type { SessionReader } from "../../source/agent.ts";
import { Catalogue } from "../catalogue/catalogue.ts";
import type { CatalogueOptions } from "../catalogue/catalogue_options.ts";
import { lookAtSession, type SeenState } from "../catalogue/session_state.ts";
import { UsageFile } from "../catalogue/usage_file.ts";
import { projectOf } from "../../workspace/project.ts";
import type { SessionEntry } from "../query.ts";
import { withReadCounts } from "../keep_counts.ts";
import { loadLocator } from "../locators.ts";
import { openReader } from "../registry.ts";
import { CountedUsage } from "./counted_usage.ts";
import { type PackedUsage, packUsage } from "./packed_usage.ts";
import { readPackedUsage, rowCounts, type Spent, spentIn, utcDay } from "./session_usage.ts";
import { SessionRows, type SessionRowsOptions } from "./session_rows.ts";

/** Options to add up the usage of sessions. */
export interface UsageOfOptions extends Pick<SessionRowsOptions, "estimate" | "step_seconds"> {
  /** The day of a time in milliseconds, as `2026-11-21`. @default {the day in UTC} */
  dayOf?: (milliseconds: number) => string;
  /** The catalogue that keeps the responses, so that files are read once. @default {nowhere} */
  kept?: CatalogueOptions;
  /** Largest session that is read; larger ones are left out unless they are kept. @default {any} */
  most_bytes?: number;
  /**
   * Bytes that are read of all sessions together, the smallest first. What is left out is read
   * another time, unless it is kept. @default {any}
   */
  most_bytes_read?: number;
  /** Gets what each session took by itself. @default {nothing} */
  onSpent?: (ref: string, spent: Spent) => void;
  /** Count calls and changed files, too; a session that they are not kept of is read. @default {false} */
  work?: boolean;
  /** Called after each session, with the bytes that were read and all that are to be read. */
  onProgress?: (done: number, all: number) => void;
  /** Gets what could not be read. @default {nothing} */
  onError?: (error: SessionError) => void;
}

/**
 * Reads what listed sessions took.
 *
 * @param entries Sessions that a library found, or their names and sizes.
 * @param options How days are told and costs estimated, and where to keep what was read.
 * @returns The usage of each session that could be read, by day and model. A response that several
 * sessions hold is in the first of them by the path of its file; a log comes after all others.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openLibrary, usageOf } from "@reprise/reprise/library";
 *
 * const root = await Deno.makeTempDir();
 * const library = openLibrary({ root, variable: () => undefined });
 * const { entries } = await library.query();
 * assert.deepEqual(await usageOf(entries), []);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function usageOf(
  entries: readonly (
    & Pick<SessionEntry, "session" | "ref">
    & Partial<Pick<SessionEntry, "cwd" | "state">>
    & { bytes?: number | undefined }
  )[],
  options: UsageOfOptions = {},
): Promise<SessionUsage[]> {
  const { kept = {}, most_bytes = Infinity, work = false, onProgress, onError = () => {} } =
    options;
  const { dayOf = utcDay, estimate, step_seconds } = options;
  const file = new UsageFile(kept);
  const counted = new CountedUsage();
  const ordered = await inOrder(entries);
  for (const read of ordered) await lookUp(file, read, work);
  const reads = within(ordered.filter((read) => bytesOf(read) <= most_bytes), options);
  const all = reads.reduce((sum, read) => sum + bytesOf(read), 0);
  const owners = new Owners(entries);
  const found: Read[] = [];
  let done = 0;
  for (const read of reads) {
    try {
      counted.add(read.known ?? await readAnew(file, read, { owners, work }));
      found.push(read);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      onError(error);
    }
    onProgress?.(done += bytesOf(read), all);
  }
  file.save();
  const sums = new SessionRows(counted, { dayOf, estimate, step_seconds });
  const projects = new Projects();
  const used = found.map(({ entry: { ref, cwd, session: { agent } } }, index) =>
    present({
      ref,
      agent,
      cwd,
      project: cwd === undefined ? undefined : projects.of(cwd),
      rows: sums.of(index),
      work: counted.usage(index).work,
    })
  );
  const spent = new Map<string, Spent>();
  const isKept = ({ reader, known }: Read): boolean =>
    reader.log === undefined && known === undefined;
  for (const [index, read] of found.entries()) {
    if (options.onSpent === undefined && (kept.folder === undefined || !isKept(read))) continue;
    spent.set(read.entry.ref, spentIn(counted.usage(index), estimate));
  }
  for (const [ref, one] of spent) options.onSpent?.(ref, one);
  await keepCosts(kept, reads.filter(isKept), spent);
  return used;
}

/** Projects of directories: many sessions have one. */
class Projects {
  readonly #known = new Map<string, string | undefined>();

  /** Returns the project of a directory, where that is another one. */
  of(cwd: string): string | undefined {
    if (!this.#known.has(cwd)) {
      const project = projectOf(cwd);
      this.#known.set(cwd, project === cwd ? undefined : project);
    }
    return this.#known.get(cwd);
  }
}

/** Leaves out the sessions that would be read beyond a number of bytes, the largest first. */
function within(reads: readonly Read[], { most_bytes_read }: UsageOfOptions): readonly Read[] {
  if (most_bytes_read === undefined) return reads;
  const taken = new Set<Read>();
  let left = most_bytes_read;
  for (const read of reads.toSorted((one, other) => bytesOf(one) - bytesOf(other))) {
    left -= bytesOf(read);
    if (left < 0) break;
    taken.add(read);
  }
  return reads.filter((read) => taken.has(read));
}

/** Keeps what sessions cost, for lists, of those that were read now. */
async function keepCosts(
  kept: CatalogueOptions,
  reads: readonly Read[],
  spent: ReadonlyMap<string, Spent>,
): Promise<void> {
  const anew = reads.filter(({ state }) => state !== undefined);
  if (kept.folder === undefined || anew.length === 0) return;
  const catalogue = new Catalogue(kept);
  for (const { entry: { session, ref }, files = [], state } of anew) {
    const known = catalogue.lastRow(session);
    const one = spent.get(ref);
    if (known?.summary == null || one === undefined || state === undefined) continue;
    const { changed: _, ...seen } = state;
    const { files: ends_files } = await loadLocator(session.agent);
    const ends = lookAtSession(session, ends_files(session) ?? [session.path]);
    // A session that changed since it was listed has another summary by now.
    if (catalogue.find(session, ends) === undefined) continue;
    const read = withReadCounts(session, known.read, { files, state: seen }, rowCounts(one));
    catalogue.putRead(session, ends, known.summary, read);
  }
  catalogue.save();
  catalogue.close();
}

type UsedEntry = Parameters<typeof usageOf>[0][number];

/** A session, and what is found out about it. */
interface Read {
  readonly entry: UsedEntry;
  readonly reader: SessionReader;
  /** Undefined where it cannot be told. */
  state?: SeenState;
  /** The files whose state it is. */
  files?: readonly string[];
  /** The usage of an earlier read, if the files did not change. */
  known?: PackedUsage;
}

/** Sorts sessions by their paths, logs last: an imported response belongs to its original. */
async function inOrder(entries: readonly UsedEntry[]): Promise<Read[]> {
  const reads: Read[] = [];
  for (const entry of entries) reads.push({ entry, reader: await openReader(entry.session) });
  const rank = ({ reader }: Read): number => reader.log === undefined ? 0 : 1;
  return reads.sort((one, other) =>
    rank(one) - rank(other) || (one.entry.session.path < other.entry.session.path ? -1 : 1)
  );
}

/** Looks at a session's files, and looks up its usage in the cache. */
async function lookUp(file: UsageFile, read: Read, with_work: boolean): Promise<void> {
  const { reader } = read;
  const { session } = reader;
  const files = (await reader.files())?.paths;
  if (files === undefined) return;
  // Who listed a log looked at that one file.
  read.state = (reader.log === undefined ? undefined : read.entry.state) ??
    lookAtSession(session, files);
  const known = file.find(session, read.state);
  if (known === undefined || with_work && known.work === undefined) read.files = files;
  else read.known = known;
}

/** Bytes that are to be read, as far as the session's own file tells. */
function bytesOf({ known, state, entry }: Read): number {
  if (known !== undefined) return 0;
  return Math.max(0, state?.size ?? entry.bytes ?? 0);
}

async function readAnew(
  file: UsageFile,
  read: Read,
  { owners, work }: { owners: Owners; work: boolean },
): Promise<PackedUsage> {
  const { reader, files, state } = read;
  const { usage, is_own } = reader.log === undefined
    ? { usage: await readPackedUsage(reader), is_own: true }
    : await readLog(read, owners);
  if (work) usage.work = await readWork(reader);
  if (is_own && files !== undefined && state !== undefined) {
    file.put(reader.session, { files, state }, usage);
  }
  return usage;
}

async function readWork(reader: SessionReader): Promise<SessionWork> {
  const { WorkCount } = await import("../../projection/session_work.ts");
  const count = new WorkCount();
  let current: string | undefined;
  for await (const { thread, events } of reader.readThreads({ needs: count.needs })) {
    if (thread !== current) count.endThread();
    current = thread;
    count.take(events);
  }
  count.endThread();
  return count.result();
}

/**
 * Reads what a log took, without what its originals took. It is kept where nothing was imported: what is
 * counted of an import depends on which other sessions there are.
 */
async function readLog(
  { reader, entry: { ref } }: Read,
  owners: Owners,
): Promise<{ usage: PackedUsage; is_own: boolean }> {
  let is_own = true;
  const projection = responseUsage({
    countedElsewhere: (source) => {
      is_own &&= source.agent === undefined;
      return owners.isElsewhere(ref, source);
    },
  });
  const { needs } = projection;
  const usage = packUsage(
    await foldBatches(projection, reader.read({ needs, all_branches: true })),
  );
  return { usage, is_own };
}

/** Tells where an imported response counts: where it still is, or else in the first of its copies. */
class Owners {
  readonly #entries: readonly UsedEntry[];
  #owners: Map<string, string> | undefined;

  constructor(entries: readonly UsedEntry[]) {
    this.#entries = entries;
  }

  /** True where what a session has from a source is counted in another session. */
  isElsewhere(ref: string, { agent, session_id }: EventSource): boolean {
    if (agent === undefined) return false;
    const owners = this.#owners ??= new Map(this.#entries.map(({ ref }) => [ref, ref]));
    const original = `${agent}:${session_id}`;
    const owner = owners.get(original) ?? ref;
    owners.set(original, owner);
    return owner !== ref;
  }
}
