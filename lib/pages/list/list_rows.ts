/** Reads the rows of a list, with the changes of files that an earlier read counted. */
import { rowsOf } from "../../library/candidate.ts";
import type { CatalogueOptions } from "../../library/catalogue/catalogue_options.ts";
import { lookAtSession } from "../../library/catalogue/session_state.ts";
import { UsageFile } from "../../library/catalogue/usage_file.ts";
import type { SessionEntry } from "../../library/query.ts";
import { openReader } from "../../library/registry.ts";
import { MOST_FILES } from "../../projection/session_work.ts";
import type { Summary } from "../../projection/summary_row.ts";

/** The row of a session in a list. */
export interface ListRow extends Summary {
  /** Absent where no one has counted them yet. */
  changes?: FileChanges;
}

/** The changes of a session's files, all together. */
interface FileChanges {
  files: number;
  /** True if the session changed more files than are remembered. */
  more: boolean;
  /** Lines that were added. */
  added: number;
  removed: number;
}

/** Options of the rows. */
interface ListRowsOptions {
  kept: CatalogueOptions;
  /** Looks up the changes, too. */
  changes: boolean;
}

/** Returns the rows of sessions by their references. No session is read for its changes. */
export async function listRows(
  entries: readonly SessionEntry[],
  { kept, changes }: ListRowsOptions,
): Promise<ReadonlyMap<string, ListRow>> {
  const rows = new Map<string, ListRow>((await rowsOf(entries)).map((row) => [row.ref, row]));
  if (!changes) return rows;
  const usage = new UsageFile(kept);
  for (const entry of entries) {
    const row = rows.get(entry.ref);
    const known = row && await knownChanges(entry, usage);
    if (row !== undefined && known !== undefined) rows.set(row.ref, { ...row, changes: known });
  }
  return rows;
}

/** Looks up what a session changed, if its files are as they were when it was read. */
async function knownChanges(
  { session, state }: SessionEntry,
  usage: UsageFile,
): Promise<FileChanges | undefined> {
  const reader = await openReader(session);
  const paths = (await reader.files())?.paths;
  if (paths === undefined) return undefined;
  // Who listed a log looked at that one file.
  const seen = (reader.log === undefined ? undefined : state) ?? lookAtSession(session, paths);
  const files = usage.find(session, seen)?.work?.files;
  return files && {
    files: files.length,
    more: files.length === MOST_FILES,
    added: files.reduce((sum, [, , added]) => sum + added, 0),
    removed: files.reduce((sum, [, , , removed]) => sum + removed, 0),
  };
}
