/** Lists the trash, moves sessions to it, and restores them. */
import { basename, dirname, join } from "node:path";
import { AGENT_NAMES } from "../../event/agent_name.ts";
import { present } from "../../event/present.ts";
import { type LockHolder, SessionError } from "../../event/session_error.ts";
import { toSessionError } from "../../log/io_error.ts";
import { exists } from "../../log/own_file.ts";
import { acquireLock, lockedAmong } from "../../log/session_lock.ts";
import { renameSync } from "../../platform/files.ts";
import { lockSession } from "../lock_session.ts";
import { parseRef } from "../ref.ts";
import { edgesSummary, readLogEdges } from "../read_summary.ts";
import {
  folderNames,
  LOG_FILE,
  ownFolderNames,
  type SessionFolder,
  sessionFolders,
  sessionsDirectory,
  trashDirectory,
} from "../session_folder.ts";
import { parseFolderName } from "../session_id.ts";
import { assertOwnFolder, assertOwnSession, makeOwnFolder } from "../store_safety.ts";
import { newerFirst, updateMoment } from "../update_order.ts";
import { folderSize } from "./store_size.ts";
import {
  appendTrashRecord,
  readRemovals,
  type Removal,
  type ShownTitle,
  shownTitle,
  type Tombstone,
  trashKey,
} from "./trash_record.ts";

/** A session in the trash. */
export interface TrashEntry {
  /** The session's id: a UUID v4, or the id that its program gave. */
  session_id: string;
  /** The title in the session's summary or log; may be empty. */
  title: string;
  /** True if the title may come from an event that was changed after it was written. */
  altered?: true;
  /** Absolute path of the session's folder in the trash. */
  path: string;
  /**
   * The state. `whole`: can be restored. `incomplete`: the folder has no log. `gone`: only the
   * record is left, because the folder was removed by hand.
   */
  state: "whole" | "incomplete" | "gone";
  /** ISO 8601: time of the removal; absent if there is no record of it. */
  removed_at?: string;
  /** Size of all files of the session, in bytes. */
  bytes: number;
}

/** The restored session: its id, title and folder. */
export interface RestoredSession {
  /** The session's id: a UUID v4, or the id that its program gave. */
  session_id: string;
  /** The title as a list shows it; may be empty. */
  title: string;
  /** True if the title may come from an altered event. */
  altered?: true;
  /** Absolute path of the session's folder, the same as before the removal. */
  path: string;
}

/** Returns the name that a trash folder had in the store, without a suffix such as `~2`. */
function storedName(path: string): string {
  return basename(path).replace(/~\d+$/, "");
}

function trashFolders(root: string): SessionFolder[] {
  const trash = trashDirectory(root);
  return ownFolderNames(trash).flatMap((namespace) =>
    folderNames(join(trash, namespace)).flatMap((name) => {
      const parsed = parseFolderName(storedName(name));
      const directory = join(trash, namespace, name);
      return parsed === undefined
        ? []
        : [{ directory, path: join(directory, LOG_FILE), ...parsed }];
    })
  );
}

function titleOf(path: string): ShownTitle {
  try {
    return edgesSummary(readLogEdges(path));
  } catch (error) {
    if (error instanceof SessionError) return { title: "" };
    throw error;
  }
}

function folderEntry(
  { directory, path, session_id }: SessionFolder,
  removal: Removal | undefined,
): TrashEntry {
  const { tombstone } = removal ?? {};
  return {
    session_id,
    ...shownTitle(tombstone ?? titleOf(path)),
    path: directory,
    state: exists(path, "read trash") ? "whole" : "incomplete",
    ...present({ removed_at: tombstone?.removed_at }),
    bytes: folderSize(directory).bytes,
  };
}

