/** Counts the usage of several sessions. A response in several sessions counts once. */
import { present } from "../../core/event/present.ts";
import type { EventSource } from "../../core/event/envelope.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { foldBatches } from "../../core/projection/projection.ts";
import { responseUsage } from "../../core/projection/response_usage.ts";
import type { SessionWork } from "../../core/projection/session_work.ts";
import type { SessionUsage } from "../../core/projection/usage_totals.ts";
import type { SessionReader } from "../../agents/contract/agent.ts";
import { projectOf } from "../../core/workspace/project.ts";
import type { CatalogueOptions } from "../catalogue/catalogue_options.ts";
import type { SeenFiles } from "../catalogue/read_facts.ts";
import { inTurns } from "../catalogue/turns.ts";
import { keepReads, type KeptRead } from "../counts/keep_counts.ts";
import type { SessionEntry } from "./query.ts";
import { openReader } from "../machine/registry.ts";
import { type ReadUsage, readUsage, usageIn } from "../counts/usage/read_usage.ts";
import {
  DayRows,
  QUARTER_SECONDS,
  rowCounts,
  type SessionRowsOptions,
  type Spent,
  spentIn,
  utcDay,
} from "../counts/usage/usage_sums.ts";
import {
  addUp,
  type AskedUsage,
  isRead,
  type KnownUsage,
  UsageTable,
} from "../counts/usage/usage_table.ts";

/** Options of {@linkcode usageOf}: prices, days, limits and functions to call. */
export interface UsageOfOptions extends Pick<SessionRowsOptions, "estimate" | "step_seconds"> {
  /** Returns the day of a time in milliseconds, such as `2026-11-21`. @default {the day in UTC} */
  dayOf?: (milliseconds: number) => string;
  /** The catalogue that stores responses, so that files are read once. @default {nowhere} */
  kept?: CatalogueOptions;
  /** Maximum bytes of a counted session, unless the catalogue has its usage. @default {no limit} */
  most_bytes?: number;
  /**
   * Maximum bytes to read of all sessions together. The smallest sessions are read first. A session
   * beyond the limit only counts if the catalogue has its usage.
   *
   * @default {no limit}
   */
  most_bytes_read?: number;
  /**
   * Gets a session's tokens and cost. Includes responses shared with other sessions. @default
   * {nothing}
   */
  onSpent?: (ref: string, spent: Spent) => void;
  /** True to count calls and changed files, too, which may need further reads. @default {false} */
  work?: boolean;
  /** Called as sessions are read, with the bytes read so far and in total. */
  onProgress?: (done: number, all: number) => void;
  /** Called for each session that could not be read. @default {nothing} */
  onError?: (error: SessionError) => void;
}

/**
 * Reads how many tokens sessions used, and what they cost.
 *
 * @param entries Sessions that a library found, or their names and sizes.
 * @param options The format of days, the estimate of costs, and the catalogue that stores reads.
 * @returns The usage of each session that could be read, by day and model. A response that several
 * sessions have only counts in the first of them. The sessions are in the order of their files'
 * paths. Logs of Reprise come last.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openLibrary, usageOf } from "@reprise/reprise/library";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const library = openLibrary({ root, variable: () => undefined });
 * const { entries } = await library.query();
 * assert.deepEqual(await usageOf(entries), []);
 * await rm(root, { recursive: true });
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
  const { dayOf = utcDay, estimate, step_seconds = QUARTER_SECONDS } = options;
  using table = new UsageTable(kept);
  const ordered = await inOrder(entries);
  await lookUp(table, ordered, work);
  const reads = within(ordered.filter((read) => bytesOf(read) <= most_bytes), options);
  const all = reads.reduce((sum, read) => sum + bytesOf(read), 0);
  const owners = new Owners(entries);
  let done = 0;
  const readOne = async (read: Read): Promise<AskedUsage | undefined> => {
    const most = bytesOf(read);
    const onBytes = (bytes: number): void => onProgress?.(done + Math.min(bytes, most), all);
    try {
      return await readAnew(read, { owners, work, onBytes });
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      onError(error);
      return undefined;
    }
  };
  const found: { read: Read; asked: AskedUsage }[] = [];
  for (const read of reads) {
    const { reader: { session }, known } = read;
    const asked = known === undefined ? await readOne(read) : { session, usage: known };
    if (asked !== undefined) found.push({ read, asked });
    onProgress?.(done += bytesOf(read), all);
  }
  const sums = await addUp(table, found.map(({ asked }) => asked), {
    step_seconds,
    readAnew: async (_, index) => await readOne((found[index] as typeof found[number]).read),
  });
  const rows = new DayRows({ dayOf, estimate, step_seconds });
  const projects = new Projects();
  const used: SessionUsage[] = [];
  const counted: KeptRead[] = [];
  for (const [index, { read, asked: { session, usage, read: files } }] of found.entries()) {
    const { entry: { ref, cwd }, reader } = read;
    const taken = sums[index] ?? [];
    used.push(present({
      ...{ ref, agent: session.agent, cwd, work: usage.work },
      project: cwd === undefined ? undefined : projects.of(cwd),
      rows: rows.of(usage, taken.filter(({ elsewhere }) => elsewhere === 0)),
    }));
    const is_new = reader.log === undefined && isRead(usage) && files !== undefined;
    if (options.onSpent === undefined && !is_new) continue;
    const spent = spentIn(usage, taken, { estimate, step_seconds });
    options.onSpent?.(ref, spent);
    if (is_new) counted.push({ session, files, counts: rowCounts(spent) });
  }
  keepReads(kept, counted);
  return used;
}

class Projects {
  readonly #known = new Map<string, string | undefined>();

  /** Returns the project of a directory; undefined if the directory is the project itself. */
  of(cwd: string): string | undefined {
    if (!this.#known.has(cwd)) {
      const project = projectOf(cwd);
      this.#known.set(cwd, project === cwd ? undefined : project);
    }
    return this.#known.get(cwd);
  }
}

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

