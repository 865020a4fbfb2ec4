/**
 * Keeps a store within limits, only on request. The least recently updated sessions go to the
 * trash. Only leftovers of unfinished sessions are deleted.
 */
import { dirname } from "node:path";
import { present } from "../../event/present.ts";
import { type LockHolder, SessionError } from "../../event/session_error.ts";
import type { Summary } from "../../projection/summary_row.ts";
import { pathRules } from "../../workspace/path_rules.ts";
import { isSamePath } from "../../workspace/system_path.ts";
import { importOrigin } from "../import/find_imports.ts";
import { lookAt, readSummaries, type SummaryCache } from "../list_sessions.ts";

import { edgesSummary, readLogEdges } from "../read_summary.ts";
import type { SessionFolder } from "../session_folder.ts";
import { familiesOf } from "../subagents.ts";
import { isUnsaved } from "../unsaved_log.ts";
import { newerFirst, updateMoment } from "../update_order.ts";
import { findLeftovers, type Leftover, removeLeftovers } from "./leftover.ts";
import { folderSize } from "./store_size.ts";
import { removeSession } from "./trash.ts";
import { shownTitle } from "./trash_record.ts";

/** The limits for sessions, and the sessions that they apply to. */
export interface PruneOptions {
  /** Removes sessions last updated and imported before this time. @default {no limit of age} */
  before?: Date;
  /** Maximum bytes of all sessions. The oldest are removed first. @default {no limit of size} */
  max_bytes?: number;
  /** Applies the limits only to sessions of this working directory. @default {all} */
  cwd?: string;
  /** True to report what would be removed, and change nothing. @default {false} */
  dry_run?: boolean;
  /** Receives the errors of sessions that could not be read or moved. @default {nothing} */
  onError?: (error: SessionError) => void;
  /** Receives the number of bytes moved so far, and of all bytes. @default {nothing} */
  onProgress?: (done: number, all: number) => void;
}

/** A session that pruning moved to the trash, or would move in a dry run. */
export interface PrunedSession {
  /** The session's id: a UUID v4, or the id that its program gave. */
  session_id: string;
  /** The title in the session's summary; may be empty. */
  title: string;
  /** True if an event in the summary was changed after it was written. */
  altered?: true;
  /** The limit that the session is over. */
  limit: "age" | "size";
  /** ISO 8601: time of the last update; absent if unknown. */
  updated_at?: string;
  /** Size of all files of the session, in bytes. */
  bytes: number;
  /** Path of the session's folder, which is in the trash unless this is a dry run. */
  path: string;
}

/** The sessions that pruning removed, or would remove. */
export interface PruneReport {
  /** The removed sessions, the least recently updated one first. */
  sessions: PrunedSession[];
  /** Size of all files of the removed sessions, in bytes. */
  bytes: number;
  /** Size of all files of the remaining sessions, in bytes. */
  kept_bytes: number;
  /** Number of sessions over a limit that stay, because they are or were just being written. */
  active: number;
  /** Deleted leftovers: unfinished sessions that did not change for a day. */
  leftovers: Leftover[];
}

interface Candidate {
  row: Summary;
  bytes: number;
  /** ISO 8601: time of the last update or of the import, whichever is later; absent if unknown. */
  since?: string | undefined;
}

interface Plan {
  sessions: (Candidate & Pick<PrunedSession, "limit">)[];
  kept_bytes: number;
  active: number;
}

interface PruneMeans {
  cache: SummaryCache;
  holder: LockHolder;
  /** True for a session that this process has open, even after `rest`. */
  isOpen(session_id: string): boolean;
}

const LEFTOVER_AGE_MS = 86_400_000;

/**
 * Moves the sessions that are over a limit to the trash, also archived sessions. A session and its
 * subagents go together, by the last update among them. Pinned sessions and sessions that are being
 * written stay, but their bytes count toward the size limit. A session of unknown age goes only if
 * the store is over this limit.
 *
 * @throws {SessionError} `permission`, `io` of the store. A session's errors go to `onError`.
 */
export async function pruneSessions(
  root: string,
  options: PruneOptions,
  { cache, holder, isOpen }: PruneMeans,
): Promise<PruneReport> {
  const { dry_run = false, onError = ignore, onProgress } = options;
  const { sessions, ...plan } = planPrune(await readCandidates(root, options, cache), {
    ...options,
    isOpen,
  });
  const report: PruneReport = { sessions: [], bytes: 0, ...plan, leftovers: [] };
  const all = sessions.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { row, bytes, limit } of sessions) {
    const path = dry_run ? dirname(row.path) : await remove(root, { row, bytes }, holder, onError);
    if (path === "active") report.active++;
    if (path === undefined || path === "active") report.kept_bytes += bytes;
    else addPruned(report, { row, bytes, limit }, path);
    onProgress?.(report.bytes, all);
  }
  const leftovers = findLeftovers(root, new Date(Date.parse(holder.since) - LEFTOVER_AGE_MS));
  report.leftovers = dry_run ? leftovers : removeLeftovers(leftovers, onError);
  return report;
}

