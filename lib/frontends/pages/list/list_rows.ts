/** Reads the rows of a list, with the changes of files that an earlier read counted. */
import { rowsOf } from "../../../library/query/candidate.ts";
import type { CatalogueOptions } from "../../../library/catalogue/catalogue_options.ts";
import { UsageTable } from "../../../library/counts/usage/usage_table.ts";
import type { SessionEntry } from "../../../library/query/query.ts";
import { MOST_FILES } from "../../../core/projection/session_work.ts";
import type { SessionUsage } from "../../../core/projection/usage_totals.ts";
import { present } from "../../../core/event/present.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";

export const ROWS = 50;

export interface ListRow extends Summary {
  /** Absent if the changes have not been counted yet. */
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

/** The last counted values of each library's rows, by the session's reference. */
const COUNTED = new WeakMap<object, Map<string, Partial<ListRow>>>();
const MOST_COUNTED = 500;

/** Adds the last known counts to rows that are not counted yet, such as running sessions. */
export function withLastCounts(
  library: object,
  rows: ReadonlyMap<string, ListRow>,
): ReadonlyMap<string, ListRow> {
  const last = lastCounts(library);
  const whole = [...rows].map(([ref, row]): [string, ListRow] => {
    const { message_count, active_ms, changes, models, ...before } = last.get(ref) ?? {};
    const { cost_usd, cost_estimated, unknown_models } = before;
    return [ref, {
      ...present({ message_count, active_ms, changes, models }),
      ...row.cost_usd === undefined && present({ cost_usd, cost_estimated, unknown_models }),
      ...row,
    }];
  });
  for (const [ref, row] of whole) last.set(ref, row);
  return new Map(whole);
}

/** Stores counts of file changes. The cache loses them when a session changes. */
export function keepChanges(library: object, used: readonly SessionUsage[]): void {
  const last = lastCounts(library);
  for (const { ref, work } of used) {
    last.set(ref, { ...last.get(ref), ...present({ changes: knownChanges(work) }) });
  }
}

function lastCounts(library: object): Map<string, Partial<ListRow>> {
  const known = COUNTED.get(library);
  if (known !== undefined && known.size <= MOST_COUNTED) return known;
  const last = new Map<string, Partial<ListRow>>();
  COUNTED.set(library, last);
  return last;
}

function knownChanges(work: SessionUsage["work"]): FileChanges | undefined {
  if (work === undefined) return undefined;
  const count = new Set(work.files.map(([path]) => path)).size;
  return {
    files: count,
    more: count === MOST_FILES,
    added: work.files.reduce((sum, [, , , added]) => sum + added, 0),
    removed: work.files.reduce((sum, [, , , , removed]) => sum + removed, 0),
  };
}
