/** Carries out the plans of a pull: downloads branches, puts them in their places, and reports. */
import { present } from "../../../core/event/present.ts";
import { join } from "node:path";
import { SessionError } from "../../../core/event/session_error.ts";
import { draftPath } from "../../../core/file/draft_file.ts";
import { lookAtSession } from "../../../library/catalogue/session_state.ts";
import { hostName, processId } from "../../../core/platform/process.ts";
import { mirrorLog } from "../../../core/store/remote_mirror.ts";
import { LocalLog } from "../local_log.ts";
import { endHash } from "../push/compare_log.ts";
import { knownSession, stateOf } from "../push/known_sessions.ts";
import { syncDirectory, type SyncState } from "../state/sync_state.ts";
import type { PullReport, SyncProgress } from "../sync_report.ts";
import type { SharedBranch, TeamStore } from "../team_store.ts";
import { type Download, downloadAll, type DownloadOutcome } from "./downloads.ts";
import {
  IncomingFile,
  type IncomingPlace,
  placeBranch,
  type PlacedBranch,
} from "./incoming_file.ts";
import { mirrorPlace, mirrorRef, removeMirror } from "./mirror.ts";
import type { PullStep } from "./plan_pull.ts";
import type { PlannedSession } from "./plan_sessions.ts";
import type { PulledSession } from "./relink_pulled.ts";

interface PullMeans {
  root: string;
  store: TeamStore;
  /** The record of the store; pulled sessions are noted there. */
  state: SyncState;
  report: PullReport;
  now: Date;
  onProgress?: ((progress: SyncProgress) => void) | undefined;
}

export class PullExecutor {
  readonly #means: PullMeans;
  #done = 0;
  /** Ids of the sessions that the next pull must ask for again. */
  readonly waiting = new Set<string>();
  /** The user's own sessions that are new on this machine. */
  readonly adopted: PulledSession[] = [];

  constructor(means: PullMeans) {
    this.#means = means;
  }

  /** Runs plans. If downloaded bytes do not follow those here, takes the step's alternative. */
  async run(planned: readonly PlannedSession[]): Promise<void> {
    for (const { plan: { same }, log } of planned) if (same && log) this.#note(same, log);
    const { root, state, store } = this.#means;
    const place = ({ step, file }: Download): Promise<PlacedBranch> =>
      placeBranch(root, mirrorPlace(step.branch, state), step, file.place);
    let next = planned.flatMap((one) => one.plan.steps.map((step) => this.#begin(step, one)));
    while (next.length > 0) {
      const again: Download[] = [];
      const done = (download: Download, outcome: DownloadOutcome): void => {
        const { step: { branch, instead } } = download;
        const is_other = outcome instanceof SessionError && outcome.code === "damaged";
        if (instead !== undefined && is_other) again.push(this.#begin(instead, download));
        else this.#take(branch, outcome);
      };
      await downloadAll(store, next, { place, done });
      next = again;
    }
  }

  #begin(step: PullStep, { all, log, key }: Omit<PlannedSession, "plan">): Download {
    const { report, state } = this.#means;
    const { branch, told } = step;
    if (told !== undefined) report[told].push(mirrorRef(branch, state.owner));
    if (told === "untrusted") this.waiting.add(branch.session);
    return { step, all, log, key, file: new IncomingFile(this.#place(step, log)) };
  }

  #place({ branch, into, from, size }: PullStep, log: string | undefined): IncomingPlace {
    const { root, state, now } = this.#means;
    const holder = { pid: processId(), host: hostName(), since: now.toISOString() };
    const bounds = { from, size, holder };
    if (into === "log" && log !== undefined) return { kind: "log", path: log, ...bounds };
    if (size === 0) {
      return { kind: "draft", path: draftPath(join(syncDirectory(root), "pull")), ...bounds };
    }
    return { kind: "mirror", path: mirrorLog(root, mirrorPlace(branch, state)), ...bounds };
  }

  #take(branch: SharedBranch, outcome: DownloadOutcome): void {
    const { report, onProgress } = this.#means;
    if (outcome instanceof SessionError) this.fail(branch, outcome);
    else {
      report.bytes += outcome.bytes;
      this.#placed(branch, outcome.placed);
    }
    onProgress?.({ done: ++this.#done, of: report.changed, bytes: report.bytes });
  }

  #placed(branch: SharedBranch, placed: PlacedBranch): void {
    const { root, report, state } = this.#means;
    const { session: id, project } = branch;
    if (placed.kind === "mirrored") {
      report.mirrored.push(mirrorRef(branch, state.owner));
      return;
    }
    this.#note(branch, placed.path);
    removeMirror(root, mirrorPlace(branch, state));
    report[placed.kind].push(id);
    if (placed.kind === "extended") return;
    const { cwd, created_at } = placed;
    this.adopted.push({ id, project, cwd, created_at });
  }

  /** Records that a log equals its branch, so that the next push need not compare them. */
  #note(branch: SharedBranch, path: string): void {
    const { session, project, form, visible, n, len, head } = branch;
    using log = new LocalLog(path);
    if (log.info.size !== len) return;
    const seen = lookAtSession({ agent: "reprise", id: session, path }, [path]);
    const { state } = this.#means;
    const before = knownSession(state, session);
    // The record of an older program stays one: the next push looks at its key.
    const key = before === undefined ? null : before.key;
    state.sessions[session] = present({
      ...{ project, form, visible, state: stateOf(seen), n, len, head, key },
      end: endHash(log, len),
    });
  }

  /** Reports the failure of one session. The next pull asks for the session again. */
  fail(branch: SharedBranch, error: unknown): void {
    if (!(error instanceof SessionError)) throw error;
    const { report, state } = this.#means;
    const { session } = branch;
    this.waiting.add(session);
    if (error.code === "locked") report.busy.push(session);
    else if (error.code === "encrypted") report.sealed.push(mirrorRef(branch, state.owner));
    else report.failed.push({ session: mirrorRef(branch, state.owner), message: error.message });
  }
}
