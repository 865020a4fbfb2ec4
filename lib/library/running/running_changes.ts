/** Finds the running sessions that changed, so that unchanged sessions are not read again. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { AgentName } from "../../core/event/agent_name.ts";
import { mayRun } from "../../core/platform/process_state.ts";
import type { FolderWatch } from "../../core/platform/tree_watch.ts";
import { watchFolder } from "../../core/platform/watch_folder.ts";
import type { AgentSession } from "../../agents/contract/agent.ts";
import { agentPlaces, watchedFolders } from "../../agents/contract/agent_roots.ts";
import { chosenAgents, type LibraryPlace } from "../catalogue/library_place.ts";
import { tracedAgents } from "../machine/locators.ts";
import { descriptorOf } from "../machine/registry.ts";
import { DATABASE, PolledFiles, rootDatabases } from "./polled_files.ts";

/** Milliseconds after which changes of files are reported, even if nothing asks for them before. */
const TAKE_MS = 60_000;
/** Minimum length of an id that is searched in paths. A shorter id may be part of other paths. */
const LEAST_ID = 8;

export interface WatchedProcess {
  session: AgentSession;
  pid: number | undefined;
}

export class RunningChanges implements Disposable {
  readonly #place: LibraryPlace;
  readonly #agents: readonly AgentName[] | undefined;
  readonly #watches = new Map<string, FolderWatch>();
  readonly #polled = new PolledFiles();
  #known: readonly WatchedProcess[] = [];
  #changed = new Set<string>();
  /** True if more sessions than those in `#changed` may have changed. */
  #is_unsure = true;

  constructor(place: LibraryPlace, agents: readonly AgentName[] | undefined) {
    this.#place = place;
    this.#agents = agents;
  }

  /** True if something may have changed since the last `take`. */
  get any(): boolean {
    for (const watch of [...this.#watches.values()]) watch.take?.();
    this.#is_unsure ||= this.#known.some(({ pid }) => pid !== undefined && !mayRun(pid));
    this.#notice(this.#polled.take());
    return this.#is_unsure || this.#changed.size > 0;
  }

  /** Returns and forgets the ids of changed sessions; undefined if any session may have changed. */
  take(): ReadonlySet<string> | undefined {
    const changed = this.#is_unsure ? undefined : this.#changed;
    this.#changed = new Set();
    if (this.#is_unsure) this.#watch();
    this.#is_unsure = false;
    return changed;
  }

  /** Makes the next `take` report that any session may have changed. */
  doubt(): void {
    this.#is_unsure = true;
  }

  follow(known: readonly WatchedProcess[]): void {
    this.#known = known;
    const files = known.filter(({ session: { path } }) => !this.#isCovered(path))
      .flatMap(({ session: { path } }) => [path, `${path}-wal`]);
    const databases = rootDatabases(this.#agentsHere(), this.#place.environment);
    this.#polled.follow([...files, ...databases]);
  }

  #agentsHere(): readonly AgentName[] {
    return tracedAgents(this.#place.environment, chosenAgents(this.#place, this.#agents));
  }

  #watch(): void {
    const { environment } = this.#place;
    for (const agent of this.#agentsHere()) {
      const descriptor = descriptorOf(agent);
      const marked = agentPlaces(descriptor, environment)
        .flatMap(({ folder }) => (descriptor.marked ?? []).map((name) => join(folder, name)));
      for (const folder of [...watchedFolders(descriptor, environment), ...marked]) {
        if (!this.#watches.has(folder) && existsSync(folder)) this.#begin(folder);
      }
    }
  }

  #begin(folder: string): void {
    const end = (): void => {
      const watch = this.#watches.get(folder);
      this.#watches.delete(folder);
      this.#is_unsure = true;
      // It is still passing on its notices.
      queueMicrotask(() => watch?.close());
    };
    try {
      const onChange = (paths: readonly string[]): void => this.#notice(paths);
      this.#watches.set(folder, watchFolder(folder, { onChange, onLost: end }, TAKE_MS));
    } catch {
      // Too many folders, or not to be read: the next look at everything shows its sessions.
    }
  }

  #isCovered(path: string): boolean {
    return [...this.#watches.keys()].some((folder) => path.startsWith(folder));
  }

  #notice(paths: readonly string[]): void {
    for (const path of paths) {
      const name = basename(path).split(".")[0];
      const own = this.#known.filter(({ session, pid }) =>
        session.path === path || session.id.length >= LEAST_ID && path.includes(session.id) ||
        name === `${pid}`
      );
      for (const { session: { id } } of own) this.#changed.add(id);
      this.#is_unsure ||= own.length === 0 || DATABASE.test(path);
    }
  }

  [Symbol.dispose](): void {
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
  }
}
