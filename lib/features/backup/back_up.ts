/**
 * Backs up sessions of other agents. A backup imports a session, copies its files beside the log,
 * and checks both against the source.
 */
import { present } from "../../core/event/present.ts";
import { SessionError } from "../../core/event/session_error.ts";
import {
  importHandle,
  type ImportOptions,
  type ImportOutcome,
} from "../../library/handle/import/import_handle.ts";
import { planImport } from "../../library/handle/import/look_up.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import { readEvents } from "../../core/log/read_events.ts";
import { toParts } from "../../core/projection/said_parts.ts";
import {
  findImports,
  type FoundImport,
  type FoundImports,
} from "../../core/store/import/find_imports.ts";
import { readManifest } from "../../core/store/import/source_copy.ts";
import { wasContinuedSince } from "../../core/store/import/was_continued.ts";
import type { LocalStore } from "../../core/store/local_store.ts";

export interface Backup {
  ref: string;
  status: "backed-up" | "unchanged" | "would-back-up" | "failed";
  /** Id of the backup, which is itself a session of the store. */
  session_id?: string;
  path?: string;
  /** Number of copied files; 0 for a session in a database. */
  files?: number;
  /** Id of the earlier backup, which was archived. */
  replaces?: string;
  /** Id of an earlier backup that stays listed, because it holds more than the new backup. */
  longer?: string;
  /** True if a backup was unarchived, because the source has the backup's content again. */
  taken_back?: true;
  error?: string;
}

/** Settings of a backup: a dry run, known imports, and a directory for sessions without one. */
export interface BackupOptions extends Pick<ImportOptions, "signal" | "onProgress" | "now"> {
  /** True to report what would be backed up, and write nothing. @default {false} */
  dry?: boolean;
  /** Earlier imports, searched once for many backups. @default {the store's current imports} */
  found?: FoundImports;
  /** The directory for a session that records none. @default {the session is refused} */
  default_cwd?: string;
}

/**
 * Backs up a session, unless it has not changed since its last backup. An earlier backup of the
 * session is then archived, unless the earlier backup holds more or somebody continued it.
 *
 * @throws {SessionError} As `importHandle`.
 */
export async function backUp(
  store: LocalStore,
  session: SessionHandle,
  { dry = false, ...run }: BackupOptions = {},
): Promise<Backup> {
  const options = { backup: true, ...run };
  const { ref } = session;
  if (dry) {
    const { same } = await planImport(store.root, session, options);
    if (same === undefined) return { ref, status: "would-back-up" };
    return { ref, status: "unchanged", session_id: same.session_id, path: same.path };
  }
  const outcome = await importHandle(store, session, options);
  const { status, session_id, path, manifest, earlier } = outcome;
  if (status === "unchanged") {
    const back = earlier !== undefined && await takeBack(store, session_id);
    return present({ ref, status, session_id, path, taken_back: back || undefined });
  }
  const files = manifest?.files.length ?? 0;
  const before = earlier === undefined ? {} : await settleEarlier(store, outcome, earlier);
  return { ref, status: "backed-up", session_id, path, files, ...before };
}

async function tryBackUp(
  store: LocalStore,
  session: SessionHandle,
  options: BackupOptions,
): Promise<Backup> {
  try {
    return await backUp(store, session, options);
  } catch (error) {
    if (!(error instanceof SessionError) || options.signal?.aborted) throw error;
    return { ref: session.ref, status: "failed", error: error.message };
  }
}

/** Returns the number of imported events in a log. Each part of an answer counts as one event. */
async function importedParts(path: string): Promise<number> {
  let count = 0;
  for await (const events of readEvents(path)) {
    for (const event of events) {
      if (event.form !== "known" || event.source === undefined) continue;
      count += event.kind === "assistant_message" ? toParts(event.payload.content).length : 1;
    }
  }
  return count;
}

/**
 * Archives the earlier backup, unless the source has lost something and the earlier backup holds
 * more.
 */
async function settleEarlier(
  store: LocalStore,
  { imported_from, path }: ImportOutcome,
  earlier: FoundImport,
): Promise<Pick<Backup, "replaces" | "longer">> {
  const { session_id } = earlier;
  const shorter = imported_from.bytes === undefined || earlier.imported_from.bytes === undefined
    ? await importedParts(path) < await importedParts(earlier.path)
    : imported_from.bytes < earlier.imported_from.bytes;
  if (shorter) return { longer: session_id };
  return await archiveEarlier(store, earlier) ? { replaces: session_id } : {};
}

async function takeBack(store: LocalStore, session_id: string): Promise<boolean> {
  const { archived } = await store.summarize(store.find(session_id));
  if (archived) await store.archive(session_id, false);
  return archived;
}

async function archiveEarlier(
  store: LocalStore,
  { session_id, directory, path }: FoundImport,
): Promise<boolean> {
  const manifest = readManifest(directory);
  if (manifest === undefined || wasContinuedSince(path, manifest)) return false;
  await store.archive(session_id);
  return true;
}

/** Yields each outcome as soon as its backup ends. A failed backup does not stop the others. */
export async function* backUpAll(
  store: LocalStore,
  sessions: Iterable<SessionHandle>,
  options: BackupOptions = {},
): AsyncGenerator<Backup> {
  const { found = findImports(store.root) } = options;
  for (const session of sessions) yield await tryBackUp(store, session, { ...options, found });
}
