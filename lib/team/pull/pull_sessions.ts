/** Brings changed branches to their places: the session itself, its log, or the mirror. */
import { SessionError } from "../../event/session_error.ts";
import { lookAtSession } from "../../library/catalogue/session_state.ts";
import { LocalLog } from "../local_log.ts";
import { keyOf } from "../push/claim_sessions.ts";
import { stateOf } from "../push/known_sessions.ts";
import { endHash } from "../push/push_log.ts";
import type { SyncProgress } from "../push/push_report.ts";
import type { SessionKey } from "../sealed/session_key.ts";
import type { SyncState } from "../state/sync_state.ts";
import type { SegmentHash, SharedBranch, TeamStore } from "../team_store.ts";
import { type Download, downloadAll, type DownloadOutcome } from "./downloads.ts";
import { mirrorRef } from "./mirror_ref.ts";
import { removeMirror } from "./mirror_sink.ts";
import { type Planned, PullPlans } from "./pull_plans.ts";
import type { PullReport } from "./pull_report.ts";
import type { PulledSession } from "./relink_pulled.ts";
import type { Placed } from "./sink.ts";
import type { Trust } from "./trust.ts";

/** What is needed to pull. */
export interface PullMeans {
  /** The data root. */
  root: string;
  store: TeamStore;
  /** What is known of the store; what is pulled is noted there. */
  state: SyncState;
  /** What becomes of each session is noted there. */
  report: PullReport;
  identities: readonly string[];
  /** Decides what comes into the sessions here. */
  trust: Trust;
  now: Date;
  onProgress?: (progress: SyncProgress) => void;
}

/** Pulls branches of some sessions at a time. */
export class PullSessions {
  readonly #means: PullMeans;
  readonly #plans: PullPlans;
  #done = 0;
  /** Sessions that are to be asked for again. */
  readonly waiting = new Set<string>();
  /** The user's own sessions that came whole. */
  readonly adopted: PulledSession[] = [];

  constructor(means: PullMeans) {
    this.#means = means;
    const onSame = (branch: SharedBranch, path: string): void => this.#note(branch, path);
    this.#plans = new PullPlans({ ...means, waiting: this.waiting, onSame });
  }

  /** Pulls branches; all that changed of a session come together. */
  async pull(changed: readonly SharedBranch[]): Promise<void> {
    const all = await this.#withTheirBranches(changed);
    const hashes = await this.#hashesOf(changed);
    const planned: Planned[] = [];
    for (const [, branches] of Map.groupBy(changed, sessionKey)) {
      const [first] = branches;
      if (first === undefined) continue;
      const family = all.get(sessionKey(first)) ?? branches;
      try {
        const key = await this.#keyOf(first);
        planned.push(...this.#plans.plan(branches, family, hashes.get(first.session) ?? [], key));
      } catch (error) {
        this.#fail(first, error);
      }
    }
    await this.#download(planned);
  }

  /** All branches of the sessions in which one leads to another, or that are here. */
  async #withTheirBranches(
    changed: readonly SharedBranch[],
  ): Promise<Map<string, SharedBranch[]>> {
    const asked = changed.filter((branch) =>
      branch.base !== undefined || this.#plans.isHere(branch)
    );
    if (asked.length === 0) return new Map();
    const sessions = [...new Set(asked.map(({ session }) => session))];
    return Map.groupBy(await this.#means.store.branches({ sessions }), sessionKey);
  }

  async #hashesOf(changed: readonly SharedBranch[]): Promise<Map<string, SegmentHash[]>> {
    const asked = changed.filter((branch) => this.#plans.isHere(branch));
    if (asked.length === 0) return new Map();
    const sessions = [...new Set(asked.map(({ session }) => session))];
    const hashes = await this.#means.store.hashes(sessions);
    return Map.groupBy(hashes, ({ session }) => session);
  }

  async #keyOf(branch: SharedBranch): Promise<SessionKey | undefined> {
    if (branch.form !== "sealed") return undefined;
    return await keyOf(branch, this.#means.state.store, this.#means.identities);
  }

  async #download(planned: readonly Planned[]): Promise<void> {
    const { store } = this.#means;
    const again: Download[] = [];
    const insteadOf = new Map(planned.map(({ download, instead }) => [download, instead]));
    const downloads = planned.map(({ download }) => download);
    await downloadAll(store, downloads, (download, outcome) => {
      const instead = insteadOf.get(download);
      const isOther = outcome.kind === "diverged" ||
        outcome.kind === "failed" && outcome.error.code === "damaged";
      if (instead !== undefined && isOther) again.push(instead());
      else this.#take(download, outcome);
    });
    if (again.length === 0) return;
    await downloadAll(store, again, (download, outcome) => this.#take(download, outcome));
  }

  #take({ branch }: Download, outcome: DownloadOutcome): void {
    const { report, onProgress } = this.#means;
    if (outcome.kind === "failed") this.#fail(branch, outcome.error);
    else if (outcome.kind === "placed") {
      report.bytes += outcome.bytes;
      report.received_bytes += outcome.received;
      this.#placed(branch, outcome.placed);
    }
    onProgress?.({ done: ++this.#done, of: report.changed, bytes: report.bytes });
  }

  #placed(branch: SharedBranch, placed: Placed): void {
    const { report, state } = this.#means;
    const { session, project } = branch;
    if (placed.kind === "mirrored") {
      report.mirrored.push(mirrorRef(branch, state.owner));
      return;
    }
    this.#note(branch, placed.path);
    removeMirror(this.#means.root, this.#plans.placeOf(branch));
    if (placed.kind === "extended") report.extended.push(session);
    else {
      const { cwd, created_at, path } = placed;
      this.#plans.noteLog(session, path);
      this.adopted.push({ id: session, project, cwd, created_at });
      report.adopted.push(session);
    }
  }

  /** Notes that a log and its branch are the same, so that a push does not ask. */
  #note(branch: SharedBranch, path: string): void {
    const { session, project, form, visible, n, len, head } = branch;
    using log = new LocalLog(path);
    if (log.info.size !== len) return;
    const seen = lookAtSession({ agent: "reprise", id: session, path }, [path]);
    this.#means.state.sessions[session] = {
      ...{ project, form, visible, state: stateOf(seen), n, len, head },
      end: endHash(log, len),
    };
  }

  #fail(branch: SharedBranch, error: unknown): void {
    if (!(error instanceof SessionError)) throw error;
    const { report, state } = this.#means;
    const { session } = branch;
    this.waiting.add(session);
    if (error.code === "locked") report.busy.push(session);
    else if (error.code === "encrypted") report.sealed.push(mirrorRef(branch, state.owner));
    else report.failed.push({ session: mirrorRef(branch, state.owner), message: error.message });
  }
}

function sessionKey({ owner, session }: SharedBranch): string {
  return JSON.stringify([owner, session]);
}
