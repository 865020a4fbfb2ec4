/** Keeps the list of what is kept: a line for each session and each change of its place. */
import { join } from "node:path";
import type { AgentName } from "../event/agent_name.ts";
import {
  backupsDirectory,
  entryOf,
  type KeptEntry,
  keptIndexPath,
  scanKept,
} from "../library/kept/kept_index.ts";
import type { KeptManifest } from "../library/kept/kept_manifest.ts";
import { makeDirectories } from "../session/create_log.ts";
import type { AgentSession } from "../source/agent.ts";
import { folderNameOf, replaceText } from "./kept_folder.ts";
import { lookAtSource } from "./source_file.ts";
import type { WatchedSession } from "./watched_session.ts";

/** Each list is written as a whole. */
const SETTLE_MS = 3000;

/** The list of a store, as long as it is watched. */
export class KeptList {
  readonly #root: string;
  /** Entries by agent, and then by folder. */
  readonly #entries = new Map<AgentName, Map<string, KeptEntry>>();
  #settled_at = -Infinity;
  /** Agents whose list is not as the manifests say. */
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
   * The folder in which a session is kept: the one that it has, also where it was moved; else a new one.
   *
   * @param isWatched True for the path of a session that has its folder.
   */
  folderOf(session: AgentSession, isWatched: (path: string) => boolean): string {
    const entries = this.#of(session.agent);
    const name = folderNameOf(session);
    if (entries.get(name)?.path === session.path) return name;
    // Rare enough to look through all of them: a list by id would be held for 10,000.
    const known = [...entries.values().filter(({ id }) => id === session.id)];
    const own = known.find(({ path }) => path === session.path) ??
      known.find(({ path }) => !isWatched(path) && lookAtSource(path) === undefined);
    if (own !== undefined) return own.folder;
    // The name may be that of a session which has left this place, and stands elsewhere.
    let folder = name;
    for (let number = 2; entries.has(folder); number++) folder = `${name}-${number}`;
    return folder;
  }

  /** Notes what is kept of a session. */
  put({ session: { agent }, folder }: WatchedSession, manifest: KeptManifest): void {
    const entry = entryOf(folder, manifest);
    const entries = this.#of(agent);
    const known = entries.get(folder);
    if (known !== undefined && JSON.stringify(known) === JSON.stringify(entry)) return;
    entries.set(folder, entry);
    this.#stale.add(agent);
  }

  /**
   * Writes the lists that are not as the manifests say, at most every few seconds. One that cannot be
   * written waits.
   *
   * @param soon True to write them now.
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
        // The disk is full, or not to be written: the next change tries again.
      }
    }
  }
}
