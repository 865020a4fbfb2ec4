/**
 * The summaries of a store's sessions, from the edges of their logs.
 *
 * @module
 */
import { present } from "../event/present.ts";
import { setImmediate } from "node:timers";
import { REPRISE } from "../event/agent_name.ts";
import { SessionError } from "../event/session_error.ts";
import { toSessionError } from "../log/io_error.ts";
import { readEvents } from "../log/read_events.ts";
import { isLocked } from "../log/session_lock.ts";
import type { FileInfo } from "../platform/file_system.ts";
import { statSync } from "../platform/files.ts";
import { foldBatches } from "../projection/projection.ts";
import { wholeSummary } from "../projection/active_time.ts";
import type { LogSummary } from "../projection/summary.ts";
import type { SessionStatus, Summary } from "../projection/summary_row.ts";
import { pathRules } from "../workspace/path_rules.ts";
import { isSamePath } from "../workspace/system_path.ts";
import { foldersOfDirectory } from "./relink/directory_folders.ts";
import { type Marks, readMarks, withMarks } from "./marks.ts";
import { edgesSummary, readLogEdges } from "./read_summary.ts";
import { type SessionFolder, sessionFolders } from "./session_folder.ts";
import { isSelected, newestFirst } from "./selection.ts";
import { fitsWords, type SessionWords } from "./session_words.ts";

/** The sessions to list. */
export interface ListOptions extends Pick<SessionWords, "title" | "branch"> {
  /** Includes only sessions of this working directory. @default {all} */
  cwd?: string | undefined;
  /** True for archived sessions instead of the others, or `any` for both. @default {false} */
  archived?: boolean | "any" | undefined;
  /** True to read a whole log if its start and end do not tell the counts. @default {false} */
  exact?: boolean | undefined;
  /** Includes only sessions that were updated at this time or later. */
  since?: Date | undefined;
  /** Includes only sessions that were updated at this time or earlier. */
  until?: Date | undefined;
  /** Maximum number of sessions. */
  limit?: number | undefined;
  /** Receives the errors of sessions that could not be read. @default {nothing} */
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

/** Number of sessions before other tasks of the process may run. A timer would idle for 3 ms. */
const SLICE = 256;

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
  // What is not known is looked at once it is open, all the same.
  if (known !== undefined && isOf(known, lookAt(path))) {
    return { row: copyOf(known.row), bytes: known.size };
  }
  const edges = readLogEdges(path);
  const row = edgesSummary(edges);
  const { size, ino, mtime } = edges.info;
  cache.set(path, { size, ino, mtime: mtime?.getTime(), row });
  return { row: copyOf(row), bytes: edges.bytes };
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

/**
 * Reads the row and the status of a session so that they fit. A close between two reads must not
 * look like a crash.
 */
function readRowAndStatus(
  { path, directory }: SessionFolder,
  cache: SummaryCache,
): Row & { status: SessionStatus } {
  let read = readRow(path, cache);
  for (let looks = 1; looks < MOST_LOOKS; looks++) {
    if (isLocked(directory)) return { ...read, status: "running" };
    if (read.row.closed !== undefined) return { ...read, status: read.row.closed };
    const again = readRow(path, cache);
    if (again.bytes === read.bytes) return { ...read, status: "interrupted" };
    read = again;
  }
  return { ...read, status: "running" };
}

async function readExactRow(path: string): Promise<LogSummary> {
  const projection = wholeSummary();
  return await foldBatches(projection, readEvents(path, { kinds: projection.needs }));
}

/** Adds the active time, which needs a read of the whole log. The rest stays as in every list. */
async function withActiveTime(row: LogSummary, path: string): Promise<LogSummary> {
  const { active_ms } = await readExactRow(path);
  return present({ ...row, active_ms });
}

/**
 * Returns the summary of one session; undefined while its log is being made.
 *
 * @param options Read the log where its edges do not tell the counts, or its active time either.
 */
export async function summarizeSession(
  folder: SessionFolder,
  marks: Marks,
  { exact = false, whole = false, cache = new Map() }: {
    exact?: boolean;
    whole?: boolean;
    cache?: SummaryCache;
  } = {},
): Promise<Summary | undefined> {
  const { path, session_id, created_at } = folder;
  let read: Row & { status: SessionStatus };
  try {
    read = readRowAndStatus(folder, cache);
    const is_partial = read.row.message_count === undefined;
    if ((exact || whole) && is_partial) read.row = await readExactRow(path);
    else if (whole) read.row = await withActiveTime(read.row, path);
  } catch (error) {
    if (error instanceof SessionError && error.code === "not-found") return undefined;
    throw error;
  }
  const { closed: _closed, findings: _findings, ...row } = read.row;
  return withMarks(
    {
      created_at,
      updated_at: row.created_at ?? created_at,
      ...row,
      ref: session_id,
      agent: REPRISE,
      session_id,
      path,
      bytes: read.bytes,
      status: read.status,
    },
    marks,
  );
}

/** Returns the summaries that a list shows, the newest update first. */
export function selectSummaries(rows: readonly Summary[], options: ListOptions): Summary[] {
  const wanted = rows.filter((row) => isIn(row.cwd, options.cwd) && fitsWords(row, options, "row"))
    .map((row) => ({ row, updated: Date.parse(row.updated_at ?? ""), archived: row.archived }))
    .filter((one) => isSelected(one, options));
  return newestFirst(wanted, ({ row }) => row.ref, options.limit).map(({ row }) => row);
}

/** True if a session may be of a directory. A session without a recorded directory may be. */
function isIn(cwd: string | undefined, directory: string | undefined): boolean {
  return cwd === undefined || directory === undefined ||
    isSamePath(cwd, directory, pathRules());
}

/**
 * Reads the summaries of all sessions, or of those that may belong to a directory, archived or not.
 *
 * @throws {SessionError} `permission`, `io`: of the store as a whole; of one session they go to `onError`.
 */
export async function readSummaries(
  root: string,
  { exact = false, cwd, onError }: Pick<ListOptions, "exact" | "cwd" | "onError">,
  cache: SummaryCache,
): Promise<Summary[]> {
  const marks = readMarks(root, onError);
  const rows: Summary[] = [];
  const folders = cwd === undefined ? sessionFolders(root) : foldersOfDirectory(root, cwd, marks);
  for (const [index, folder] of folders.entries()) {
    if (index % SLICE === SLICE - 1) {
      await new Promise<void>((resolve) => void setImmediate(resolve));
    }
    try {
      const row = await summarizeSession(folder, marks, { exact, cache });
      if (row !== undefined) rows.push(row);
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      onError?.(error);
    }
  }
  return rows;
}

/**
 * Lists sessions, the newest update first.
 *
 * @throws {SessionError} `permission`, `io`: of the store as a whole; of one session they go to `onError`.
 */
export async function listSessions(
  root: string,
  options: ListOptions,
  cache: SummaryCache,
): Promise<Summary[]> {
  return selectSummaries(await readSummaries(root, options, cache), options);
}
