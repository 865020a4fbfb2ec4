/** Tells what changes below a folder, by the notices of the system. */
import { join } from "node:path";
import { builtin, isDeno, operatingSystem } from "./runtime.ts";

/** A folder that is watched. */
export interface FolderWatch {
  /** Stops the watch. */
  close(): void;
}

/** What a watch calls. */
export interface FolderListener {
  /** Gets paths at which something changed, below the folder as it was named. */
  onChange(paths: readonly string[]): void;
  /** Notices were lost, or the watch has ended: what changed since is not known. */
  onLost(): void;
}

/**
 * Watches a folder and all below it, without a watch for each file.
 *
 * @throws What the system says where the folder is missing or has too many folders for it.
 */
export function watchFolder(path: string, listener: FolderListener): FolderWatch {
  if (isDeno) return watchByDeno(path, listener);
  return operatingSystem === "linux" ? watchTree(path, listener) : watchByNode(path, listener);
}

/** Reading a file is no change. */
const IGNORED: ReadonlySet<string> = new Set(["access", "any"]);

function watchByDeno(path: string, listener: FolderListener): FolderWatch {
  const watcher = Deno.watchFs(path, { recursive: true });
  let closed = false;
  void (async () => {
    try {
      for await (const { kind, paths, flag } of watcher) {
        if (flag === "rescan" || kind === "other") listener.onLost();
        else if (!IGNORED.has(kind)) listener.onChange(paths);
      }
    } catch {
      // The watch broke: it is as if it had ended.
    }
    if (!closed) listener.onLost();
  })();
  return {
    close(): void {
      closed = true;
      try {
        watcher.close();
      } catch {
        // BadResource: it ended by itself.
      }
    },
  };
}

/** Windows and macOS watch whole trees. */
function watchByNode(path: string, { onChange, onLost }: FolderListener): FolderWatch {
  const watcher = builtin("node:fs").watch(path, { recursive: true }, (_, name) => {
    if (name === null) onLost();
    else onChange([join(path, name)]);
  });
  watcher.on("error", onLost);
  return watcher;
}

/** On Linux, Node would watch each file; a watch for each folder is enough. */
function watchTree(path: string, { onChange, onLost }: FolderListener): FolderWatch {
  const { watch, readdirSync, lstatSync } = builtin("node:fs");
  const watchers = new Map<string, FolderWatch>();
  function addNew(folder: string): void {
    try {
      if (lstatSync(folder).isDirectory()) add(folder, false);
    } catch {
      // Gone by now; or there are too many folders for the system.
      onLost();
    }
  }
  function add(folder: string, first: boolean): void {
    if (watchers.has(folder)) return;
    try {
      const watcher = watch(folder, (kind, name) => {
        if (name === null) return onLost();
        if (kind === "rename") addNew(join(folder, name));
        onChange([join(folder, name)]);
      });
      watcher.on("error", () => drop(folder));
      watchers.set(folder, watcher);
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        if (!entry.isDirectory()) continue;
        add(join(folder, entry.name), false);
        // What came before its watch is not noticed.
        if (!first) onChange([join(folder, entry.name)]);
      }
    } catch (error) {
      drop(folder);
      // A file, or gone by now; but too many watches are told.
      if (first || (error as { code?: string }).code === "ENOSPC") throw error;
    }
  }
  function drop(folder: string): void {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  }
  add(path, true);
  return {
    close(): void {
      for (const folder of [...watchers.keys()]) drop(folder);
    },
  };
}
