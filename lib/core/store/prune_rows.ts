/** Keeps a store in a database or in memory within limits, by the rules of a store on disk. */
import { present } from "../event/present.ts";
import type { Summary } from "../projection/summary_row.ts";
import { newestFirst } from "./selection.ts";
import { familiesOf } from "./subagents.ts";
import type { PruneOptions, PruneReport } from "./trash/prune_sessions.ts";

/**
 * Removes the sessions that are over a limit. Open sessions stay, but count for the limits.
 *
 * @param options `isOpen` is true for a session that this process has open, even without a lock.
 */
export function pruneRows(
  rows: readonly Summary[],
  { before, max_bytes = Infinity, cwd, dry_run = false, isOpen }:
    & PruneOptions
    & { isOpen(session_id: string): boolean },
  remove: (session_id: string) => void,
): PruneReport {
  const report: PruneReport = { sessions: [], bytes: 0, kept_bytes: 0, active: 0, leftovers: [] };
  const ours = rows.filter((row) => cwd === undefined || row.cwd === cwd)
    .map((row) => ({ row, updated: Date.parse(row.updated_at ?? "") }));
  report.kept_bytes = ours.reduce((sum, { row }) => sum + (row.bytes ?? 0), 0);
  const oldest = newestFirst(ours, ({ row }) => row.ref).reverse();
  for (const family of familiesOf(oldest, ({ row }) => row)) {
    const old = before !== undefined && family.every((one) => one.updated < before.getTime());
    if (!old && report.kept_bytes <= max_bytes) continue;
    if (family.some(({ row }) => row.status === "running" || isOpen(row.session_id))) {
      report.active++;
      continue;
    }
    for (const { row: { session_id, title, path, updated_at, bytes = 0 } } of family) {
      const limit = old ? "age" as const : "size" as const;
      report.sessions.push(present({ session_id, title, limit, updated_at, bytes, path }));
      report.bytes += bytes;
      report.kept_bytes -= bytes;
      if (!dry_run) remove(session_id);
    }
  }
  return report;
}
