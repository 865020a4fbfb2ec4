/** Watches a folder and everything below it, through the notices of the system. */
import { join } from "node:path";
import { type Inotify, openInotify } from "./inotify.ts";
import { builtin, isDeno, operatingSystem } from "./runtime.ts";
import { type EntryListener, type FolderWatch, TreeWatch } from "./tree_watch.ts";

export interface FolderListener {
  /** Receives the paths that changed. They begin with the folder's path as it was given. */
  onChange(paths: readonly string[]): void;
  /** Reports that notices were lost or the watch has ended, so later changes are unknown. */
  onLost(): void;
}

/** Milliseconds between two polls for changes. Callers wait longer than this to batch changes. */
const TAKE_MS = 100;

/**
 * Watches a folder and everything below it, without a watch for each file.
 *
 * @param take_ms Milliseconds between two polls for notices. Each poll takes CPU time.
 * @throws The system's error if the folder is missing, or has too many folders to watch.
 */
export function watchFolder(
  path: string,
  listener: FolderListener,
  take_ms = TAKE_MS,
): FolderWatch {
  if (operatingSystem !== "linux") {
    return isDeno ? watchByDeno(path, listener) : watchByNode(path, listener);
  }
  // Node would watch each file.
  if (!isDeno) return new TreeWatch(path, listener, watchEntriesByNode);
  const inotify = openInotify(take_ms);
  return inotify === undefined
    ? watchByDeno(path, listener)
    : watchByInotify(path, listener, inotify);
}

function watchByInotify(path: string, listener: FolderListener, inotify: Inotify): FolderWatch {
  try {
    new TreeWatch(path, listener, (folder, entries) => inotify.watch(folder, entries));
  } catch (error) {
    inotify.close();
    throw error;
  }
  return inotify;
}

/** Kinds of Deno's events that report no change, such as the reading of a file. */
const IGNORED: ReadonlySet<string> = new Set(["access", "any"]);

/** Watches a tree. Deno's watcher opens reported paths, so a named pipe blocks it forever. */
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

/** Watches a tree: whole on Windows and macOS. */
function watchByNode(path: string, { onChange, onLost }: FolderListener): FolderWatch {
  const watcher = builtin("node:fs").watch(path, { recursive: true }, (_, name) => {
    if (name === null) onLost();
    else onChange([join(path, name)]);
  });
  watcher.on("error", onLost);
  return watcher;
}

/** Watches a folder without opening its entries, so no named pipe blocks the watcher. */
function watchEntriesByNode(
  folder: string,
  { onEntry, onEnd, onLost }: EntryListener,
): FolderWatch {
  const watcher = builtin("node:fs").watch(folder, (kind, name) => {
    if (name === null) onLost();
    else onEntry(name, kind === "rename");
  });
  watcher.on("error", onEnd);
  return watcher;
}
