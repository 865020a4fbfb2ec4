/** Plans where pulled branches go: the session itself, its log, or the mirror. */
import type { LockHolder } from "../../event/session_error.ts";
import { hostName, processId } from "../../platform/process.ts";
import type { MirroredBranch } from "../../session/remote_mirror.ts";
import { eachLog } from "../../session/session_folder.ts";
import { readRemovals } from "../../session/trash/trash_record.ts";
import { partsOf } from "../branch_segments.ts";
import { NO_HEAD } from "../chain.ts";
import type { SessionKey } from "../sealed/session_key.ts";
import type { SyncState } from "../state/sync_state.ts";
import type { SegmentHash, SharedBranch } from "../team_store.ts";
import type { Download } from "./downloads.ts";
import { mirrorRef } from "./mirror_ref.ts";
import { LongerMirror, NewMirror, readMirrorNote } from "./mirror_sink.ts";
import { newSessionPlan, ownPlan } from "./own_session.ts";
import { LongerLog, NewSession } from "./own_sinks.ts";
import type { PullReport } from "./pull_report.ts";
import type { PulledBranch } from "./sink.ts";
import type { Trust } from "./trust.ts";

/** A download, and the one to try where it does not fit what is here. */
export interface Planned {
  download: Download;
  instead?: () => Download;
}

/** What is needed to plan. */
export interface PlanMeans {
  /** The data root. */
  root: string;
  state: SyncState;
  /** Branches that diverged, and that are not trusted, are noted there. */
  report: Pick<PullReport, "diverged" | "untrusted">;
  trust: Trust;
  now: Date;
  /** Gets sessions that are to be asked for again. */
  waiting: Set<string>;
  /** Called for a branch of which a log has all bytes, and ends there. */
  onSame(branch: SharedBranch, path: string): void;
}

/** Plans downloads, and knows which sessions are on this machine. */
export class PullPlans {
  readonly #means: PlanMeans;
  readonly #holder: LockHolder;
  #here: Map<string, string> | undefined;
  #removed: ReadonlySet<string> | undefined;

  constructor(means: PlanMeans) {
    this.#means = means;
    const since = means.now.toISOString();
    this.#holder = { pid: processId(), host: hostName(), since };
  }

  /** Takes notice of a session that came whole. */
  noteLog(session: string, path: string): void {
    this.#here?.set(session, path);
  }

  /** True for a session of the user whose log is on this machine. */
  isHere(branch: SharedBranch): boolean {
    return this.#means.trust.isOwn(branch) && this.#logOf(branch.session) !== undefined;
  }

