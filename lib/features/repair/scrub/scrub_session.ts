/**
 * Replaces the secrets of a session in its own files, in copies, and in prompt histories. All
 * drafts are written before the first file is replaced. So a kill leaves every file old or new, and
 * the next run finishes the work.
 */
import { basename, dirname, join } from "node:path";
import { removeQuietly } from "../../../core/file/remove_quietly.ts";
import { makeDirectories } from "../../../core/store/create_log.ts";
import {
  dropStaged,
  finishStaged,
  placeStaged,
  type StagedFile,
  stagedPath,
  stageFile,
  stateOf,
} from "../../../core/store/staged_files.ts";
import { LOG_FILE } from "../../../core/store/session_folder.ts";
import { parseFolderName } from "../../../core/store/session_id.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import { assertNoDependant, holdAll, placesOf, type ScrubOptions } from "./hold_places.ts";
import {
  keepOriginals,
  type OriginalFile,
  restoreOriginals,
  type UndoneScrub,
} from "./kept_originals.ts";
import {
  type FileSecrets,
  filesOf,
  scrubAll,
  type Scrubbed,
  type ScrubbedAll,
} from "./scrub_files.ts";
import { holdsSecrets, isUnpacked, rewriteRows } from "./scrub_database.ts";
import { infoOf } from "./scrubbed_file.ts";
import type { SessionPlaces } from "./session_places.ts";

export interface ScrubReport {
  files: FileSecrets[];
  /** Number of different secrets in all files. */
  secrets: number;
  places: number;
  /** Databases of the agent in which some of the secrets stay, or may stay. */
  databases: string[];
  /** Folders of the agent with compressed versions of user files, which may have secrets too. */
  snapshots: string[];
  /** Paths of files that have another hard link, through which the secrets can still be read. */
  linked: string[];
  /** Ids of Reprise's own sessions whose logs change: the session itself, or imports of it. */
  sessions: string[];
  /** Paths of files that another program changed during the scrub; they were left as they are. */
  changed: string[];
  /** Path of the encrypted file with the originals; absent if none were kept. */
  originals?: string;
  /** True if the scrub first finished an earlier, killed run. */
  finished: boolean;
}

/** Returns the folder of a session's encrypted originals, and of the marker of a killed scrub. */
export function scrubFolder(root: string, { agent, id }: SessionHandle): string {
  return join(root, "scrubbed", agent, encodeURIComponent(id).replace(/^\.+/, "_").slice(0, 120));
}

/** Returns the one journal of replaced files for all sessions, because they may share files. */
function journalPath(root: string): string {
  return join(root, "scrubbed", "journal.json");
}

/**
 * Reports what a scrub would replace. Nothing is changed.
 *
 * @throws {SessionError} `unsupported-source` if the session cannot be scrubbed.
 */
export async function examineSecrets(
  handle: SessionHandle,
  options: ScrubOptions,
): Promise<ScrubReport> {
  const places = await placesOf(handle, options);
  if (handle.log === undefined) await assertNoDependant(handle);
  return reportOf(await scrubAll(handle, places, () => {}), places);
}

/**
 * Replaces the secrets of a session in all its files.
 *
 * @param recipients Public keys for the originals; undefined to keep none.
 * @throws {SessionError} `locked` if a client has the session open. `unsupported-source` if the
 * session is in a database that is not scrubbed. `permission`, `disk-full`, `io`: nothing is half
 * done then.
 */
export async function scrubSession(
  handle: SessionHandle,
  options: ScrubOptions,
  recipients: readonly string[] | undefined,
): Promise<ScrubReport> {
  const folder = scrubFolder(options.root, handle);
  const journal = journalPath(options.root);
  const release = await holdAll(handle, await placesOf(handle, options), options);
  try {
    makeDirectories(folder);
    const is_unpacked = isUnpacked(folder);
    const finished = await finishStaged(journal) !== undefined || is_unpacked;
    const places = await placesOf(handle, options);
    for (const { path } of filesOf(places)) removeQuietly(stagedPath(path));
    const staged: StagedFile[] = [];
    const removed: StagedFile[] = [];
    const originals: OriginalFile[] = [];
    try {
      const scrubbed = await scrubAll(handle, places, (one) => {
        stage(one, { staged, removed, originals });
      });
      const report = { ...reportOf(scrubbed, places), finished };
      const { changes = [] } = scrubbed.rows ?? {};
      const has_rows = changes.length > 0 || is_unpacked;
      if (staged.length === 0 && !has_rows) return report;
      const place = async (): Promise<Partial<ScrubReport>> => {
        const rows = { path: handle.path, changes };
        const kept = recipients === undefined || staged.length + changes.length === 0
          ? {}
          : { originals: await keepOriginals(folder, originals, recipients, options.now(), rows) };
        const changed = await placeStaged(journal, [...staged, ...removed]);
        return { ...kept, changed };
      };
      const placed = has_rows ? await rewriteRows(handle, changes, folder, place) : await place();
      return { ...report, ...placed };
    } catch (error) {
      if (infoOf(journal) === undefined) dropStaged(staged);
      throw error;
    }
  } finally {
    release();
  }
}

function stage(
  { file, path, bytes, removed = [] }: Scrubbed,
  to: { staged: StagedFile[]; removed: StagedFile[]; originals: OriginalFile[] },
): void {
  const info = infoOf(path);
  const { group } = file;
  const one = stageFile(path, bytes, info ?? { mode: 0o600, mtime: null }, info);
  to.staged.push(one);
  to.originals.push({ path, info, group, sha256: one.sha256 });
  for (const gone of removed) {
    const was = infoOf(gone);
    if (was === undefined) continue;
    to.removed.push({ path: gone, was: stateOf(was) });
    to.originals.push({ path: gone, info: was, group, sha256: undefined });
  }
}

function reportOf(
  { files, counts, redactor, linked, rows }: ScrubbedAll,
  { databases, database, snapshots }: SessionPlaces,
): ScrubReport {
  const holding = databases.filter((path) => holdsSecrets(path, redactor));
  if (database !== undefined && rows?.others_have_some) holding.push(database.path);
  const sessions = sessionsOf(files.map(({ path }) => path));
  const { secrets, places } = counts;
  return {
    ...{ files, secrets, places, databases: holding, snapshots, linked, sessions },
    ...{ changed: [], finished: false },
  };
}

function sessionsOf(paths: readonly string[]): string[] {
  return paths.filter((path) => basename(path) === LOG_FILE)
    .flatMap((path) => parseFolderName(basename(dirname(path)))?.session_id ?? []);
}

/**
 * Puts the originals of the last scrub back, byte for byte.
 *
 * @throws {SessionError} `not-found` if no originals are kept. `locked` if the session is open, or
 * changed since the scrub. `invalid-key`, `encrypted` if the keys do not open the originals.
 */
export async function undoScrub(
  handle: SessionHandle,
  options: ScrubOptions,
  identities: readonly string[],
): Promise<UndoneScrub> {
  const places = await placesOf(handle, options);
  const release = await holdAll(handle, places, options);
  try {
    const journal = journalPath(options.root);
    await finishStaged(journal);
    const folder = scrubFolder(options.root, handle);
    return await restoreOriginals(folder, { handle, journal, identities });
  } finally {
    release();
  }
}