type UsedEntry = Parameters<typeof usageOf>[0][number];

interface Read {
  readonly entry: UsedEntry;
  readonly reader: SessionReader;
  files?: SeenFiles | undefined;
  /** The usage of an earlier read; undefined if the files changed since. */
  known?: KnownUsage | undefined;
}

/** Sorts sessions by path, logs last, so that originals come before the logs that import them. */
async function inOrder(entries: readonly UsedEntry[]): Promise<Read[]> {
  const reads: Read[] = [];
  for (const entry of entries) reads.push({ entry, reader: await openReader(entry.session) });
  const rank = ({ reader }: Read): number => reader.log === undefined ? 0 : 1;
  return reads.sort((one, other) =>
    rank(one) - rank(other) || (one.entry.session.path < other.entry.session.path ? -1 : 1)
  );
}

/** Sets `files` of each item of `reads`, and `known` if the cache has the session's usage. */
async function lookUp(
  table: UsageTable,
  reads: readonly Read[],
  with_work: boolean,
): Promise<void> {
  const sessions = reads.map(({ entry: { session, state } }) => ({ session, state }));
  for (const [index, { files, facts }] of (await table.lookUp(sessions)).entries()) {
    const known = with_work && facts?.work === undefined ? undefined : facts;
    Object.assign(reads[index] as Read, { files, known });
  }
}

function bytesOf({ known, files, entry }: Read): number {
  if (known !== undefined) return 0;
  return Math.max(0, files?.state.size ?? entry.bytes ?? 0);
}

/** Number of bytes of one session between two reports of progress. */
const TOLD_BYTES = 512 * 1024;

interface ReadAnewOptions {
  owners: Owners;
  work: boolean;
  onBytes: (bytes: number) => void;
}

async function readAnew(
  { reader, files, entry: { ref } }: Read,
  { owners, work, onBytes }: ReadAnewOptions,
): Promise<AskedUsage> {
  const { session } = reader;
  const { usage, is_own } = reader.log === undefined
    ? { usage: await readUsage(reader), is_own: true }
    : await readLog(reader, ref, owners);
  if (work) usage.work = await readWork(reader, onBytes);
  return { session, usage, read: is_own ? files : undefined };
}

async function readWork(
  reader: SessionReader,
  onBytes: ReadAnewOptions["onBytes"],
): Promise<SessionWork> {
  const { WorkCount } = await import("../../core/projection/session_work.ts");
  const count = new WorkCount();
  let current: string | undefined;
  let passed = 0;
  for await (const { thread, events } of inTurns(reader.readThreads({ needs: count.needs }))) {
    const { offset = 0 } = events.at(-1)?.position ?? {};
    if (offset - passed >= TOLD_BYTES) onBytes(passed = offset);
    if (thread !== current) count.endThread();
    current = thread;
    count.take(events);
  }
  count.endThread();
  return count.result();
}

/**
 * Reads the usage of a log. Responses that count in another session are skipped. If `is_own` is
 * true, the usage depends on no other session, and may be stored.
 */
async function readLog(
  reader: SessionReader,
  ref: string,
  owners: Owners,
): Promise<{ usage: ReadUsage; is_own: boolean }> {
  let is_own = true;
  const projection = responseUsage({
    countedElsewhere: (source) => {
      is_own &&= source.agent === undefined;
      return owners.isElsewhere(ref, source);
    },
  });
  const { needs } = projection;
  const events = inTurns(reader.read({ needs, all_branches: true }));
  const records = await foldBatches(projection, events);
  return { usage: usageIn(records), is_own };
}

/** Decides where imported responses count: in the original if it exists, else in the first copy. */
class Owners {
  readonly #entries: readonly UsedEntry[];
  #owners: Map<string, string> | undefined;

  constructor(entries: readonly UsedEntry[]) {
    this.#entries = entries;
  }

  isElsewhere(ref: string, { agent, session_id }: EventSource): boolean {
    if (agent === undefined) return false;
    const owners = this.#owners ??= new Map(this.#entries.map(({ ref }) => [ref, ref]));
    const original = `${agent}:${session_id}`;
    const owner = owners.get(original) ?? ref;
    owners.set(original, owner);
    return owner !== ref;
  }
}