  #logOf(session: string): string | undefined {
    this.#here ??= new Map([...eachLog(this.#means.root)].map(({ id, path }) => [id, path]));
    return this.#here.get(session);
  }

  /** True for a session that was deleted here: it does not come back by itself. */
  #wasRemoved(session: string): boolean {
    this.#removed ??= new Set(
      [...readRemovals(this.#means.root).values()].map(({ tombstone }) => tombstone.session_id),
    );
    return this.#removed.has(session);
  }

  /**
   * Decides where the branches of one session go.
   *
   * @param changed Those that are pulled. @param all All of them. @param hashes Of all segments.
   * @throws {SessionError} Why none of them can be pulled.
   */
  plan(
    changed: readonly SharedBranch[],
    all: readonly SharedBranch[],
    hashes: readonly SegmentHash[],
    key: SessionKey | undefined,
  ): Planned[] {
    const [first] = changed;
    if (first === undefined) return [];
    // Of a session with too many branches none is pulled, and it is told once.
    partsOf(first.n, all);
    const mirror = (branch: SharedBranch): Planned => this.#mirror(branch, all, key);
    const { trust } = this.#means;
    if (!trust.isOwn(first)) return changed.map(mirror);
    const path = this.#logOf(first.session);
    if (path !== undefined) return this.#planHere(path, changed, all, hashes, key);
    if (this.#wasRemoved(first.session)) return changed.map(mirror);
    const { taken, others } = newSessionPlan(changed.filter((branch) => trust.takes(branch)));
    const untrusted = changed.filter(({ len, n }) => len > 0 && n !== taken?.n)
      .filter((branch) => !trust.takes(branch))
      .map((branch) => this.#untrusted(branch, all, key));
    if (taken === undefined) return untrusted;
    const sink = new NewSession(this.#means.root, this.placeOf(taken), this.#holder);
    return [
      ...untrusted,
      { download: this.#whole(taken, all, key, sink) },
      ...others.map((branch) => this.#diverged(mirror(branch), branch)),
    ];
  }

  #planHere(
    path: string,
    changed: readonly SharedBranch[],
    all: readonly SharedBranch[],
    hashes: readonly SegmentHash[],
    key: SessionKey | undefined,
  ): Planned[] {
    const { trust } = this.#means;
    const plan = ownPlan(path, all, hashes, (branch) => trust.takes(branch));
    const { extension, diverged, untrusted, same } = plan;
    if (same !== undefined) this.#means.onSame(same, path);
    const mirror = (branch: SharedBranch): Planned => this.#mirror(branch, all, key);
    const isChanged = ({ n }: SharedBranch): boolean => changed.some((one) => one.n === n);
    const planned = [
      ...diverged.filter(isChanged).map((branch) => this.#diverged(mirror(branch), branch)),
      ...untrusted.filter(isChanged).map((branch) => this.#untrusted(branch, all, key)),
    ];
    if (extension === undefined) return planned;
    const { branch, from, head, size, rest, heads } = extension;
    const sink = new LongerLog({ path, size, rest, holder: this.#holder });
    const download = { ...this.#whole(branch, all, key, sink), from, head, heads };
    const instead = (): Download => this.#diverged(mirror(branch), branch).download;
    return [...planned, { download, instead }];
  }

  #diverged(planned: Planned, branch: SharedBranch): Planned {
    this.#means.report.diverged.push(mirrorRef(branch, this.#means.state.owner));
    return planned;
  }

  /** Mirrors a session of the user that no trusted machine signed. */
  #untrusted(
    branch: SharedBranch,
    all: readonly SharedBranch[],
    key: SessionKey | undefined,
  ): Planned {
    this.#means.report.untrusted.push(mirrorRef(branch, this.#means.state.owner));
    this.#means.waiting.add(branch.session);
    return this.#mirror({ ...branch, is_untrusted: true }, all, key);
  }

  #mirror(
    branch: PulledBranch,
    all: readonly SharedBranch[],
    key: SessionKey | undefined,
  ): Planned {
    const { root } = this.#means;
    const place = this.placeOf(branch);
    const whole = (): Download => this.#whole(branch, all, key, new NewMirror(root, place));
    const note = readMirrorNote(root, place);
    if (note === undefined || note.len >= branch.len) return { download: whole() };
    const sink = new LongerMirror(root, place, note.len);
    const download = { ...this.#whole(branch, all, key, sink), from: note.len, head: note.head };
    // A copy that was cut back meanwhile does not go on where the mirror ends.
    return { download, instead: whole };
  }

  #whole(
    branch: PulledBranch,
    branches: readonly SharedBranch[],
    key: SessionKey | undefined,
    sink: Download["sink"],
  ): Download {
    const open = key === undefined ? {} : {
      open: (segment: Parameters<SessionKey["openSegment"]>[0], n: number) =>
        key.openSegment(segment, n),
    };
    return { branch, branches, from: 0, head: NO_HEAD, sink, ...open };
  }

  /** The place of a branch in the mirror. */
  placeOf({ owner, session, n }: SharedBranch): MirroredBranch {
    const { store, owner: me } = this.#means.state;
    return { store, session, n, ...(owner === me ? {} : { owner }) };
  }
}
