/**
 * Removes from the catalogue what it knows of sessions that were deleted.
 */
import { toSessionError } from "../../log/io_error.ts";
import { exists } from "../../log/own_file.ts";
import { removeSync } from "../../platform/files.ts";
import { CatalogueFile, cataloguePath, keptEntry, replaceCatalogue } from "./catalogue_file.ts";
import { type CatalogueOptions, programOf } from "./catalogue_options.ts";
import { lockCatalogue } from "./replace_file.ts";
import { forgetUsage, usagePath } from "./usage_file.ts";

type IsGone = (session: { agent: string; id: string }) => boolean;

/**
 * Removes the rows of sessions that were deleted. After it no process writes them again, because
 * each looks, under the lock, for the files of what it read.
 *
 * @param ids The sessions' ids, as their agent knows them.
 * @throws {SessionError} `locked`, `permission`, `disk-full`, `io` where the rows are still there.
 */
export function forgetSessions(
  { folder, version = "" }: CatalogueOptions,
  agent: string,
  ids: readonly string[],
): void {
  if (folder === undefined) return;
  const files = [cataloguePath(folder), usagePath(folder)]
    .filter((path) => exists(path, "remove session from catalogue"));
  if (files.length === 0) return;
  const program = programOf(version);
  const gone = new Set(ids);
  const isGone: IsGone = (session) => session.agent === agent && gone.has(session.id);
  try {
    using _lock = lockCatalogue(folder);
    if (files.includes(cataloguePath(folder))) forgetRows(folder, program, isGone);
    if (files.includes(usagePath(folder)) && !forgetUsage(folder, program, isGone)) {
      removeSync(usagePath(folder));
    }
  } catch (error) {
    throw toSessionError(error, "remove session from catalogue", cataloguePath(folder));
  }
}

function forgetRows(folder: string, program: number, isGone: IsGone): void {
  const current = CatalogueFile.open(folder, program);
  // Of another version, or damaged: it may tell of the session and nobody can say where.
  if (current === undefined) return removeSync(cataloguePath(folder));
  try {
    const { columns } = current;
    const kept = Array.from({ length: columns.count }, (_, index) => index)
      .filter((index) => {
        const session = current.row(index)?.session;
        return session !== undefined && !isGone(session);
      });
    if (kept.length < columns.count) {
      replaceCatalogue(folder, program, kept.map((index) => keptEntry(current, index)));
    }
  } finally {
    current.close();
  }
}
