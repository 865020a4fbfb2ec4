/** Pushes the sessions of the projects that were added. */
import { SessionError } from "../../event/session_error.ts";
import type { Library } from "../../library/library.ts";
import { pause } from "../../platform/pause.ts";
import { LogSegments } from "../log_segments.ts";
import { sessionsToShare, type SessionToShare, termsOf } from "../sessions_to_share.ts";
import type { SyncSettings } from "../shared_project.ts";
import type { DeviceKey, SignedPlace } from "../branch_signature.ts";
import { deviceKey } from "../state/device_key_file.ts";
import { readSyncState, type SyncState, writeSyncState } from "../state/sync_state.ts";
import { pushMarks } from "../sync_marks.ts";
import type { SharingTerms, StoreGreeting, TeamStore } from "../team_store.ts";
import { AppendBatches } from "./append_batches.ts";
import { askAbout } from "./ask_about.ts";
import { KnownSessions } from "./known_sessions.ts";
import type { PushReport, SyncProgress } from "./push_report.ts";
import { PushSession } from "./push_session.ts";

/** Options of {@linkcode push}. */
export interface PushOptions {
  /** The program and its version, as rows of lists name it. @default {"reprise"} */
  made_by?: string;
  /** Secret keys of age, for sessions that are sealed already. @default {none} */
  identities?: readonly string[];
  /**
   * Withdraws sessions that are shared under other terms than their projects ask for, and shares them
   * anew. What members pulled before stays with them. @default {false}
   */
  replace?: boolean;
  /** Called as sessions are done. */
  onProgress?: (progress: SyncProgress) => void;
  /** Stops it between two sessions; what was sent stays. */
  signal?: AbortSignal;
  /** Gives the time. @default {the system's clock} */
  now?: () => Date;
}

/** Sessions that are asked for together. */
const TOGETHER = 1000;
/** How often a session is compared again while others push it. */
const ROUNDS = 40;
const PAUSE_MS = 20;

/**
 * Pushes what changed in the sessions of some projects since the last push. Nothing in the store is
 * overwritten: where another machine went on elsewhere, a branch begins.
 *
 * @param library Where sessions are; its data root keeps what is known of the store.
 * @param store The connection. @param settings The projects, and this device.
 * @param options Who is told, and what stops it.
 * @returns What was sent. One session that cannot be pushed stops no other: it is in `failed`.
 * @throws {SessionError} `unreachable`, `permission`, `unsupported-version`, `disk-full`,
 * `invalid-config`, `io`: what stops all of it.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openLibrary } from "@reprise/reprise/library";
 * import { openTeamStore, push, type SyncSettings } from "@reprise/reprise/team";
 *
 * const url = "postgresql://ada@127.0.0.1:1/sessions";
 * const device = { id: crypto.randomUUID(), label: "laptop" };
 * const settings: SyncSettings = { version: 1, url, device, projects: [] };
 *
 * async function share(): Promise<number> {
 *   await using store = await openTeamStore(url);
 *   return (await push(openLibrary(), store, settings)).pushed;
 * }
 * await assert.rejects(share(), { code: "unreachable" });
 * ```
 */
export async function push(
  library: Library,
  store: TeamStore,
  settings: SyncSettings,
  options: PushOptions = {},
): Promise<PushReport> {
  const greeting = await store.hello(settings.device);
  return await new Push(library, store, settings, greeting, options).run();
}

class Push {
  readonly #library: Library;
  readonly #store: TeamStore;
  readonly #settings: SyncSettings;
  readonly #options: PushOptions;
  readonly #state: SyncState;
  readonly #known: KnownSessions;
  readonly #report: PushReport;
  readonly #key: DeviceKey;
  #done = 0;