function ignore(): void {}

function addPruned(
  report: PruneReport,
  { row, bytes, limit }: Plan["sessions"][number],
  path: string,
): void {
  const { session_id, updated_at } = row;
  const pruned = { session_id, ...shownTitle(row), limit, updated_at, bytes, path };
  report.sessions.push(present(pruned));
  report.bytes += bytes;
}

async function readCandidates(
  root: string,
  options: PruneOptions,
  cache: SummaryCache,
): Promise<Candidate[]> {
  const { cwd, onError = ignore } = options;
  const rows = await readSummaries(root, present({ cwd, onError }), cache);
  return rows.filter((row) => cwd === undefined || belongsTo(row, cwd))
    .map((row) => ({
      row,
      bytes: folderSize(dirname(row.path)).bytes,
      since: sinceOf(row, options),
    }))
    .sort(byAge);
}

/** Returns the time of the last update or of the import, whichever is later. */
function sinceOf(
  { path, updated_at }: Summary,
  { before, max_bytes }: PruneOptions,
): string | undefined {
  const matters = max_bytes !== undefined || isBefore(updated_at, before);
  const imported_at = matters ? readImportTime(path) : NaN;
  return imported_at > Date.parse(updated_at ?? "")
    ? new Date(imported_at).toISOString()
    : updated_at;
}

function readImportTime(path: string): number {
  const imported_at: unknown = importOrigin(path)?.imported_at;
  return typeof imported_at === "string" ? Date.parse(imported_at) : NaN;
}

function isBefore(time: string | undefined, before: Date | undefined): boolean {
  return before !== undefined && Date.parse(time ?? "") < before.getTime();
}

function belongsTo(row: Summary, cwd: string): boolean {
  return row.cwd !== undefined && isSamePath(row.cwd, cwd, pathRules());
}

function byAge(one: Candidate, other: Candidate): number {
  return newerFirst(updateMoment(other.since), updateMoment(one.since)) ||
    (one.row.ref < other.row.ref ? -1 : 1);
}

function planPrune(
  candidates: readonly Candidate[],
  { before, max_bytes, isOpen }: PruneOptions & Pick<PruneMeans, "isOpen">,
): Plan {
  let kept_bytes = candidates.reduce((sum, { bytes }) => sum + bytes, 0);
  const plan: Plan = { sessions: [], kept_bytes: 0, active: 0 };
  for (const family of familiesOf(candidates, ({ row }) => row)) {
    const old = before !== undefined && family.every((one) => isOlder(one, before));
    if (!old && (max_bytes === undefined || kept_bytes <= max_bytes)) continue;
    if (family.some(({ row }) => row.pinned)) continue;
    if (family.some(({ row }) => row.status === "running" || isOpen(row.session_id))) plan.active++;
    else {
      for (const one of family) {
        plan.sessions.push({ ...one, limit: old ? "age" : "size" });
        kept_bytes -= one.bytes;
      }
    }
  }
  return { ...plan, kept_bytes };
}

/** True if a session was last updated before a time. False if its events have no time. */
function isOlder({ row, since }: Candidate, before: Date): boolean {
  if (!isBefore(since, before)) return false;
  try {
    return edgesSummary(readLogEdges(row.path)).updated_at !== undefined || isUnsaved(row);
  } catch (error) {
    // It cannot be read any more: its age is not known either.
    if (error instanceof SessionError) return false;
    throw error;
  }
}

/** Returns the path in the trash, `active` if the session is in use, undefined on failure. */
async function remove(
  root: string,
  { row, bytes }: Candidate,
  holder: LockHolder,
  onError: (error: SessionError) => void,
): Promise<string | undefined> {
  const { session_id, path, created_at = "" } = row;
  const folder: SessionFolder = { directory: dirname(path), path, session_id, created_at };
  try {
    // A writer continued it meanwhile.
    if (lookAt(path).size !== row.bytes) return "active";
    const about = { ...shownTitle(row), bytes, reason: "pruned" } as const;
    return (await removeSession(root, folder, about, holder)).to;
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    if (error.code === "locked") return "active";
    onError(error);
    return undefined;
  }
}
