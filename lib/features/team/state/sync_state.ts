/**
 * The record of what this machine sent, one file for each store. A record that is deleted or
 * damaged is made again from the store and the sessions.
 */
import { join } from "node:path";
import { SessionError } from "../../../core/event/session_error.ts";
import { readShortText, RECORDS_BYTES } from "../../../core/file/short_file.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { replaceFile } from "../../../core/log/replace_file.ts";
import { readDirSync } from "../../../core/platform/files.ts";
import { makeDirectories } from "../../../core/store/create_log.ts";
import { assertOwnFolder } from "../../../core/store/store_safety.ts";

export interface SyncedSession {
  project: string;
  /** Size, mtime, ctime, inode and digest of the session's files at the last push. */
  state: readonly number[];
  /** Number of the copy's latest edition. It grows when parts that were sent are replaced. */
  edition: number;
  /** The names of the copy's valid parts, in their order. */
  parts: string[];
  /** True if the session was withdrawn, so that it is never pushed again. */
  withdrawn?: true;
}

export interface SyncState {
  version: 2;
  store: string;
  owner: string;
  /** The records of shared sessions, by the session's id in the store. */
  sessions: Record<string, SyncedSession>;
  /** Projects whose heads were not written, because the last push was interrupted. */
  unwritten?: string[];
  /** The day, in UTC, of the last check in which the store had all parts that were sent. */
  checked_on?: string;
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

export function readSyncState(root: string, store: string, owner: string): SyncState {
  const state = parseState(statePath(root, store));
  if (state?.store === store && state.owner === owner) return state;
  return { version: 2, store, owner, sessions: {} };
}

function parseState(path: string): SyncState | undefined {
  try {
    const text = readShortText(path, RECORDS_BYTES, { follow: false, what: "sync state" });
    const state = JSON.parse(text) as SyncState;
    const fits = state.version === 2 && Object.values(state.sessions).every(isKnown);
    return fits ? state : undefined;
  } catch {
    // Missing, damaged, or not to be read: then the store is asked.
    return undefined;
  }
}

function isKnown({ state, edition, parts, project }: SyncedSession): boolean {
  return Array.isArray(state) && Array.isArray(parts) && typeof edition === "number" &&
    typeof project === "string" && parts.every((name) => typeof name === "string");
}

/**
 * Replaces the record of a store. The last of two processes wins.
 *
 * @throws {SessionError} `permission`, `disk-full`, `unsafe-store`, `io`
 */
export function writeSyncState(root: string, state: SyncState): void {
  replaceRecord(statePath(root, state.store), state);
}

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

export function knownSession({ sessions }: SyncState, id: string): SyncedSession | undefined {
  return Object.hasOwn(sessions, id) ? sessions[id] : undefined;
}

interface SharedIn {
  /** The id of the store that shares the session. */
  store: string;
  project: string;
}

/**
 * Returns the stores in which a session is shared, as far as this machine knows. Deleting the
 * session on this machine does not withdraw it.
 *
 * @param root The data root. @param ref The session's id, or `<agent>:<id>`.
 */
export function sharedIn(root: string, ref: string): SharedIn[] {
  return knownStates(root).flatMap((state) => {
    const known = knownSession(state, ref);
    if (known === undefined || known.withdrawn) return [];
    return [{ store: state.store, project: known.project }];
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
