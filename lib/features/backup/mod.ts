/**
 * Backing up the sessions of other agents, before the agents delete or rewrite them.
 *
 * @example Back up every session of this machine
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { watchSessions } from "@reprise/reprise/backup";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { openLocalStore } from "@reprise/reprise/store";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const library = openLibrary({ root, variable: () => undefined });
 * const kept = [];
 * for await (const news of watchSessions(library, openLocalStore({ root }), { once: true })) {
 *   if (news.status === "kept") kept.push(news.ref);
 * }
 * assert.deepEqual(kept, []);
 * await rm(root, { recursive: true });
 * ```
 *
 * @module
 */
export type { GenerationEnd } from "../../library/machine/kept/manifest.ts";
export type { WatchNews } from "./watch_news.ts";
export { watchSessions, type WatchSessionsOptions } from "./watch_sessions.ts";
export { type BackupGeneration, type KeptBackup, listBackups } from "./list_backups.ts";
export { type RestoredBackup, type RestoreOptions, restoreSession } from "./restore_session.ts";
export type { BackupOptions } from "./back_up.ts";
