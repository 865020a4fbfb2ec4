/** Reads the rows of a list, with the changes of files that an earlier read counted. */
import { rowsOf } from "../../../library/query/candidate.ts";
import type { CatalogueOptions } from "../../../library/catalogue/catalogue_options.ts";
import { UsageTable } from "../../../library/counts/usage/usage_table.ts";
import type { SessionEntry } from "../../../library/query/query.ts";
import { MOST_FILES, type SessionWork } from "../../../core/projection/session_work.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";

/** Number of rows on a page. */
export const ROWS = 50;

export interface ListRow extends Summary {
  /** Absent where no one has counted the changes yet. */
  changes?: FileChanges;
}

/** The sums over all files that a session changed. */
interface FileChanges {
  files: number;
  /** True if the session changed more files than the cache keeps. */
  more: boolean;
  /** Number of added lines. */
  added: number;
  removed: number;
}

interface ListRowsOptions {
  kept: CatalogueOptions;
  /** True to look up the changes, too. */
  changes: boolean;
}

/** Returns the rows of sessions by reference. File changes come from the cache only. */
export async function listRows(
  entries: readonly SessionEntry[],
  { kept, changes }: ListRowsOptions,
): Promise<ReadonlyMap<string, ListRow>> {
  const rows = new Map<string, ListRow>((await rowsOf(entries)).map((row) => [row.ref, row]));
  if (!changes) return rows;
  using usage = new UsageTable(kept);
  for (const entry of entries) {
    const row = rows.get(entry.ref);
    const known = row && knownChanges(usage.findWork(entry.session));
    if (row !== undefined && known !== undefined) rows.set(row.ref, { ...row, changes: known });
  }
  return rows;
}

function knownChanges(work: SessionWork | undefined): FileChanges | undefined {
  if (work === undefined) return undefined;
  const count = new Set(work.files.map(([path]) => path)).size;
  return {
    files: count,
    more: count === MOST_FILES,
    added: work.files.reduce((sum, [, , , added]) => sum + added, 0),
    removed: work.files.reduce((sum, [, , , , removed]) => sum + removed, 0),
  };
}
