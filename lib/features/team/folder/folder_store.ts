/**
 * Stores objects in a folder: a mounted share, or a folder that a program syncs between machines.
 * Links are not followed, because other people also write to the folder.
 */
import { dirname, join } from "node:path";
import { SessionError } from "../../../core/event/session_error.ts";
import { isFileThere } from "../../../core/file/presence.ts";
import { openRegularFile } from "../../../core/file/regular_file.ts";
import { removeQuietly } from "../../../core/file/remove_quietly.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { readWhole } from "../../../core/log/read_whole.ts";
import { writeWhole } from "../../../core/log/write_whole.ts";
import type { FileInfo } from "../../../core/platform/file_system.ts";
import {
  lstatSync,
  mkdirSync,
  openSync,
  readDirSync,
  removeSync,
  renameSync,
} from "../../../core/platform/files.ts";
import { isAlreadyExists, isNotFound } from "../../../core/platform/system_error.ts";
import {
  isKeyFolder,
  type ObjectStore,
  objectTooLarge,
  type StoredObject,
} from "../objects/object_store.ts";

/** The folder of drafts. Listings of objects leave it out. */
const DRAFTS = ".drafts";
/** Age in milliseconds from which a draft counts as left behind by a killed process. */
const LEFT_MS = 60 * 60 * 1000;

/**
 * Opens a folder of objects. The first write creates the folder.
 *
 * @throws {SessionError} `invalid-config` if `root` is a file.
 */
export function openFolderStore(root: string): ObjectStore {
  if (isFileThere(root)) {
    const message = `Cannot use the store: this is a file, not a folder: ${root}`;
    throw new SessionError("invalid-config", message, { path: root });
  }
  return new FolderStore(root);
}

class FolderStore implements ObjectStore {
  readonly #root: string;
  /** Folders that exist and are no links. */
  readonly #made = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  async *list(prefix: string): AsyncGenerator<StoredObject[]> {
    yield* this.#below(prefix);
  }

  *#below(prefix: string): Generator<StoredObject[]> {
    const page: StoredObject[] = [];
    const folders: string[] = [];
    try {
      for (const { name, isFile, isDirectory } of readDirSync(join(this.#root, prefix))) {
        if (isDirectory && isKeyFolder(`${prefix}${name}/`)) folders.push(`${prefix}${name}/`);
        else if (isFile) { for (const one of this.#object(`${prefix}${name}`)) page.push(one); }
      }
    } catch (error) {
      if (!isNotFound(error)) throw this.#failure("list the store's folder", error, prefix);
    }
    if (page.length > 0) yield page;
    for (const folder of folders) yield* this.#below(folder);
  }

  #object(key: string): StoredObject[] {
    try {
      const info = lstatSync(join(this.#root, key));
      return [{ key, size: info.size, tag: tagOf(info) }];
    } catch {
      // It was replaced, or taken back, meanwhile.
      return [];
    }
  }

  // deno-lint-ignore require-await
  async get(key: string, limit: number): Promise<{ bytes: Uint8Array; tag: string } | undefined> {
    const path = join(this.#root, key);
    try {
      const { file, info } = openRegularFile(path, { follow: false, what: "object" });
      using _closed = file;
      if (info.size > limit) throw objectTooLarge(path, limit);
      return { bytes: readWhole(file, new Uint8Array(info.size)), tag: tagOf(info) };
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw this.#failure("read object", error, key);
    }
  }

  async put(key: string, bytes: Uint8Array, if_tag?: string | null): Promise<string | undefined> {
    const path = join(this.#root, key);
    const draft = join(this.#root, DRAFTS, crypto.randomUUID());
    try {
      if (!this.#made.has(DRAFTS)) {
        // It must be no link before anything in it is deleted.
        this.#makeFolder(DRAFTS);
        this.#removeOldDrafts();
      }
      this.#makeFolder(dirname(key));
      using file = openSync(draft, { write: true, createNew: true });
      writeWhole(file, bytes);
      await file.syncData();
      if (if_tag !== undefined && this.#object(key)[0]?.tag !== (if_tag ?? undefined)) {
        removeSync(draft);
        return undefined;
      }
      renameSync(draft, path);
      return tagOf(lstatSync(path));
    } catch (error) {
      removeQuietly(draft);
      throw this.#failure("write object", error, key);
    }
  }

  // deno-lint-ignore require-await
  async delete(key: string): Promise<void> {
    try {
      removeSync(join(this.#root, key));
    } catch (error) {
      if (!isNotFound(error)) throw this.#failure("delete object", error, key);
    }
  }

  /** Makes a folder below the root, and its parents. Throws if one of them is a link. */
  #makeFolder(below: string): void {
    if (this.#made.has(below)) return;
    const path = join(this.#root, below);
    if (below === ".") mkdirSync(path, { recursive: true });
    else {
      this.#makeFolder(dirname(below));
      try {
        mkdirSync(path);
      } catch (error) {
        if (!isAlreadyExists(error)) throw error;
      }
      if (!lstatSync(path).isDirectory) {
        const message = `Cannot write to the store: the path is not a folder: ${path}`;
        throw new SessionError("unsafe-store", message, { path });
      }
    }
    this.#made.add(below);
  }

  #removeOldDrafts(): void {
    const folder = join(this.#root, DRAFTS);
    try {
      for (const { name } of readDirSync(folder)) {
        const changed = lstatSync(join(folder, name)).mtime?.getTime() ?? Date.now();
        if (Date.now() - changed > LEFT_MS) removeSync(join(folder, name));
      }
    } catch {
      // A draft got its name meanwhile, or another process was faster.
    }
  }

  #failure(action: string, error: unknown, key: string): SessionError {
    return toSessionError(error, action, join(this.#root, key));
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}

function tagOf({ size, mtime, ino }: FileInfo): string {
  return `${size}-${mtime?.getTime() ?? 0}-${ino ?? 0}`;
}
