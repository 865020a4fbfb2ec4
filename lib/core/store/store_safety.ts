/** Refuses a store that other users can write. They could plant events, or links to elsewhere. */
import { dirname } from "node:path";
import { SessionError } from "../event/session_error.ts";
import { toSessionError } from "../log/io_error.ts";
import { othersMay } from "../platform/file_mode.ts";
import type { FileInfo } from "../platform/file_system.ts";
import { ownGroup, ownUser } from "../platform/process.ts";
import { lstatSync, mkdirSync, statSync } from "../platform/files.ts";
import { isAlreadyExists } from "../platform/system_error.ts";

/** True for a file of another user, but never if the process runs as root. */
function isForeign({ uid }: FileInfo): boolean {
  const own = ownUser();
  return uid !== null && own !== undefined && own !== 0 && uid !== own;
}

export function unsafeReason(info: FileInfo): string | undefined {
  if (isForeign(info)) return `the owner is user ${info.uid}, not you (${ownUser()})`;
  // The sticky bit keeps others from removing files, not from adding them.
  if (othersMay("write_of_all", info.mode)) return "every user of this machine can change the file";
  // On most systems, a user's own group has no other member.
  if (othersMay("write", info.mode) && info.gid !== ownGroup()) {
    return "all members of the file's group can write to the file";
  }
  return undefined;
}

/**
 * Throws for a store that other users can write. Accepts a store that does not exist yet.
 *
 * @throws {SessionError} `unsafe-store` with a message that says how to repair it.
 */
export function assertSafeStore(root: string): void {
  let info: FileInfo;
  try {
    info = statSync(root);
  } catch {
    // Missing or unreadable: using it reports the error.
    return;
  }
  if (!info.isDirectory) {
    const message = `Cannot use store: the path is not a directory: ${root}`;
    throw new SessionError("unsafe-store", message, { path: root });
  }
  const reason = unsafeReason(info);
  if (reason === undefined) return;
  const advice = isForeign(info)
    ? "set REPRISE_HOME to a folder that you own"
    : `run: chmod 700 ${root}`;
  const message = `Cannot use store: ${reason}; ${advice}`;
  throw new SessionError("unsafe-store", message, { path: root });
}

/**
 * Refuses to write in a folder that is a link, or that others can write. Files behind a link would
 * be lost to the store.
 *
 * @throws {SessionError} `unsafe-store`
 */
export function assertOwnFolder(path: string): void {
  const info = lstatSync(path);
  const reason = info.isDirectory
    ? unsafeReason(info)
    : "the path is a link or a file, not a folder";
  if (reason === undefined) return;
  const advice = info.isDirectory && !isForeign(info) ? `; run: chmod 700 ${path}` : "";
  const message = `Cannot use store: ${reason}${advice}: ${path}`;
  throw new SessionError("unsafe-store", message, { path });
}

/**
 * @throws {SessionError} `unsafe-store` for an existing link, or a folder that others can write.
 * Errors of the system are thrown unchanged.
 */
export function makeOwnFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!isAlreadyExists(error)) throw error;
  }
  assertOwnFolder(path);
}

/**
 * Refuses a session if its folder, or one above it in the store, is a link or writable by others.
 *
 * @throws {SessionError} `unsafe-store`, `not-found`, `permission`, `io`
 */
export function assertOwnSession(directory: string): void {
  const namespace = dirname(directory);
  try {
    for (const folder of [dirname(namespace), namespace, directory]) assertOwnFolder(folder);
  } catch (error) {
    throw toSessionError(error, "open session", directory);
  }
}
