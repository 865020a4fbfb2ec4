/**
 * Repairs a session in its place, or in a copy. The damaged file is kept, byte for byte.
 *
 * @module
 */
import { dirname, join } from "node:path";
import { SessionError } from "../../core/event/session_error.ts";
import { libraryPlace } from "../../library/catalogue/library_place.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import type { FileInfo } from "../../core/platform/file_system.ts";
import {
  chmodSync,
  lstatSync,
  removeSync,
  renameSync,
  utimeSync,
} from "../../core/platform/files.ts";
import { environmentVariable } from "../../core/platform/process.ts";
import { operatingSystem } from "../../core/platform/runtime.ts";
import { isNotFound } from "../../core/platform/system_error.ts";
import { syncDirectories } from "../../core/store/sync_directories.ts";
import { hashFile } from "../../core/store/import/source_state.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import { keepBackup } from "./backup_files.ts";
import {
  countMessages,
  type PlannedRepair,
  planRepair,
  type RepairOptions,
  type RepairReport,
} from "./examine_session.ts";
import { checkSame, holdSession, isSame, regularFile } from "./hold_session.ts";
import { repairedBytes } from "./repaired_bytes.ts";
import { writeBytes, type WrittenBytes } from "./write_bytes.ts";

/** Options of {@linkcode repairSession}, with facts to find out if the session is open. */
export interface RepairInPlaceOptions extends RepairOptions {
  /** The machine's facts, to tell whether a client has the session open. @default {this machine's} */
  environment?: AgentEnvironment;
}

/** The result of a repair in place. */
export interface RepairedSession {
  /** The faults, and what the repair did about them. */
  report: RepairReport;
  /** Absolute path of the kept original; absent if nothing was repaired. */
  backup?: string;
  /** Further facts that the session's user should know. */
  notes: string[];
}

export function thisMachine(): AgentEnvironment {
  const machine = { root: undefined, variable: environmentVariable, os: operatingSystem };
  return libraryPlace(machine).environment;
}

/**
 * Repairs a session of another agent in place. The original stays beside the repaired file under
 * another name. {@linkcode undoRepair} puts the original back. The repaired file keeps the
 * original's mode and time.
 *
 * @param session The session, as a library opens it.
 * @param options Options that allow guesses, and cutting long outputs.
 * @returns The findings, and the path of the original.
 * @throws {SessionError} `locked` if a client has the session open, or the session changed while it
 * was read. `unsupported-source` if the session cannot be repaired. `invalid-config` if the option
 * `cwd` is needed. `not-found`, `permission`, `disk-full`, `io`
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, readFile, rm, utimes, writeFile } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { repairSession, undoRepair } from "@reprise/reprise/repair";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * const path = `${root}/session.jsonl`;
 * const header = '{"type":"session","version":3,"id":"a","timestamp":"2026-11-22T10:00:00Z","cwd":"/p"}';
 * await writeFile(path, `${header}\n{"type":"mess`);
 * await utimes(path, new Date(0), new Date(0));
 *
 * const library = openLibrary({ root, variable: () => root });
 * const session = await library.open(path);
 * const { backup } = await repairSession(session);
 * assert.equal(await readFile(path, "utf8"), `${header}\n`);
 *
 * assert.equal((await undoRepair(session)).backup, backup);
 * assert.equal(await readFile(path, "utf8"), `${header}\n{"type":"mess`);
 * await rm(root, { recursive: true });
 * ```
 */
export async function repairSession(
  session: SessionHandle,
  options: RepairInPlaceOptions = {},
): Promise<RepairedSession> {
  const { path } = session;
  const { environment = thisMachine(), now = () => new Date() } = options;
  const info = regularFile(path);
  const planned = await planRepair(session, options);
  const notes = notesOf(planned, info);
  checkHeader(planned.report);
  if (!planned.report.repairable) return { report: planned.report, notes };
  await checkDependants(session, planned);
  const release = await holdSession(session, planned.repair, { environment, now });
  try {
    const backup = await replace(session, planned, { info, time: now() });
    return { report: planned.report, backup, notes };
  } finally {
    release();
  }
}

function checkHeader({ findings, path }: RepairReport): void {
  if (!findings.some(({ needs }) => needs === "cwd")) return;
  const message =
    "Cannot repair session: the session's first record is missing, and the session's " +
    `directory is unknown; give the directory with --cwd: ${path}`;
  throw new SessionError("invalid-config", message, { path });
}

