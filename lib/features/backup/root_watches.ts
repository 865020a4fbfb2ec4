/** Watches the folders of agents' sessions, and checks that the system still reports changes. */
import { errorText } from "../../core/event/error_text.ts";
import { join } from "node:path";
import type { AgentName } from "../../core/event/agent_name.ts";
import { descriptorOf } from "../../library/machine/registry.ts";
import { realPathSync, statSync, utimeSync, writeTextFileSync } from "../../core/platform/files.ts";
import type { FolderWatch } from "../../core/platform/tree_watch.ts";
import { watchFolder } from "../../core/platform/watch_folder.ts";
import { makeDirectories } from "../../core/store/create_log.ts";
import type { AgentEnvironment } from "../../agents/contract/agent_environment.ts";
import { watchedFolders } from "../../agents/contract/agent_roots.ts";
import { specialKind } from "./source_file.ts";

interface RootListener {
  onChange(agent: AgentName, path: string): void;
  /** Reports that changes below a root of the agent may have been missed. */
  onLost(agent: AgentName): void;
}

interface Root {
  agent: AgentName;
  path: string;
  watch?: FolderWatch;
  ino?: number;
  /** The reason why the system refused to watch the root, if it did. `look` tries again. */
  refused?: string;
}

export class RootWatches implements Disposable {
  readonly #roots: Root[];
  readonly #listener: RootListener;

  constructor(
    agents: readonly AgentName[],
    environment: AgentEnvironment,
    listener: RootListener,
  ) {
    this.#roots = agents.flatMap((agent) =>
      watchedFolders(descriptorOf(agent), environment).map((path) => ({ agent, path }))
    );
    this.#listener = listener;
  }

  get incomplete(): boolean {
    return this.#roots.some(({ watch, refused }) => watch === undefined && refused === undefined);
  }

  get refused(): { path: string; reason: string }[] {
    return this.#roots.flatMap(({ path, refused: reason }) =>
      reason === undefined ? [] : [{ path, reason }]
    );
  }

  covers(path: string): boolean {
    return this.#roots.some((root) => root.watch !== undefined && path.startsWith(root.path));
  }

  /** Watches roots that exist now. Calls `onLost` for new ones, as earlier changes were missed. */
  look(): void {
    for (const root of this.#roots) {
      const ino = inodeOf(root.path);
      const kind = ino === undefined ? specialKind(root.path) : undefined;
      if (kind !== undefined) root.refused = `the path is ${kind}`;
      if (root.watch !== undefined && (ino === undefined || ino !== root.ino)) this.#end(root);
      if (root.watch === undefined && ino !== undefined) this.#begin(root, ino);
    }
  }

  #begin(root: Root, ino: number): void {
    const again = root.refused !== undefined;
    const { agent, path } = root;
    try {
      const real = realPathSync(path);
      root.watch = watchFolder(real, {
        onChange: (paths) => {
          for (const one of paths) {
            // Paths of sessions begin with the agent's folder, and of notices with its real path.
            const named = one.startsWith(real) ? join(path, one.slice(real.length)) : one;
            if (named === path) queueMicrotask(() => this.look());
            else this.#listener.onChange(agent, named);
          }
        },
        onLost: () => {
          this.#end(root);
          this.#listener.onLost(agent);
        },
      });
      root.ino = ino;
      delete root.refused;
    } catch (error) {
      root.refused = errorText(error);
    }
    if (!again) this.#listener.onLost(agent);
  }

  #end(root: Root): void {
    root.watch?.close();
    delete root.watch;
  }

  [Symbol.dispose](): void {
    for (const root of this.#roots) this.#end(root);
  }
}

function inodeOf(path: string): number | undefined {
  try {
    const { isDirectory, ino } = statSync(path);
    return isDirectory ? ino ?? 0 : undefined;
  } catch {
    // The folder may be made later.
    return undefined;
  }
}

const FOLDER = "watch-probe";
/** Milliseconds between two probes, and to wait for a probe's notice on a busy machine. */
const TIMES = { ask_ms: 10_000, answer_ms: 8000 };

/**
 * Checks that the system's watch still reports changes. The probe touches a file of its own, and
 * waits until the watch reports it. A watch whose thread is blocked by a pipe reports neither
 * changes nor errors.
 */
export class WatchProbe implements Disposable {
  readonly #file: string;
  readonly #times: typeof TIMES;
  #watch: FolderWatch | undefined;
  #asked_at = -Infinity;
  #answered_at = 0;

  /** @param folder Path of the folder in which the probe makes the file that it touches. */
  constructor(folder: string, times = TIMES) {
    this.#times = times;
    const own = join(folder, FOLDER);
    this.#file = join(own, "touched");
    try {
      makeDirectories(own);
      writeTextFileSync(this.#file, "", { mode: 0o600 });
      this.#watch = watchFolder(own, {
        onChange: () => this.#answered_at = performance.now(),
        onLost: () => {},
      });
    } catch {
      // The disk is full, or nothing can be watched. Both are reported elsewhere.
    }
  }

  get #waits(): boolean {
    return this.#answered_at < this.#asked_at;
  }

  get silent(): boolean {
    return this.#waits && performance.now() - this.#asked_at >= this.#times.answer_ms;
  }

  /** Time when the next probe is due or the current probe is late, by `performance.now()`. */
  get next(): number {
    if (this.#watch === undefined || this.silent) return Infinity;
    return this.#asked_at + (this.#waits ? this.#times.answer_ms : this.#times.ask_ms);
  }

  /** Touches the file if a probe is due. None is due until the watch reported the last touch. */
  ask(): void {
    const now = performance.now();
    if (this.#waits || now < this.next) return;
    this.#asked_at = now;
    try {
      utimeSync(this.#file, new Date(), new Date());
    } catch {
      // Someone removed the file, so there will be no notice.
      this[Symbol.dispose]();
    }
  }

  [Symbol.dispose](): void {
    this.#watch?.close();
    this.#watch = undefined;
  }
}
