/**
 * The summaries of a store's sessions, from the start and the end of their logs.
 *
 * @module
 */
import { present } from "../event/present.ts";
import { REPRISE } from "../event/agent_name.ts";
import { SessionError } from "../event/session_error.ts";
import { toSessionError } from "../log/io_error.ts";
import { readEvents } from "../log/read_events.ts";
import { lockedAmong } from "../log/session_lock.ts";
import type { FileInfo } from "../platform/file_system.ts";
import { statSync } from "../platform/files.ts";
import { timeInTurn } from "../platform/loop_turn.ts";
import { foldBatches } from "../projection/projection.ts";
import { wholeSummary } from "../projection/active_time.ts";
import type { LogSummary } from "../projection/summary.ts";
import type { Summary } from "../projection/summary_row.ts";
import { pathRules } from "../workspace/path_rules.ts";
import { isSamePath } from "../workspace/system_path.ts";
import { foldersOfDirectory } from "./relink/directory_folders.ts";
import { type Marks, readMarks, withMarks } from "./marks.ts";
import { edgesSummary, readLogEdges } from "./read_summary.ts";
import { type SessionFolder, sessionFolders } from "./session_folder.ts";
import { isSelected, newestFirst } from "./selection.ts";
import { fitsWords } from "./session_words.ts";
import { isSubagent, withSubagents } from "./subagents.ts";
import { isUnsaved, unreadable } from "./unsaved_log.ts";

/** Filters for a list of sessions, and the maximum number of its rows. */
export interface ListOptions {
  /** Includes only sessions whose title has this text. Case is ignored. */
  title?: string | undefined;
  /** Includes only sessions begun on a git branch whose name has this text. Case is ignored. */
  branch?: string | undefined;
  /**
   * Includes only sessions of this working directory. On disk, links are resolved.
   *
   * @default {all}
   */
  cwd?: string | undefined;
  /** True for archived sessions instead of the others, or `any` for both. @default {false} */
  archived?: boolean | "any" | undefined;
  /**
   * True to list subagents' sessions, too, even archived ones if `archived` is not given. Usage and
   * cost in other rows then exclude subagents, so that sums count no answer twice.
   *
   * @default {false}
   */
  subagents?: boolean | undefined;
  /**
   * True to read a whole log if its start and end do not tell counts, models, usage and cost.
   * Otherwise the row of a long session that was killed may lack them.
   *
   * @default {false}
   */
  exact?: boolean | undefined;
  /** Includes only sessions that were updated at this time or later. */
  since?: Date | undefined;
  /** Includes only sessions that were updated at this time or earlier. */
  until?: Date | undefined;
  /** Maximum number of sessions to return, the latest update first. @default {all} */
  limit?: number | undefined;
  /** Cancels the list. The signal's reason is thrown, and no file stays open. */
  signal?: AbortSignal | undefined;
  /**
   * Receives the errors of sessions that could not be read. A session without a readable event is
   * `damaged`, and has a row.
   *
   * @default {nothing}
   */
  onError?: ((error: SessionError) => void) | undefined;
}

interface CachedSummary {
  size: number;
  ino: number | null;
  mtime: number | undefined;
  row: LogSummary;
}

/** Summaries of logs by path, each valid while the file's size, inode and time are the same. */
export type SummaryCache = Map<string, CachedSummary>;

interface Row {
  row: LogSummary;
  bytes: number;
}

