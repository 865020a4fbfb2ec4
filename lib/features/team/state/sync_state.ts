/**
 * The record of what this machine has pushed and pulled, one file a store. It only saves questions:
 * deleted or damaged, it is made again from the store and the sessions.
 */
import { join } from "node:path";
import { SessionError } from "../../../core/event/session_error.ts";
import { readShortText, RECORDS_BYTES } from "../../../core/file/short_file.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { replaceFile } from "../../../core/log/replace_file.ts";
import { readDirSync } from "../../../core/platform/files.ts";
import { makeDirectories } from "../../../core/store/create_log.ts";
import { assertOwnFolder } from "../../../core/store/store_safety.ts";
import type { NotedKey } from "../sealed/key_trust.ts";
import type { SharedForm, SharedMark, SharedWith } from "../team_store.ts";

/** The record of a shared session after its last push or pull. */
export interface SyncedSession {
  project: string;
  /** The form that the project asked for. */
  form: SharedForm;
  /** The readers that the project asked for; absent in records of older programs. */
  visible?: SharedWith;
  /** The session's form in the store; absent unless its terms differ from the project's. */
  shared_as?: SharedForm;
  /** Size, mtime, ctime, inode and digest of the session's files at the last push or pull. */
  state: readonly number[];
  /** The branch that contains the session, and the branch's end at that time. */
  n: number;
  len: number;
  head: string;
  /** True if the store has more of the session than this machine. Then ignore `len` and `head`. */
  behind?: true;
  /** The sha256 of the last bytes before `len`; absent for a copy. */
  end?: string;
  /** True if the session was withdrawn, so that it is never pushed again. */
  withdrawn?: true;
  /** The epoch of the session in the store at the last pull; absent if unknown. */
  epoch?: number;
  /** A digest of the recipients for whom the session's key was wrapped. */
  recipients?: string;
  /** The session's last sealing key; null if nothing was sealed here; absent in older records. */
  key?: NotedKey | null;
}

/** The latest times, by field, of the marks that are the same here and in the store. */
export type KnownMark = Partial<Record<SharedMark["field"], string>>;

export interface SyncState {
  version: 1;
  store: string;
  owner: string;
  /** The records of shared sessions, by the session's id in the store. */
  sessions: Record<string, SyncedSession>;
  /** The marks that are the same here and in the store, by the session's name. */
  marks: Record<string, KnownMark>;
  /** Size and mtime of the marks file when it last matched the store. */
  marks_file?: readonly number[];
  /** The position up to which the store's marks were pulled. */
  marks_seen: number;
  /** The day, in UTC, on which the store was last found to have all that was sent. */
  checked_on?: string;
  /** The newest `changed_at` among the pulled changes, by the store's clock. */
  pulled_at?: string;
  /** The projects for which `pulled_at` holds; absent for all that may be read. */
  pulled_projects?: string[];
  /** Ids of sessions whose change could not be pulled yet. The next pull asks for them again. */
  waiting: string[];
}

export function syncDirectory(root: string): string {
  return join(root, "sync");
}

const NAME = /^[0-9a-f-]{36}$/;

function statePath(root: string, store: string): string {
  // A store says its own id: it must be no path.
  if (!NAME.test(store)) {
    throw new SessionError("damaged", `Cannot use store: the store's id is not a UUID: "${store}"`);
  }
  return join(syncDirectory(root), `${store}.json`);
}

/** Reads the record of a store for one of its members; an empty one if it cannot be read. */
export function readSyncState(root: string, store: string, owner: string): SyncState {
  const state = parseState(statePath(root, store));
  if (state?.store === store && state.owner === owner) return state;
  return { version: 1, store, owner, sessions: {}, marks: {}, marks_seen: 0, waiting: [] };
}

function parseState(path: string): SyncState | undefined {
  try {
    const text = readShortText(path, RECORDS_BYTES, { follow: false, what: "sync state" });
    const state = JSON.parse(text) as SyncState;
    const fits = state.version === 1 && typeof state.sessions === "object" &&
      typeof state.marks === "object" && Array.isArray(state.waiting) &&
      typeof state.marks_seen === "number" && Object.values(state.sessions).every(isKnown);
    return fits ? state : undefined;
  } catch {
    // Missing, damaged, or not to be read: then the store is asked.
    return undefined;
  }
}

function isKnown({ state, n, len, head }: SyncedSession): boolean {
  return Array.isArray(state) && typeof n === "number" && typeof len === "number" &&
    typeof head === "string";
}

/**
 * Replaces the record of a store. The last of two processes wins.
 *
 * @throws {SessionError} `permission`, `disk-full`, `unsafe-store`, `io`
 */
export function writeSyncState(root: string, state: SyncState): void {
  replaceRecord(statePath(root, state.store), state);
}

/** Replaces a record in the data root: writes a new file and renames it. */
export function replaceRecord(path: string, record: unknown): void {
  try {
    const folder = join(path, "..");
    makeDirectories(folder);
    assertOwnFolder(folder);
    replaceFile(path, [JSON.stringify(record)]);
  } catch (error) {
    throw toSessionError(error, "write sync state", path);
  }
}

/** A store in which a session of this machine is shared. */
interface SharedIn {
  /** The store's id. */
  store: string;
  /** The member name under which the session is shared. */
  owner: string;
  project: string;
  form: SharedForm;
  /** The branch that this machine continues. */
  n: number;
}

/**
 * Tells in which stores a session is shared, as far as this machine knows. Deleting it here withdraws
 * it from none.
 *
 * @param root The data root. @param ref Its id, or `<agent>:<id>`.
 */
export function sharedIn(root: string, ref: string): SharedIn[] {
  return knownStates(root).flatMap(({ store, owner, sessions }) => {
    const known = Object.hasOwn(sessions, ref) ? sessions[ref] : undefined;
    if (known === undefined || known.withdrawn) return [];
    const { project, form, n, shared_as = form } = known;
    return [{ store, owner, project, form: shared_as, n }];
  });
}

export function knownStates(root: string): SyncState[] {
  try {
    return [...readDirSync(syncDirectory(root))]
      .filter(({ name }) => name.endsWith(".json"))
      .flatMap(({ name }) => parseState(join(syncDirectory(root), name)) ?? []);
  } catch {
    // Nothing was ever shared.
    return [];
  }
}
