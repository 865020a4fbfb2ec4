/** Makes private copies of databases that cannot be read in place. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { errorText } from "../../../core/event/error_text.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { openRegularFile } from "../../../core/file/regular_file.ts";
import { readWhole } from "../../../core/log/read_whole.ts";
import { removeAbandoned, TemporaryFolder } from "../../../core/log/temporary_folder.ts";
import { chmodSync, copyFileSync, mkdirSync, statSync } from "../../../core/platform/files.ts";
import {
  environmentVariable,
  mayDoAll,
  mayReadVariable,
  mayWrite,
} from "../../../core/platform/process.ts";
import { operatingSystem } from "../../../core/platform/runtime.ts";
import { cacheRoot } from "../../../core/workspace/cache_folder.ts";
import { sizeOf, SQLITE_ENDINGS } from "./sqlite_file.ts";

const ATTEMPTS = 3;
const MOST_GIGABYTES = 8;
const LOG_HEADER_BYTES = 32;

interface Copy {
  folder: TemporaryFolder;
  path: string;
  state: string;
  readers: number;
}

/**
 * The last copy of each database, by the database's path.
 *
 * If Deno did not grant all permissions, a copy is kept after its last reader closed it. The next
 * session of the same database can then be read from the copy.
 */
const copies = new Map<string, Copy>();

interface BorrowedCopy {
  path: string;
  giveBack(): void;
}

/**
 * Copies a database and the files that its agent left beside it, unless a current copy exists.
 *
 * @throws {SessionError} `io` if the database keeps changing or is too large, `permission` if no
 * copy may be made. Errors of the system are thrown unchanged.
 */
export function borrowCopy(database: string): BorrowedCopy {
  let copy = copies.get(database);
  if (copy?.state !== stateOf(database)) {
    copy = makeCopy(database);
    removeUnread();
    copies.set(database, copy);
  }
  const { path, folder } = copy;
  copy.readers++;
  return {
    path,
    giveBack(): void {
      copy.readers--;
      if (copies.get(database) !== copy) {
        if (copy.readers === 0) folder[Symbol.dispose]();
      } else if (mayDoAll()) removeUnread();
    },
  };
}

function removeUnread(): void {
  for (const [database, { folder, readers }] of copies) {
    if (readers > 0) continue;
    copies.delete(database);
    folder[Symbol.dispose]();
  }
}

let looked = false;

/** Removes copies that killed processes left in the cache folder. Works only once per process. */
export function removeLeftCopies(): void {
  if (looked) return;
  looked = true;
  const place = cachePlace();
  if (place !== undefined) removeAbandoned(place);
}

function makeCopy(database: string): Copy {
  const gigabytes = SQLITE_ENDINGS.reduce((sum, end) => sum + sizeOf(database + end), 0) / 1e9;
  if (gigabytes > MOST_GIGABYTES) {
    throw refused(
      "io",
      database,
      "Reprise must copy this database to read it, but the database is larger than " +
        `the limit of ${MOST_GIGABYTES} GB`,
    );
  }
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const folder = makeFolder(database);
    try {
      const [state, before] = [stateOf(database), contentOf(database)];
      const path = join(folder.path, "copy.db");
      for (const ending of SQLITE_ENDINGS) copyPrivately(database + ending, path + ending);
      if (contentOf(database) === before) {
        recover(path);
        return { folder, path, state, readers: 0 };
      }
    } catch (error) {
      folder[Symbol.dispose]();
      throw error;
    }
    folder[Symbol.dispose]();
  }
  throw refused("io", database, "the database keeps changing; try again");
}

function makeFolder(database: string): TemporaryFolder {
  const place = mayDoAll() ? undefined : cachePlace();
  if (place === undefined) return new TemporaryFolder("copy");
  try {
    if (!mayWrite(place)) throw new Error("no permission to write in this folder");
    mkdirSync(place, { recursive: true, mode: 0o700 });
    return new TemporaryFolder("copy", place);
  } catch (error) {
    const reason = "Reprise must copy this database to read it, but cannot write the copy to " +
      `${place}: ${errorText(error)}; allow Deno to write to this folder: --allow-write or -A`;
    throw refused("permission", database, reason, error);
  }
}

function cachePlace(): string | undefined {
  const variable = (name: string): string | undefined =>
    mayReadVariable(name) ? environmentVariable(name) : undefined;
  const folder = cacheRoot(variable, operatingSystem);
  return folder === undefined ? undefined : join(folder, "copies");
}

function refused(
  code: "io" | "permission",
  path: string,
  reason: string,
  cause?: unknown,
): SessionError {
  return new SessionError(code, `Cannot read database: ${reason}: ${path}`, { path }, cause);
}

function copyPrivately(from: string, to: string): void {
  if (sizeOf(from) < 0) return;
  copyFileSync(from, to);
  chmodSync(to, 0o600);
}

/** Lets SQLite apply the copied WAL or rollback journal, so that the copy needs no other file. */
function recover(path: string): void {
  const database = new DatabaseSync(path);
  try {
    database.prepare("SELECT count(*) FROM sqlite_master").get();
    database.exec("PRAGMA synchronous = off; PRAGMA journal_mode = delete");
  } finally {
    database.close();
  }
}

function stateOf(path: string): string {
  return SQLITE_ENDINGS.map((ending) => fileState(path + ending)).join(", ");
}

/**
 * Returns a text that shows whether a database changed while it was copied.
 *
 * The write-ahead log may grow, because an incompletely copied transaction has no effect. If the
 * log begins anew, its header changes.
 */
function contentOf(path: string): string {
  return SQLITE_ENDINGS.map((ending) =>
    ending === "-wal" ? logHeader(path + ending) : fileState(path + ending)
  ).join(", ");
}

function fileState(path: string): string {
  if (sizeOf(path) < 0) return "absent";
  const { size, mtime } = statSync(path);
  return `${size} ${mtime?.getTime()}`;
}

function logHeader(path: string): string {
  if (sizeOf(path) <= 0) return "empty";
  using file = openRegularFile(path).file;
  return readWhole(file, new Uint8Array(LOG_HEADER_BYTES)).toString();
}
