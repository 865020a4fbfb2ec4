/** Writes the bytes of a branch: into a draft, or behind the bytes of a file that is here. */
import { dirname, join } from "node:path";
import { hasBytesAt } from "../../../core/event/bytes.ts";
import { type LockHolder, SessionError } from "../../../core/event/session_error.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { openOwnFile } from "../../../core/log/own_file.ts";
import { acquireLock, type SessionLock } from "../../../core/log/session_lock.ts";
import { writeWhole } from "../../../core/log/write_whole.ts";
import { type OpenFile, SeekMode } from "../../../core/platform/file_system.ts";
import { removeQuietly } from "../../../core/file/remove_quietly.ts";
import { openSync, renameSync } from "../../../core/platform/files.ts";
import { draftName } from "../../../core/store/copy/log_draft.ts";
import {
  makeDirectories,
  makeDirectory,
  makeNamespace,
  plannedDirectory,
} from "../../../core/store/create_log.ts";
import { syncDirectories } from "../../../core/store/sync_directories.ts";
import { readLogEdges } from "../../../core/store/read_summary.ts";
import type { MirroredBranch } from "../../../core/store/remote_mirror.ts";
import { LOG_FILE } from "../../../core/store/session_folder.ts";
import { assertOwnFolder } from "../../../core/store/store_safety.ts";
import { namespaceOf } from "../../../core/workspace/namespace.ts";
import { LocalLog } from "../local_log.ts";
import { moveIntoMirror, writeMirrorNote } from "./mirror.ts";
import type { PullStep } from "./plan_pull.ts";

export interface IncomingPlace {
  /** A draft, which is not read until it is complete; the mirror's log; or the session's log. */
  kind: "draft" | "mirror" | "log";
  path: string;
  /** The offset of the first byte to download. */
  from: number;
  /** Number of bytes that the file already has. The first segment repeats those after `from`. */
  size: number;
  /** The holder to name in the lock of a session's log. */
  holder: LockHolder;
}

/** The file that receives the bytes of a branch. It is opened when the first bytes arrive. */
export class IncomingFile {
  readonly place: IncomingPlace;
  #file: OpenFile | undefined;
  #lock: SessionLock | undefined;

  constructor(place: IncomingPlace) {
    this.place = place;
  }

  /**
   * Writes the bytes of the next segment, which were checked.
   *
   * @throws {SessionError} `damaged` where they do not follow the log; `locked`, `permission`,
   * `disk-full`, `unsafe-store`, `io`
   */
  async write(bytes: Uint8Array): Promise<void> {
    const { path, size, from } = this.place;
    try {
      if (this.#file !== undefined) return writeWhole(this.#file, bytes);
      if (size > from) this.#assertFollows(bytes);
      this.#file = await this.#open();
      writeWhole(this.#file, bytes.subarray(size - from));
    } catch (error) {
      throw toSessionError(error, `write ${this.#what}`, path);
    }
  }

  get #what(): string {
    return this.place.kind === "mirror" ? "mirror" : "session";
  }

  #assertFollows(bytes: Uint8Array): void {
    const { path, size, from } = this.place;
    using log = new LocalLog(path);
    if (hasBytesAt(bytes, log.read(from, size - from), 0)) return;
    const message =
      `Cannot write session: on this machine, it already continues with other events: ${path}`;
    throw new SessionError("damaged", message, { path });
  }

  async #open(): Promise<OpenFile> {
    const { kind, path, size } = this.place;
    if (kind === "log") return await this.#openLog();
    if (kind === "draft") {
      makeDirectories(dirname(path));
      assertOwnFolder(dirname(path));
      return openSync(path, { write: true, createNew: true, mode: 0o600 });
    }
    const file = openOwnFile(path, { write: true });
    // A killed pull may have written more.
    file.truncateSync(size);
    file.seekSync(size, SeekMode.Start);
    return file;
  }

  async #openLog(): Promise<OpenFile> {
    const { path, size, holder } = this.place;
    this.#lock = await acquireLock(dirname(path), holder);
    const file = openOwnFile(path, { append: true });
    if (file.statSync().size === size) return file;
    file.close();
    const message = `Cannot write session: the file changed in the meantime: ${path}`;
    throw new SessionError("locked", message, { path });
  }

  async sync(): Promise<void> {
    try {
      await this.#file?.sync();
    } catch (error) {
      throw toSessionError(error, `sync ${this.#what}`, this.place.path);
    }
    this.#file?.close();
    this.#file = undefined;
  }

  /** Closes the file, releases its lock, and removes a draft that was not moved. */
  close(): void {
    this.#file?.close();
    this.#file = undefined;
    this.#lock?.release();
    this.#lock = undefined;
    if (this.place.kind !== "draft") return;
    removeQuietly(this.place.path);
  }
}

export type PlacedBranch =
  /** The session is new in the store of this machine. */
  | { kind: "adopted"; path: string; cwd: string; created_at: string }
  /** The session's log was extended by the bytes that followed. */
  | { kind: "extended"; path: string }
  /** The mirror has the branch. */
  | { kind: "mirrored"; path: string };

/** Puts a branch in its place, after its bytes are synced to the disk. */
export async function placeBranch(
  root: string,
  mirror: MirroredBranch,
  { branch, into }: PullStep,
  { kind, path, holder }: IncomingPlace,
): Promise<PlacedBranch> {
  if (into === "log") return { kind: "extended", path };
  if (kind === "mirror") {
    writeMirrorNote(root, mirror, branch);
    return { kind: "mirrored", path };
  }
  const head = into === "session" ? headOf(path, branch.session) : undefined;
  // A log that does not say where it belongs can be read, but not continued.
  if (head !== undefined) return await adopt(root, path, branch.session, head, holder);
  return { kind: "mirrored", path: moveIntoMirror(root, mirror, path, branch) };
}

interface Head {
  cwd: string;
  created_at: string;
}

function headOf(path: string, id: string): Head | undefined {
  const { started } = readLogEdges(path).state;
  if (started?.session_id !== id || Number.isNaN(Date.parse(started.created_at))) return undefined;
  return { cwd: started.cwd, created_at: started.created_at };
}

/** Moves a draft into this store, in the same session folder as on its own machine. */
async function adopt(
  root: string,
  draft: string,
  id: string,
  head: Head,
  holder: LockHolder,
): Promise<PlacedBranch> {
  const [namespace, created] = [namespaceOf(head.cwd), new Date(head.created_at)];
  const plan = { root, namespace, created, id, newId: () => id, holder };
  const directory = plannedDirectory(plan);
  const above = makeNamespace(plan);
  const folder = draftName(directory);
  try {
    // A pull that was killed here left an empty one.
    makeDirectory(folder);
    renameSync(draft, join(folder, LOG_FILE));
    await syncDirectories([folder]);
    renameSync(folder, directory);
  } catch (error) {
    removeQuietly(folder, { recursive: true });
    throw toSessionError(error, "create session", directory);
  }
  await syncDirectories([...above, dirname(directory), directory]);
  return { kind: "adopted", path: join(directory, LOG_FILE), ...head };
}
