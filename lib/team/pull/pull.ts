/** Pulls what other machines and members pushed. */
import type { Library } from "../../library/library.ts";
import { assertSafeStore } from "../../session/store_safety.ts";
import type { SyncProgress } from "../push/push_report.ts";
import type { SyncSettings } from "../shared_project.ts";
import { readSyncState, type SyncState, writeSyncState } from "../state/sync_state.ts";
import { pullMarks } from "../sync_marks.ts";
import type { SharedBranch, StoreGreeting, TeamStore } from "../team_store.ts";
import { changedHeads } from "./changed_heads.ts";
import { removeOldDrafts } from "./draft_log.ts";
import { PullSessions } from "./pull_sessions.ts";
import { mirrorRef } from "./mirror_ref.ts";
import type { PullReport } from "./pull_report.ts";
import { relinkPulled } from "./relink_pulled.ts";
import { Trust } from "./trust.ts";

/** Options of {@linkcode pull}. */
export interface PullOptions {
  /** Secret keys of age, for sealed sessions. @default {none} */
  identities?: readonly string[];
  /** Sessions of these projects alone, by their ids. @default {all that may be read} */
  projects?: readonly string[];
  /** One session alone, by its full id: what changed elsewhere waits. */
  session?: string;
  /** The head of a branch of the user that comes into the sessions here, whoever signed it. */
  accept?: string;
  /** Called as sessions are done. */
  onProgress?: (progress: SyncProgress) => void;
  /** Stops it between two sessions; what was pulled stays. */
  signal?: AbortSignal;
  /** Gives the time. @default {the system's clock} */
  now?: () => Date;
}

/** Sessions that are compared and downloaded together. */
const TOGETHER = 500;

/**
 * Pulls what changed since the last pull. Sessions of the user that a trusted machine signed come into
 * the store of this machine, byte for byte. One that is here gets what follows, if it
 * is a beginning of that. All else comes into a mirror, which is only read.
 *
 * @param library Where sessions are; its data root takes them. @param store The connection.
 * @param settings The projects, and this device. @param options Keys, and who is told.
 * @returns What came. One session that cannot be pulled stops no other: it is in `failed`.
 * @throws {SessionError} `unreachable`, `permission`, `unsupported-version`, `disk-full`,
 * `unsafe-store`, `io`: what stops all of it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { openTeamStore, pull, type SyncSettings } from "@reprise/reprise/team";
 *
 * const url = "postgresql://ada@127.0.0.1:1/sessions";
 * const device = { id: crypto.randomUUID(), label: "laptop" };
 * const settings: SyncSettings = { version: 1, url, device, projects: [] };
 *
 * async function fetchSessions(): Promise<number> {
 *   await using store = await openTeamStore(url);
 *   return (await pull(openLibrary(), store, settings)).adopted.length;
 * }
 * await assert.rejects(fetchSessions(), { code: "unreachable" });
 * ```
 */
export async function pull(
  library: Library,
  store: TeamStore,
  settings: SyncSettings,
  options: PullOptions = {},
): Promise<PullReport> {
  assertSafeStore(library.root);
  const greeting = await store.hello(settings.device);
  return await new Pull(library, store, settings, greeting, options).run();
}

class Pull {
  readonly #library: Library;
  readonly #root: string;
  readonly #store: TeamStore;
  readonly #settings: SyncSettings;
  readonly #options: PullOptions;
  readonly #now: Date;
  readonly #state: SyncState;
  readonly #report: PullReport;

  constructor(
    library: Library,
    store: TeamStore,
    settings: SyncSettings,
    { id, owner }: StoreGreeting,
    options: PullOptions,
  ) {
    this.#library = library;
    this.#root = library.root;
    this.#store = store;
    this.#settings = settings;
    this.#options = options;
    this.#now = (options.now ?? (() => new Date()))();
    this.#state = readSyncState(library.root, id, owner);
    this.#report = {
      ...{ store: id, owner, changed: 0, adopted: [], extended: [], mirrored: [], diverged: [] },
      ...{
        untrusted: [],
        busy: [],
        sealed: [],
        failed: [],
        bytes: 0,
        received_bytes: 0,
        relinked: [],
        marks: 0,
      },
    };
  }

  async run(): Promise<PullReport> {
    removeOldDrafts(this.#root, this.#now);
    const { identities = [], onProgress, accept } = this.#options;
    const trust = new Trust({
      ...{ root: this.#root, store: this.#state.store, owner: this.#state.owner },
      settings: this.#settings,
      ...(accept === undefined ? {} : { accept }),
    });
    const means = { store: this.#store, state: this.#state, root: this.#root, trust };
    const { heads, changed, untrusted } = await changedHeads(means, this.#options);
    this.#report.changed = changed.length;
    this.#report.untrusted = untrusted.map((branch) => mirrorRef(branch, this.#state.owner));
    const pulling = new PullSessions({
      ...{ ...means, report: this.#report, identities, now: this.#now },
      ...(onProgress === undefined ? {} : { onProgress }),
    });
    for (const some of togetherBySession(changed)) {
      this.#options.signal?.throwIfAborted();
      await pulling.pull(some);
    }
    const { projects } = this.#settings;
    this.#report.relinked = await relinkPulled(
      this.#library,
      projects,
      pulling.adopted,
      this.#now,
    );
    this.#report.marks = await pullMarks(
      this.#store,
      this.#state,
      this.#root,
      this.#settings.device.id,
    );
    // What was not accepted may be signed later, or its machine trusted: it is asked for again.
    for (const { session } of untrusted) pulling.waiting.add(session);
    this.#noteProgress(heads, pulling.waiting);
    writeSyncState(this.#root, this.#state);
    return this.#report;
  }

  #noteProgress(heads: readonly SharedBranch[], waiting: ReadonlySet<string>): void {
    const isAll = this.#options.session === undefined;
    const newest = heads.map(({ changed_at }) => changed_at).sort().at(-1);
    if (isAll) this.#notePulled(newest);
    const before = isAll ? [] : this.#state.waiting;
    this.#state.waiting = [...new Set([...before, ...waiting])].sort();
  }

  /** What is left out now has a gap from here on, also where it was pulled before. */
  #notePulled(newest: string | undefined): void {
    const { projects } = this.#options;
    const { pulled_at = "" } = this.#state;
    if (newest !== undefined && newest > pulled_at) this.#state.pulled_at = newest;
    if (projects === undefined) delete this.#state.pulled_projects;
    else this.#state.pulled_projects = [...new Set(projects)].sort();
  }
}

/** Groups branches so that those of a session stay together. */
function* togetherBySession(branches: readonly SharedBranch[]): Generator<SharedBranch[]> {
  const sessions = [...Map.groupBy(branches, ({ session }) => session).values()];
  for (let at = 0; at < sessions.length; at += TOGETHER) {
    yield sessions.slice(at, at + TOGETHER).flat();
  }
}