async function checkDependants(
  { session }: SessionHandle,
  { repair }: PlannedRepair,
): Promise<void> {
  const other = await repair.dependant?.(session);
  if (other === undefined) return;
  const { path } = session;
  const message =
    `Cannot change session: its fork ${other} still reads the first part of this file, and a ` +
    `repair would break the fork; write a repaired copy with --out: ${path}`;
  throw new SessionError("unsupported-source", message, { path });
}

function notesOf({ repair }: PlannedRepair, { nlink }: FileInfo): string[] {
  const notes = repair.note === undefined ? [] : [repair.note];
  if ((nlink ?? 1) < 2) return notes;
  return [
    ...notes,
    "The file has a second name (a hard link). That name still has the old content.",
  ];
}

interface Replaced {
  info: FileInfo;
  time: Date;
}

async function replace(
  handle: SessionHandle,
  { options }: PlannedRepair,
  { info, time }: Replaced,
): Promise<string> {
  const { path, session } = handle;
  const draft = join(dirname(path), `.reprise-repair-${crypto.randomUUID()}`);
  const written = await writeBytes(draft, repairedBytes(path, options), "write repaired session");
  let backup: string | undefined;
  let placed = false;
  try {
    dress(draft, info, path);
    const count = await countMessages({ ...session, path: draft });
    checkSame(path, info);
    backup = keepBackup(path, written.sha256, time);
    checkSame(backup, info);
    renameSync(draft, path);
    placed = true;
    await syncDirectories([dirname(path)]);
    await verify(handle, { backup, info, count, written });
    return backup;
  } catch (error) {
    if (placed && backup !== undefined) renameSync(backup, path);
    else {
      removeSync(draft);
      if (backup !== undefined) removeSync(backup);
    }
    throw toSessionError(error, "replace session", path);
  }
}

/** Gives the draft the mode and time of the original. Throws if the original has another owner. */
function dress(draft: string, { mode, mtime, uid }: FileInfo, path: string): void {
  if (uid !== null && lstatSync(draft).uid !== uid) {
    const message = `Cannot change session: the file belongs to another user: ${path}`;
    throw new SessionError("permission", message, { path });
  }
  if (mode !== null && operatingSystem !== "windows") chmodSync(draft, mode & 0o7777);
  if (mtime !== null) utimeSync(draft, mtime, mtime);
}

/**
 * Checks the repaired file. Also checks that no program wrote to the original during the repair.
 * The repair has renamed the original to `backup`.
 */
async function verify(
  { path, session }: SessionHandle,
  { backup, info, count, written }: {
    backup: string;
    info: FileInfo;
    count: number;
    written: WrittenBytes;
  },
): Promise<void> {
  if (!isSame(lstatSync(backup), info)) {
    const message =
      `Cannot change session: the file changed while it was repaired; try again: ${path}`;
    throw new SessionError("locked", message, { path });
  }
  const whole = await hashFile(path) === written.sha256;
  if (whole && await countMessages(session) === count) return;
  const message =
    `Cannot repair session: the written file differs from the planned repair: ${path}`;
  throw new SessionError("io", message, { path });
}

/**
 * Writes a repaired copy of a session of another agent to a new file.
 *
 * @param session The session, as a library opens it.
 * @param out The file to make, which must not exist.
 * @param options Options that allow guesses, and cutting long outputs.
 * @returns The faults, and what the repair did about them in the copy.
 * @throws {SessionError} `unsupported-source`, `invalid-config`, `not-found`, `permission`,
 * `disk-full`, `io`: no file is left then.
 */
export async function repairCopy(
  session: SessionHandle,
  out: string,
  options: RepairOptions = {},
): Promise<RepairReport> {
  checkFree(out);
  const { report, options: writing } = await planRepair(session, options);
  checkHeader(report);
  await writeBytes(out, repairedBytes(session.path, writing), "write repaired session");
  return report;
}

function checkFree(out: string): void {
  try {
    lstatSync(out);
  } catch (error) {
    // Any other problem with the file shows when it is made.
    if (isNotFound(error)) return;
  }
  const message =
    `Cannot create file: the file already exists, and Reprise does not overwrite it: ${out}`;
  throw new SessionError("io", message, { path: out });
}
