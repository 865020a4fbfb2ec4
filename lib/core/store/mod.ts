/**
 * Renames, archives, forks, merges, imports, removes, restores and examines the sessions of a store.
 *
 * @example Fork a session
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openLocalStore } from "@reprise/reprise/store";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const store = openLocalStore({ root });
 * const session = store.create({ cwd: root });
 * await session.append({ kind: "user_message", payload: { content: "Hello" } });
 * await session.finish();
 * const fork = await store.makeFork(session.id, { title: "Another way" });
 * assert.equal((await store.list()).length, 2);
 * assert.notEqual(fork.session_id, session.id);
 * await rm(root, { recursive: true });
 * ```
 *
 * @module
 */
export type { CopyOptions, ForkedSession } from "./copy/fork_session.ts";
export type { MergedSession, MergeOptions } from "./copy/merge_sessions.ts";
export type { CopySource } from "./copy/survey_log.ts";
export type { WrittenSession } from "./copy/write_session.ts";
export type { FoundImport, FoundImports } from "./import/find_imports.ts";
export type { ImportedSession, ImportSource } from "./import/import_session.ts";
export type { Alterations } from "./import/imported_events.ts";
export type { BackupManifest } from "./import/source_copy.ts";
export type { SourceState } from "./import/source_state.ts";
export { openLocalStore } from "./open_store.ts";
export { openStorage } from "./open_storage.ts";
export type { SessionStorage } from "./storage.ts";
export type { SessionWords } from "./session_words.ts";
export type { SessionFolder } from "./session_folder.ts";
export type { ReadEvent } from "./session_line.ts";
export { LocalStore } from "./local_store.ts";
export type { EmptyTrashOptions } from "./trash/empty_trash.ts";
export type { Leftover } from "./trash/leftover.ts";
export type { PrunedSession, PruneOptions, PruneReport } from "./trash/prune_sessions.ts";
export type { RestoredSession, TrashEntry } from "./trash/trash.ts";
export type { Tombstone } from "./trash/trash_record.ts";
