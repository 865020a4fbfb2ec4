/** Manages the folders of kept sessions: their names, their manifests, and their list. */
import { removeQuietly } from "../../core/file/remove_quietly.ts";
import { dirname, join, relative } from "node:path";
import { crc32 } from "node:zlib";
import type { AgentName } from "../../core/event/agent_name.ts";
import { isThere } from "../../core/file/presence.ts";
import {
  backupsDirectory,
  entryOf,
  type KeptEntry,
  keptFolder,
  keptIndexPath,
  scanKept,
} from "../../library/machine/kept/kept_index.ts";
import {
  type KeptManifest,
  LATEST,
  latestOf,
  MANIFEST,
} from "../../library/machine/kept/manifest.ts";
import { writeWhole } from "../../core/log/write_whole.ts";
import type { OpenFile } from "../../core/platform/file_system.ts";
import { openSync, renameSync } from "../../core/platform/files.ts";
import { makeDirectories } from "../../core/store/create_log.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { lookAtSource } from "./source_file.ts";
import type { WatchedSession } from "./watched_sessions.ts";

const LONGEST_NAME = 80;

/** Returns a session's folder name, from id and path, because several sessions may have one id. */
function folderNameOf({ id, path }: AgentSession): string {
  const plain = id.replace(/[^A-Za-z0-9._-]/g, "_").replace(/^\.+/, "_").slice(0, LONGEST_NAME);
  const digest = (crc32(`${id}\0${path}`) >>> 0).toString(16).padStart(8, "0");
  return `${plain}-${digest}`;
}

/**
 * Returns the name of a file's copy: its path relative to the folder three levels above the
 * session's own file. Agents have a session's other files in that folder.
 */
export function copyName(main: string, path: string): string {
  const base = dirname(dirname(dirname(main)));
  return relative(base, path).split(/[/\\]/).filter((part) => part !== "" && part !== ".")
    .map((part) => part === ".." ? "above" : part.replace(/^([A-Za-z]):$/, "$1")).join("/");
}

export async function writeManifest(
  folder: string,
  manifest: KeptManifest,
  sync: boolean,
): Promise<void> {
  await replaceText(join(folder, MANIFEST), `${JSON.stringify(manifest)}\n`, sync);
}

/** Replaces a file by a text through a rename, so that no reader sees a part of the text. */
async function replaceText(path: string, text: string, sync: boolean): Promise<void> {
  const made = `${path}.tmp`;
  try {
    {
      using file = openNew(made);
      writeWhole(file, new TextEncoder().encode(text));
      if (sync) await file.syncData();
    }
    renameSync(made, path);
  } catch (error) {
    removeQuietly(made);
    throw error;
  }
}

function openNew(path: string): OpenFile {
  const options = { write: true, mode: 0o600 };
  try {
    return openSync(path, { ...options, createNew: true });
  } catch {
    makeDirectories(dirname(path));
    removeQuietly(path);
    return openSync(path, { ...options, createNew: true });
  }
}

/**
 * Moves the newest copies of files into a generation's folder. If the process is killed before it
 * writes the manifest, {@linkcode moveBack} undoes the moves.
 */
export function moveAway(folder: string, number: number, names: readonly string[]): void {
  for (const name of names) {
    const [from, to] = [join(folder, LATEST, name), join(folder, `${number}`, name)];
    if (!isThere(from)) continue;
    makeDirectories(dirname(to));
    renameSync(from, to);
  }
}

export function moveBack(folder: string, manifest: KeptManifest): void {
  const { number, files } = latestOf(manifest);
  for (const { name, copy } of files) {
    const [latest, moved] = [join(folder, copy), join(folder, `${number}`, name)];
    if (isThere(moved) && !isThere(latest)) {
      makeDirectories(dirname(latest));
      renameSync(moved, latest);
    }
  }
}

/** Minimum milliseconds between two writes of the lists of sessions. Each list is written whole. */
const SETTLE_MS = 3000;

export class KeptList {
  readonly #root: string;
  readonly #entries = new Map<AgentName, Map<string, KeptEntry>>();
  #settled_at = -Infinity;
  /** Agents whose list on the disk differs from the manifests. */
  readonly #stale = new Set<AgentName>();

  constructor(root: string, agents: readonly AgentName[]) {
    this.#root = root;
    for (const agent of agents) {
      this.#entries.set(agent, new Map());
      // The list may lack what a killed process kept last.
      for (const entry of scanKept(root, agent)) {
        this.#of(agent).set(entry.folder, entry);
        this.#stale.add(agent);
      }
    }
  }

  #of(agent: AgentName): Map<string, KeptEntry> {
    return this.#entries.get(agent) ?? new Map();
  }

  /**
   * Returns the name of a session's folder. A session that moved keeps its folder. A new session
   * gets an unused name.
   *
   * @param isWatched True for the path of a watched session, which already has a folder.
   */
  folderOf(session: AgentSession, isWatched: (path: string) => boolean): string {
    const entries = this.#of(session.agent);
    const name = folderNameOf(session);
    if (entries.get(name)?.path === session.path) return name;
    // This case is rare, so all entries are searched: a map by id would always be held for 10,000.
    const known = [...entries.values().filter(({ id }) => id === session.id)];
    const own = known.find(({ path }) => path === session.path) ??
      known.find(({ path }) => !isWatched(path) && lookAtSource(path) === undefined);
    if (own !== undefined) return own.folder;
    // The name may belong to a session that has left this path, and is elsewhere now.
    let folder = name;
    for (let number = 2; entries.has(folder); number++) folder = `${name}-${number}`;
    return folder;
  }

  /** Finds the folders of sessions whose own file is gone. */
  *deleted(): Generator<string> {
    for (const entries of this.#entries.values()) {
      for (const entry of entries.values()) {
        if (!isThere(entry.path)) yield keptFolder(this.#root, entry);
      }
    }
  }

  put({ session: { agent }, folder }: WatchedSession, manifest: KeptManifest): void {
    const entry = entryOf(folder, manifest);
    const entries = this.#of(agent);
    const known = entries.get(folder);
    if (known !== undefined && JSON.stringify(known) === JSON.stringify(entry)) return;
    entries.set(folder, entry);
    this.#stale.add(agent);
  }

  /**
   * Writes the lists that differ from the manifests, at most every few seconds. A list that cannot
   * be written is tried again later.
   *
   * @param soon True to write the lists now.
   */
  async settle(soon = false): Promise<void> {
    if (!soon && performance.now() < this.#settled_at + SETTLE_MS) return;
    this.#settled_at = performance.now();
    for (const agent of this.#stale) {
      try {
        makeDirectories(join(backupsDirectory(this.#root), agent));
        const entries = [...this.#of(agent).values()];
        await replaceText(
          keptIndexPath(this.#root, agent),
          entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""),
          false,
        );
        this.#stale.delete(agent);
      } catch {
        // The disk is full or cannot be written. The next change tries again.
      }
    }
  }
}
