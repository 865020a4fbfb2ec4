/**
 * Backs up sessions of other agents. It imports each, copies its files beside the log, and checks
 * both against the source.
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

/** The outcome for one session. */
export interface Backup {
  /** Names the session. */
  ref: string;
  /** `would-back-up` where nothing was to be written. */
  status: "backed-up" | "unchanged" | "would-back-up" | "failed";
  /** The backup's id. */
  session_id?: string;
  /** Absolute path of the backup's log. */
  path?: string;
  /** Files that were copied; none of a session in a database. */
  files?: number;
  /** The backup before it, which is archived now. */
  replaces?: string;
  /** The backup before it, which holds more and stays where it is. */
  longer?: string;
  /** True if the backup was archived, and is shown again because its source is as it was then. */
  taken_back?: true;
  /** The reason for a failure. */
  error?: string;
}

/** Options of a backup. */
export interface BackupOptions extends Pick<ImportOptions, "signal" | "onProgress" | "now"> {
  /** Only says what would be backed up. @default {false} */
  dry?: boolean;
  /** Earlier imports, where many are made. @default {those that the store has now} */
  found?: FoundImports;
  /** The directory of a session that tells none. @default {there is none: it is refused} */
  default_cwd?: string;
}

/**
 * Backs up a session, unless that was done before and it has not changed since. A backup that was
 * made before is archived, unless it holds more, or somebody continued it.
 *
 * @param store Where it goes.
 * @param session What a {@linkcode Library} opened.
 * @param options Whether only to say what would be done; what gets progress.
 * @returns What became of it.
 * @throws {SessionError} As `importHandle`.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { backUp } from "@reprise/reprise/backup";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { openLocalStore } from "@reprise/reprise/store";
 *
 * const root = await Deno.makeTempDir();
 * const path = `${root}/talk.jsonl`;
 * await Deno.writeTextFile(path, '{"seq":1,"kind":"user_message","payload":{"content":"hi"}}\n');
 * const store = openLocalStore({ root });
 * const session = await openLibrary({ root, variable: () => undefined }).open(path);
 * const { status } = await backUp(store, session, { default_cwd: root });
 * assert.equal(status, "backed-up");
 * await Deno.remove(root, { recursive: true });
 * ```
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

/** Backs up a session, or says why it cannot be. */
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

/** Counts what an import has of its source: the parts of answers, and other events. */
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
 * Archives the earlier backup, unless it holds more than the new one: its source lost something
 * since.
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

/** Shows a copy again that was archived when its source changed; says whether it was. */
async function takeBack(store: LocalStore, session_id: string): Promise<boolean> {
  const { archived } = await store.summarize(store.find(session_id));
  if (archived) await store.archive(session_id, false);
  return archived;
}

/** Archives an earlier backup, unless somebody continued it. */
async function archiveEarlier(
  store: LocalStore,
  { session_id, directory, path }: FoundImport,
): Promise<boolean> {
  const manifest = readManifest(directory);
  if (manifest === undefined || wasContinuedSince(path, manifest)) return false;
  await store.archive(session_id);
  return true;
}

/**
 * Backs up sessions one after the other. One that cannot be backed up is no reason to leave the
 * others.
 *
 * @param store Where they go.
 * @param sessions What a {@linkcode Library} opened.
 * @param options Whether only to say what would be done; the signal that ends it.
 * @returns What became of each, as it is done.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { backUpAll } from "@reprise/reprise/backup";
 * import { openLocalStore } from "@reprise/reprise/store";
 *
 * const root = await Deno.makeTempDir();
 * const done = await Array.fromAsync(backUpAll(openLocalStore({ root }), []));
 * assert.deepEqual(done, []);
 * await Deno.remove(root, { recursive: true });
 * ```
 */
export async function* backUpAll(
  store: LocalStore,
  sessions: Iterable<SessionHandle>,
  options: BackupOptions = {},
): AsyncGenerator<Backup> {
  const { found = findImports(store.root) } = options;
  for (const session of sessions) yield await tryBackUp(store, session, { ...options, found });
}