export function lookAt(path: string): FileInfo {
  try {
    return statSync(path);
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}

function readRow(path: string, cache: SummaryCache): Row {
  const known = cache.get(path);
  // Without a cached summary, the file is examined when it is opened.
  if (known !== undefined && isOf(known, lookAt(path))) {
    return { row: copyOf(known.row), bytes: known.size };
  }
  const edges = readLogEdges(path);
  const row = edgesSummary(edges);
  const { size, ino, mtime } = edges.info;
  cache.set(path, { size, ino, mtime: mtime?.getTime(), row });
  return { row: copyOf(row), bytes: edges.bytes };
}

export function logRow(path: string, cache: SummaryCache): LogSummary {
  return readRow(path, cache).row;
}

function isOf(known: CachedSummary, { size, ino, mtime }: FileInfo): boolean {
  return known.size === size && known.ino === ino && known.mtime === mtime?.getTime();
}

/** Returns a copy of a row, so that a caller may change it. */
function copyOf({ usage, models, parent, ...row }: LogSummary): LogSummary {
  return present({
    ...row,
    usage: usage && { ...usage },
    models: models && [...models],
    parent: parent && { ...parent },
  });
}

/** Maximum reads of a log that is being written. After these, the session counts as running. */
const MOST_LOOKS = 8;

interface Reading extends SummarizeOptions {
  marks: Marks;
  cache: SummaryCache;
  looks?: number;
}

/** A row whose status is not known yet: `interrupted` may still turn out to be `running`. */
interface OpenRow {
  folder: SessionFolder;
  row: Summary;
}

/** Sets the status of each row. Lets other tasks of the process run between two rows. */
async function settleAll(
  rows: readonly OpenRow[],
  reading: Reading,
  onError?: (error: SessionError) => void,
): Promise<Summary[]> {
  const all: Summary[] = [];
  const locked = await lockedAmong(rows.map(({ folder }) => folder.directory));
  for (const row of rows) {
    await timeInTurn();
    try {
      const summary = await settle(row, locked, reading);
      if (summary !== undefined) all.push(summary);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      if (error.code !== "not-found") onError?.(error);
    }
  }
  return all;
}

/**
 * Gives a row the status that fits it. Locks are checked after the row was read, and a log that has
 * grown meanwhile is read again. A close between two reads must not look like a crash.
 */
function settle(
  { folder, row }: OpenRow,
  locked: ReadonlySet<string>,
  reading: Reading,
): Summary | Promise<Summary | undefined> {
  const { looks = 1, cache } = reading;
  if (locked.has(folder.directory)) return { ...row, status: "running" };
  if (row.status !== "interrupted") return row;
  if (readRow(folder.path, cache).bytes === row.bytes) return row;
  if (looks === MOST_LOOKS) return { ...row, status: "running" };
  return summarize(folder, { ...reading, looks: looks + 1 });
}

async function readExactRow(path: string): Promise<LogSummary> {
  const projection = wholeSummary();
  return await foldBatches(projection, readEvents(path, { kinds: projection.needs }));
}

async function withActiveTime(row: LogSummary, path: string): Promise<LogSummary> {
  const { active_ms } = await readExactRow(path);
  return present({ ...row, active_ms });
}

interface SummarizeOptions {
  /** True to read the whole log if its start and end do not tell the counts. */
  exact?: boolean;
  /** True to read the whole log for its active time, too. */
  whole?: boolean;
}

/** Returns the summary of one session; undefined while its log is being made. */
export async function summarizeSession(
  folder: SessionFolder,
  marks: Marks,
  { cache = new Map(), ...options }: SummarizeOptions & { cache?: SummaryCache } = {},
): Promise<Summary | undefined> {
  return await summarize(folder, { ...options, marks, cache });
}

async function summarize(folder: SessionFolder, reading: Reading): Promise<Summary | undefined> {
  const row = await readOpenRow(folder, reading);
  return row && await settle(row, await lockedAmong([folder.directory]), reading);
}

async function readOpenRow(folder: SessionFolder, reading: Reading): Promise<OpenRow | undefined> {
  const { path, session_id, created_at } = folder;
  const { exact = false, whole = false, marks, cache } = reading;
  let read: Row;
  try {
    read = readRow(path, cache);
    const is_partial = read.row.message_count === undefined;
    if ((exact || whole) && is_partial) read.row = await readExactRow(path);
    else if (whole) read.row = await withActiveTime(read.row, path);
  } catch (error) {
    if (error instanceof SessionError && error.code === "not-found") return undefined;
    throw error;
  }
  const { closed, findings: _findings, ...row } = read.row;
  const summary: Summary = {
    created_at,
    updated_at: row.created_at ?? created_at,
    ...row,
    ref: session_id,
    agent: REPRISE,
    session_id,
    path,
    bytes: read.bytes,
    status: closed ?? "interrupted",
  };
  return { folder, row: withMarks(summary, marks) };
}

export function selectSummaries(rows: readonly Summary[], options: ListOptions): Summary[] {
  const { subagents = false } = options;
  const wanted = (subagents ? rows : withSubagents(rows))
    .filter((row) => isIn(row.cwd, options.cwd) && fitsWords(row, options, "row"))
    .map((row) => ({
      row,
      updated: Date.parse(row.updated_at ?? ""),
      archived: row.archived,
      subagent: isSubagent(row),
    }))
    .filter((one) => isSelected(one, { ...options, subagents }));
  return newestFirst(wanted, ({ row }) => row.ref, options.limit).map(({ row }) => row);
}

/** True if a session may belong to `directory`. Without a recorded directory, any session may. */
function isIn(cwd: string | undefined, directory: string | undefined): boolean {
  return cwd === undefined || directory === undefined ||
    isSamePath(cwd, directory, pathRules());
}

async function readOpenRows(
  root: string,
  { cwd, onError, signal }: Pick<ListOptions, "cwd" | "onError" | "signal">,
  reading: Reading,
): Promise<OpenRow[]> {
  const { marks } = reading;
  const rows: OpenRow[] = [];
  const folders = cwd === undefined ? sessionFolders(root) : foldersOfDirectory(root, cwd, marks);
  for (const folder of folders) {
    await timeInTurn();
    signal?.throwIfAborted();
    try {
      const row = await readOpenRow(folder, reading);
      if (row !== undefined) rows.push(row);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      onError?.(error);
    }
  }
  return rows;
}

/**
 * Reads the summaries of sessions, also of archived sessions. With `cwd`, reads only the sessions
 * that may belong to that directory.
 *
 * @throws {SessionError} `permission`, `io` of the store. A session's errors go to `onError`.
 */
export async function readSummaries(
  root: string,
  { exact = false, ...options }: Pick<ListOptions, "exact" | "cwd" | "onError">,
  cache: SummaryCache,
): Promise<Summary[]> {
  const reading = { marks: readMarks(root, options.onError), exact, cache };
  const rows = await readOpenRows(root, options, reading);
  return await settleAll(rows, reading, options.onError);
}

/**
 * Lists sessions, the newest update first. Locks are checked only for listed sessions. Logs without
 * an acknowledged event are left out.
 *
 * @throws {SessionError} `permission`, `io` of the store. A session's errors go to `onError`.
 */
export async function listSessions(
  root: string,
  options: ListOptions,
  cache: SummaryCache,
): Promise<Summary[]> {
  const { exact = false, onError } = options;
  const reading = { marks: readMarks(root, onError), exact, cache };
  const rows = (await readOpenRows(root, options, reading))
    .filter(({ row }) => !isUnsaved(row));
  for (const { row } of rows) {
    if (row.last_seq === undefined && row.cwd === undefined) onError?.(unreadable(row.path));
  }
  const folders = new Map(rows.map(({ row, folder }) => [row.path, folder]));
  const selected = selectSummaries(rows.map(({ row }) => row), options);
  const chosen = selected.map((row) => ({ row, folder: folders.get(row.path) as SessionFolder }));
  return await settleAll(chosen, reading, onError);
}
