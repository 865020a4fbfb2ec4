/** Watches a folder and all folders below it, with one watch for each folder. Opens no files. */
import { join, sep } from "node:path";
import { lstatSync, readDirSync, realPathSync } from "./files.ts";

export interface EntryListener {
  /**
   * Reports a change of the entry with this name.
   *
   * @param renamed True if the entry may be new or gone.
   */
  onEntry(name: string, renamed: boolean): void;
  /** Reports that the folder is gone. */
  onEnd(): void;
  /** Reports that the system lost notices about changes. */
  onLost(): void;
}

export interface FolderWatch {
  close(): void;
  /** Passes new notices to the listener. Absent if each notice is passed at once. */
  take?(): void;
}

/** Watches the entries of one folder. @throws {Error} If the system refuses the watch. */
type WatchEntries = (folder: string, listener: EntryListener) => FolderWatch;

interface TreeListener {
  onChange(paths: readonly string[]): void;
  onLost(): void;
}

export class TreeWatch {
  readonly #root: string;
  readonly #listener: TreeListener;
  readonly #watchEntries: WatchEntries;
  readonly #watches = new Map<string, FolderWatch>();
  /** The target of each followed link, by the link's path. Prevents cycles of links. */
  readonly #followed = new Map<string, string>();

  /** @throws {Error} If the root cannot be watched, or there are too many folders. */
  constructor(root: string, listener: TreeListener, watchEntries: WatchEntries) {
    this.#root = root;
    this.#listener = listener;
    this.#watchEntries = watchEntries;
    try {
      this.#add(root, true);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  #add(folder: string, first: boolean): void {
    if (this.#watches.has(folder)) return;
    const { onChange, onLost } = this.#listener;
    const watch = this.#watchEntries(folder, {
      onEntry: (name, renamed) => {
        const entry = join(folder, name);
        if (renamed) this.#look(entry);
        onChange([entry]);
      },
      onEnd: () => folder === this.#root ? onLost() : this.#drop(folder),
      onLost,
    });
    this.#watches.set(folder, watch);
    for (const { name, isFile } of readDirSync(folder)) {
      const entry = join(folder, name);
      if (isFile || !this.#isFolder(entry)) continue;
      this.#addBelow(entry, first);
      // An entry that is older than its folder's watch causes no notice.
      if (!first) onChange([entry]);
    }
  }

  #addBelow(folder: string, first: boolean): void {
    try {
      this.#add(folder, first);
    } catch (error) {
      this.#drop(folder);
      // The folder is gone by now, or unreadable. Too many watches are an error.
      if (isReadable(folder)) throw error;
    }
  }

  /** Updates the watches after a name was added or removed. */
  #look(entry: string): void {
    for (const folder of [...this.#watches.keys()]) {
      if (folder === entry || folder.startsWith(entry + sep)) this.#drop(folder);
    }
    if (!this.#isFolder(entry)) return;
    try {
      this.#addBelow(entry, false);
    } catch {
      this.#listener.onLost();
    }
  }

  /** True for a folder, or a link to an unwatched folder. Records the link as followed. */
  #isFolder(entry: string): boolean {
    try {
      const { isDirectory, isSymlink } = lstatSync(entry);
      if (!isSymlink) return isDirectory;
      const real = realPathSync(entry);
      const is = !`${real}${sep}`.startsWith(this.#root + sep) &&
        ![...this.#followed.values()].includes(real) && lstatSync(real).isDirectory;
      if (is) this.#followed.set(entry, real);
      return is;
    } catch {
      // The entry is gone by now, or cannot be read.
      return false;
    }
  }

  #drop(folder: string): void {
    this.#watches.get(folder)?.close();
    this.#watches.delete(folder);
    this.#followed.delete(folder);
  }

  close(): void {
    for (const folder of [...this.#watches.keys()]) this.#drop(folder);
  }
}

function isReadable(folder: string): boolean {
  try {
    return [...readDirSync(folder)].length >= 0;
  } catch {
    return false;
  }
}
