/** Puts the original of a repaired session back. */
import { dirname } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { renameSync } from "../../core/platform/files.ts";
import { syncDirectories } from "../../core/store/sync_directories.ts";
import { hashFile } from "../../core/store/import/source_state.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import { backupsOf, isRepairedOf } from "./backup_files.ts";
import { loadRepair } from "./examine_session.ts";
import { checkSame, holdSession, regularFile } from "./hold_session.ts";
import { thisMachine } from "./repair_session.ts";

/** The facts by which {@linkcode undoRepair} finds out if a client has the session open. */
export interface UndoRepairOptions {
  /** The machine's facts that tell if a client has the session open. @default {this machine's} */
  environment?: AgentEnvironment;
  /** Returns the current time. @default {the system's} */
  now?: () => Date;
}

/** The paths of a session's file and of its former backup. */
export interface UndoneRepair {
  /** Absolute path of the session's file, which has its original content again. */
  path: string;
  /** Absolute path at which the original was kept until now. */
  backup: string;
}

/**
 * Puts the original of a repaired session back, with its mode and times. A file that changed since
 * the repair is not replaced.
 *
 * @param session The session, as a library opens it.
 * @param options How to find out if a client has the session open.
 * @returns The path of the session, and the path of the backup, which no longer exists.
 * @throws {SessionError} `not-found` if there is no backup. `locked` if the session is open or
 * changed since the repair. `permission`, `io`
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm, writeFile } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { undoRepair } from "@reprise/reprise/repair";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const header = '{"type":"session","version":3,"id":"a","timestamp":"2026-11-22T10:00:00Z","cwd":"/p"}';
 * await writeFile(`${root}/a.jsonl`, `${header}\n`);
 * const library = openLibrary({ root, variable: () => root });
 * const session = await library.open(`${root}/a.jsonl`);
 * await assert.rejects(undoRepair(session), { code: "not-found" });
 * await rm(root, { recursive: true });
 * ```
 */
export async function undoRepair(
  session: SessionHandle,
  { environment = thisMachine(), now = () => new Date() }: UndoRepairOptions = {},
): Promise<UndoneRepair> {
  const { path } = session;
  const repair = await loadRepair(session);
  const info = regularFile(path);
  const backups = repair.kind === "lines" ? backupsOf(path) : [];
  const [latest] = backups;
  if (latest === undefined || repair.kind !== "lines") {
    const message = `Cannot undo repair: the folder has no backup of this session: ${path}`;
    throw new SessionError("not-found", message, { path });
  }
  const sha256 = await hashFile(path);
  const backup = backups.find((one) => isRepairedOf(one, sha256));
  if (backup === undefined) {
    const message =
      "Cannot undo repair: the session has changed since it was repaired; the original is " +
      `still in: ${latest.path}`;
    throw new SessionError("locked", message, { path: latest.path });
  }
  const release = await holdSession(session, repair, { environment, now });
  try {
    checkSame(path, info);
    renameSync(backup.path, path);
    await syncDirectories([dirname(path)]);
  } catch (error) {
    throw toSessionError(error, "undo repair", path);
  } finally {
    release();
  }
  return { path, backup: backup.path };
}