/** Returns one entry, or none if the session is back in the store or was deleted for good. */
function goneEntry(root: string, key: string, { tombstone, settled }: Removal): TrashEntry[] {
  const { session_id, removed_at } = tombstone;
  const title = shownTitle(tombstone);
  if (settled || exists(join(sessionsDirectory(root), storedKey(key)), "read trash")) return [];
  const path = join(trashDirectory(root), key);
  return [{ session_id, ...title, path, state: "gone", removed_at, bytes: 0 }];
}

function storedKey(key: string): string {
  return join(dirname(key), storedName(key));
}

/**
 * Lists the trash, the last removed first. Entries without a record come at the end.
 *
 * @throws {SessionError} `permission`, `io`
 */
export function listTrash(root: string): TrashEntry[] {
  const removals = readRemovals(root);
  const places = new Map([...removals.keys()].map((key, index) => [key, index]));
  const entries: TrashEntry[] = [];
  for (const folder of trashFolders(root)) {
    const key = trashKey(folder.directory);
    entries.push(folderEntry(folder, removals.get(key)));
    removals.delete(key);
  }
  for (const [key, removal] of removals) {
    for (const one of goneEntry(root, key, removal)) entries.push(one);
  }
  return entries.sort((one, other) => byRemoval(one, other, places));
}

/** Puts the last removed entry first. `places` has the order of the records, for equal times. */
function byRemoval(
  one: TrashEntry,
  other: TrashEntry,
  places: ReadonlyMap<string, number>,
): number {
  const order = newerFirst(updateMoment(one.removed_at), updateMoment(other.removed_at));
  if (order !== 0) return order;
  const [at, other_at] = [one, other].map(({ path }) => places.get(trashKey(path)) ?? -1);
  return (other_at ?? -1) - (at ?? -1) || (one.path < other.path ? -1 : 1);
}

/**
 * Finds a removed session's latest entry by id or id prefix. Prefers an entry that has a log.
 *
 * @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`
 */
export function findInTrash(root: string, ref: string, only_whole = false): TrashEntry {
  const parsed = parseRef(ref, AGENT_NAMES);
  if (parsed.kind !== "id" || parsed.seq !== undefined) {
    const message = `Cannot use reference "${ref}": give the id of a session in the trash`;
    throw new SessionError("invalid-ref", message, { ref });
  }
  const wanted = parsed.prefix.toLowerCase();
  const begun = listTrash(root)
    .filter(({ session_id }) => session_id.toLowerCase().startsWith(wanted));
  const whole = begun.filter(({ session_id }) => session_id.length === wanted.length);
  const found = only_whole || whole.length > 0 ? whole : begun;
  const candidates = [...new Set(found.map(({ session_id }) => session_id))];
  if (candidates.length > 1) {
    const message =
      `Cannot choose session: "${ref}" matches ${candidates.length} sessions in the trash: ` +
      `${candidates.slice(0, 5).join(", ")}; type more of the id`;
    throw new SessionError("ambiguous", message, { ref, candidates });
  }
  const entry = found.find(({ state }) => state === "whole") ?? found[0];
  if (entry !== undefined) return entry;
  const message = `Cannot find session "${ref}" in the trash; store.trash() lists the trash`;
  throw new SessionError("not-found", message, { ref });
}

function assertRestorable(root: string, { session_id, state, path }: TrashEntry): void {
  if (state !== "whole") {
    const reason = state === "gone"
      ? "the session's folder is gone"
      : "the session's folder has no log";
    throw new SessionError("not-found", `Cannot restore session: ${reason}: ${path}`, { path });
  }
  const again = sessionFolders(root, undefined, session_id).find((folder) =>
    folder.session_id === session_id
  );
  if (again === undefined) return;
  const message = "Cannot restore session: another session with this id exists; " +
    `delete or move the other session first: ${again.directory}`;
  throw new SessionError("ambiguous", message, { path, candidates: [again.directory] });
}

