/**
 * A store that others can write is not used: they could plant events, or links that lead elsewhere.
 */
import { SessionError } from "../event/session_error.ts";
import { ownGroup, ownUser } from "./own_identity.ts";

/** Whether a file is another user's; for root, all are its own. */
function isForeign({ uid }: Deno.FileInfo): boolean {
  const own = ownUser();
  return uid !== null && own !== undefined && own !== 0 && uid !== own;
}

/** What makes a folder or file of the store unsafe to use. */
export function unsafeReason(info: Deno.FileInfo): string | undefined {
  if (Deno.build.os === "windows" || info.mode === null) return undefined;
  if (isForeign(info)) return `user ${info.uid} owns it, not you (${ownUser()})`;
  // The sticky bit keeps others from removing what is there, not from planting what is not.
  if ((info.mode & 0o002) !== 0) return "everyone can write it";
  // A user's own group is nobody else, as most systems set it up.
  if ((info.mode & 0o020) !== 0 && info.gid !== ownGroup()) return "its group can write it";
  return undefined;
}

/**
 * Refuses a store that others can write; one that does not exist yet is fine.
 *
 * @throws {SessionError} `unsafe-store` that says how to mend it.
 */
export function assertSafeStore(root: string): void {
  let info: Deno.FileInfo;
  try {
    info = Deno.statSync(root);
  } catch {
    // Not there yet, or not to be seen: using it will tell.
    return;
  }
  if (!info.isDirectory) {
    const message = `Cannot use store: not a directory: ${root}`;
    throw new SessionError("unsafe-store", message, { path: root });
  }
  const reason = unsafeReason(info);
  if (reason === undefined) return;
  const advice = isForeign(info)
    ? "set REPRISE_HOME to a folder of your own"
    : `run: chmod 700 ${root}`;
  const message = `Cannot use store: ${reason}; ${advice}`;
  throw new SessionError("unsafe-store", message, { path: root });
}

/**
 * Refuses a link in place of a folder: what is kept behind it, nobody would find in the store.
 *
 * @throws {SessionError} `unsafe-store`
 */
export function assertOwnFolder(path: string): void {
  if (Deno.lstatSync(path).isDirectory) return;
  const message = `Cannot use store: not a folder of its own: ${path}`;
  throw new SessionError("unsafe-store", message, { path });
}
