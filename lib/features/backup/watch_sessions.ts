/**
 * Backs up the sessions of agents other than Reprise as they grow, until its signal aborts.
 *
 * @module
 */
import { type AgentName, REPRISE } from "../../core/event/agent_name.ts";
import type { Library } from "../../library/library.ts";
import { pause } from "../../core/platform/pause.ts";
import type { LocalStore } from "../../core/store/local_store.ts";
import type { BackupOptions } from "./back_up.ts";
import { lockBackups } from "./lock_backups.ts";
import { SessionWatcher } from "./session_watcher.ts";
import type { WatchNews } from "./watch_news.ts";

/** Settings of a watch: the agents, the end, and a fallback working directory. */
export interface WatchSessionsOptions {
  /** The agents whose sessions are backed up. @default {all} */
  agents?: readonly AgentName[];
  /** Ends the watch when it aborts. */
  signal?: AbortSignal;
  /** Returns the current time. @default {the system's clock} */
  now?: () => Date;
  /**
   * True to end after one full backup.
   * @default {false}
   */
  once?: boolean;
  /** The working directory of sessions from a database that records no working directory. */
  default_cwd?: BackupOptions["default_cwd"];
}

/**
 * Keeps every session of other agents byte for byte, as the session grows. Versions from before a
 * rewrite stay beside the newest version. Only one process at a time can watch for a store.
 *
 * A session in a database is imported as {@linkcode backUp} does it, once the database is quiet.
 *
 * @param library The sessions of this machine.
 * @param store The store that gets the backups.
 * @param options The agents to watch, and the signal that ends the watch.
 * @returns Reports of what was done, as it is done.
 * @throws {SessionError} `locked` if another process watches for the store; `permission`,
 * `disk-full` and `io` if the store cannot be made. Later failures are reported, and what failed is
 * tried again.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { watchSessions } from "@reprise/reprise/backup";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { openLocalStore } from "@reprise/reprise/store";
 *
 * const home = await mkdtemp(join(tmpdir(), "reprise-"));
 * const folder = `${home}/.claude/projects/-work`;
 * await mkdir(folder, { recursive: true });
 * await writeFile(`${folder}/3f2a91c0.jsonl`, '{"type":"summary"}\n');
 *
 * const variable = (name: string): string | undefined => name === "HOME" ? home : undefined;
 * const library = openLibrary({ root: `${home}/store`, variable });
 * const store = openLocalStore({ root: `${home}/store` });
 * const news = await Array.fromAsync(watchSessions(library, store, { once: true }));
 * assert.deepEqual(news.map(({ status }) => status), ["kept", "caught-up"]);
 * await rm(home, { recursive: true });
 * ```
 */
export async function* watchSessions(
  library: Library,
  store: LocalStore,
  options: WatchSessionsOptions = {},
): AsyncGenerator<WatchNews> {
  const { now = () => new Date(), signal, once = false } = options;
  const agents = (options.agents ?? library.place.agents).filter((name) => name !== REPRISE);
  const lock = await lockBackups(store.root, now(), "watch sessions to back them up");
  const plan = { library, store, agents, now, default_cwd: options.default_cwd, signal };
  try {
    await using watcher = new SessionWatcher(plan);
    let caught_up = false;
    while (!signal?.aborted) {
      for await (const news of watcher.step()) {
        yield news;
        if (signal?.aborted) return;
      }
      if (!caught_up && watcher.caught_up) {
        caught_up = true;
        watcher.packDeleted();
        yield { status: "caught-up", sessions: watcher.sessions, added: watcher.added };
        if (once) return;
      }
      const rest = watcher.next_step - performance.now();
      if (rest > 0) {
        const sleep = watcher.sleep();
        await pause(rest, signal === undefined ? sleep : AbortSignal.any([signal, sleep]));
      }
    }
  } finally {
    lock.release();
  }
}