  constructor(
    library: Library,
    store: TeamStore,
    settings: SyncSettings,
    { id, owner }: StoreGreeting,
    options: PushOptions,
  ) {
    this.#library = library;
    this.#store = store;
    this.#settings = settings;
    this.#options = options;
    this.#state = readSyncState(library.root, id, owner);
    this.#known = new KnownSessions(this.#state);
    this.#key = deviceKey(library.root);
    this.#report = {
      ...{ store: id, owner, sessions: 0, changed: 0, pushed: 0, began: 0 },
      ...{ bytes: 0, sent_bytes: 0 },
      ...{ branches: [], behind: [], withdrawn: [], other_terms: [], failed: [] },
      ...{ left_out: 0, marks: 0 },
    };
  }

  async run(): Promise<PushReport> {
    const report = this.#report;
    const { sessions, left_out } = await sessionsToShare(
      this.#library,
      this.#settings.projects,
      ({ message }) => report.failed.push({ session: "", message }),
    );
    const { replace = false } = this.#options;
    const changed = sessions.filter((share) =>
      this.#known.isChanged(share) || replace && this.#known.hasOtherTerms(share.id)
    );
    Object.assign(report, { sessions: sessions.length, changed: changed.length, left_out });
    try {
      for (let at = 0; at < changed.length; at += TOGETHER) {
        await this.#pushAll(changed.slice(at, at + TOGETHER));
      }
      await this.#pushMarks(sessions);
    } finally {
      if (this.#known.changed) writeSyncState(this.#library.root, this.#state);
    }
    return report;
  }

  async #pushMarks(sessions: readonly SessionToShare[]): Promise<void> {
    const before = JSON.stringify(this.#state.marks_file);
    const { sent, refused } = await pushMarks({
      ...{ store: this.#store, state: this.#state, root: this.#library.root },
      device: this.#settings.device.id,
      shared: new Map(sessions.map(({ id, form }) => [id, form])),
      has_new: this.#report.began > 0,
    });
    this.#report.marks = sent;
    if (refused !== undefined) this.#report.marks_refused = refused;
    if (JSON.stringify(this.#state.marks_file) !== before) this.#known.changed = true;
  }

  async #pushAll(shares: readonly SessionToShare[]): Promise<void> {
    let left = shares;
    for (let round = 0; left.length > 0 && round < ROUNDS; round++) {
      if (round > 0) await pause(Math.random() * PAUSE_MS * round, this.#options.signal);
      left = await this.#round(left);
    }
    for (const { id: session } of left) {
      const message = "Cannot push session: others push it all the time; try again";
      this.#report.failed.push({ session, message });
    }
  }

  /** Pushes sessions once; gives those that others pushed meanwhile. */
  async #round(shares: readonly SessionToShare[]): Promise<SessionToShare[]> {
    const { identities = [], made_by = "reprise", replace = false } = this.#options;
    const device = this.#settings.device.id;
    const about = await askAbout(shares, {
      ...{ library: this.#library, store: this.#store, state: this.#state, known: this.#known },
      ...{ device, identities, replace },
    });
    const standing = shares.filter((share) =>
      !this.#isWithdrawn(share, about.withdrawn) &&
      !this.#hasOtherTerms(share, about.other_terms.get(share.id))
    );
    const batches = new AppendBatches(this.#store);
    const means = {
      ...{ library: this.#library, store: this.#store, device, made_by },
      ...{ batches, segments: new LogSegments() },
      sign: (place: Omit<SignedPlace, "store" | "owner">) =>
        this.#key.sign({ store: this.#state.store, owner: this.#state.owner, ...place }),
    };
    const pushed: Pushed[] = [];
    try {
      for (const share of standing) {
        this.#options.signal?.throwIfAborted();
        try {
          const push = new PushSession(means, await about.subject(share));
          await push.push();
          pushed.push({ share, push });
        } catch (error) {
          this.#fail(share, error);
        }
        this.#tell(pushed);
      }
      await batches.flush();
    } catch (error) {
      // What is there already need not be compared again.
      for (const { share, push } of pushed) if (push.is_answered) this.#settle(share, push);
      throw error;
    }
    return pushed.filter(({ share, push }) => this.#settle(share, push)).map(({ share }) => share);
  }

  #isWithdrawn(share: SessionToShare, withdrawn: ReadonlySet<string>): boolean {
    if (!withdrawn.has(share.id)) return false;
    this.#report.withdrawn.push(share.id);
    this.#known.keepWithdrawn(share);
    return true;
  }

  #hasOtherTerms(share: SessionToShare, shared: SharingTerms | undefined): boolean {
    if (shared === undefined) return false;
    this.#report.other_terms.push({ session: share.id, shared, wanted: termsOf(share) });
    this.#known.keepOtherTerms(share, shared.form);
    return true;
  }

  /** Notes where a session ends now; true where it is to be compared again. */
  #settle(share: SessionToShare, push: PushSession): boolean {
    const report = this.#report;
    const { id } = share;
    report.bytes += push.bytes;
    report.sent_bytes += push.sent_bytes;
    if (push.refused !== undefined) {
      report.failed.push({ session: id, message: push.refused.message });
      return false;
    }
    if (push.began !== undefined) report.branches.push({ session: id, n: push.began });
    if (push.moved) return true;
    if (push.behind) report.behind.push(id);
    if (push.bytes > 0) report.pushed++;
    if (push.bytes > 0 && push.is_new) report.began++;
    const { now = () => new Date() } = this.#options;
    this.#known.keep(share, push.place, now());
    return false;
  }

  #fail({ id: session }: SessionToShare, error: unknown): void {
    if (!(error instanceof SessionError) || STOPS.has(error.code)) throw error;
    this.#report.failed.push({ session, message: error.message });
  }

  #tell(pushed: readonly Pushed[]): void {
    const { onProgress } = this.#options;
    if (onProgress === undefined) return;
    const { changed: of } = this.#report;
    const bytes = pushed.reduce((sum, { push }) => sum + push.bytes, this.#report.bytes);
    onProgress({ done: Math.min(++this.#done, of), of, bytes });
  }
}

/** A session on its way. */
interface Pushed {
  share: SessionToShare;
  push: PushSession;
}

/** What stops all sessions. */
const STOPS: ReadonlySet<string> = new Set(["unreachable", "disk-full", "unsupported-version"]);