/** @throws {SessionError} `not-found`, `ambiguous`, `invalid-ref`, `locked`, `permission`, `io` */
export async function restoreSession(
  root: string,
  ref: string,
  holder: LockHolder,
): Promise<RestoredSession> {
  const entry = findInTrash(root, ref);
  assertRestorable(root, entry);
  const { session_id, path } = entry;
  // Not where the record says that it was: the store may have moved since.
  const target = join(sessionsDirectory(root), storedKey(trashKey(path)));
  const lock = await acquireLock(path, holder);
  try {
    assertOwnFolder(trashDirectory(root));
    assertOwnFolder(dirname(path));
    // While the lock was waited for, its holder may have moved it.
    assertOwnFolder(path);
    makeOwnFolder(sessionsDirectory(root));
    makeOwnFolder(dirname(target));
    // Written first: on a full disk, nothing is moved without a record.
    appendTrashRecord(root, { session_id, to: path, restored_at: holder.since });
    lock.releaseAround(() => renameSync(path, target));
    return { session_id, ...shownTitle(entry), path: target };
  } catch (error) {
    throw toSessionError(error, "restore session", path);
  } finally {
    lock.release();
  }
}

/** @throws {SessionError} `locked` when a writer holds the session, `permission`, `io` */
export async function removeSession(
  root: string,
  folder: SessionFolder,
  about: Pick<Tombstone, "title" | "altered" | "bytes" | "reason" | "with">,
  holder: LockHolder,
): Promise<Tombstone> {
  const { directory, session_id } = folder;
  const namespace = join(trashDirectory(root), basename(dirname(directory)));
  assertOwnSession(directory);
  const lock = await lockSession(folder, holder, "remove session");
  try {
    // While the lock was waited for, its holder may have moved it.
    assertOwnFolder(directory);
    makeOwnFolder(trashDirectory(root));
    makeOwnFolder(namespace);
    const to = freePlace(join(namespace, basename(directory)));
    const tombstone = { session_id, ...about, from: directory, to, removed_at: holder.since };
    // Written first: a record without a removal misleads less than a removal without a record.
    appendTrashRecord(root, tombstone);
    lock.releaseAround(() => renameSync(directory, to));
    return tombstone;
  } catch (error) {
    throw toSessionError(error, "move session to trash", directory);
  } finally {
    lock.release();
  }
}

export async function restoreFamily(
  root: string,
  ref: string,
  holder: LockHolder,
): Promise<RestoredSession> {
  const restored = await restoreSession(root, ref, holder);
  for (const { tombstone, settled } of readRemovals(root).values()) {
    if (settled || tombstone.with !== restored.session_id) continue;
    await restoreSession(root, tombstone.session_id, holder);
  }
  return restored;
}

interface Family {
  folder: SessionFolder;
  title: ShownTitle;
  subagents: readonly SessionFolder[];
}

/**
 * @returns The record of the session itself, without the records of its subagents.
 * @throws {SessionError} `locked` when a writer holds one of the sessions; `permission`, `io`
 */
export async function removeFamily(
  root: string,
  { folder, title, subagents }: Family,
  holder: LockHolder,
): Promise<Tombstone> {
  const locked = await lockedAmong(subagents.map(({ directory }) => directory));
  const open = subagents.find(({ directory }) => locked.has(directory));
  if (open !== undefined) {
    const message = "Cannot remove session: the session of its subagent " +
      `${open.session_id} is open; close that session first: ${open.path}`;
    throw new SessionError("locked", message, { path: open.path });
  }
  const about = (one: SessionFolder, shown: ShownTitle): Parameters<typeof removeSession>[2] => {
    const { bytes } = folderSize(one.directory);
    return { ...shownTitle(shown), bytes, reason: "deleted" };
  };
  const removed = await removeSession(root, folder, about(folder, title), holder);
  for (const one of subagents) {
    const own = about(one, titleOf(one.path));
    await removeSession(root, one, { ...own, with: folder.session_id }, holder);
  }
  return removed;
}

function freePlace(path: string): string {
  for (let number = 1;; number++) {
    const place = number === 1 ? path : `${path}~${number}`;
    if (!exists(place, "move session to trash")) return place;
  }
}
