/** Brings changed branches to their places: the session itself, its log, or the mirror. */
import { type LockHolder, SessionError } from "../../event/session_error.ts";
import { lookAtSession } from "../../library/catalogue/session_state.ts";
import { hostName, processId } from "../../platform/process.ts";
import type { MirroredBranch } from "../../session/remote_mirror.ts";
import { eachLog } from "../../session/session_folder.ts";
import { readRemovals } from "../../session/trash/trash_record.ts";
import { partsOf } from "../branch_segments.ts";
import { NO_HEAD } from "../chain.ts";
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
import { LongerMirror, NewMirror, readMirrorNote, removeMirror } from "./mirror_sink.ts";
import { newSessionPlan, ownPlan } from "./own_session.ts";
import { LongerLog, NewSession } from "./own_sinks.ts";
import type { PullReport } from "./pull_report.ts";
import type { PulledSession } from "./relink_pulled.ts";
import type { Placed, PulledBranch } from "./sink.ts";
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

/** A download, and the one to try where it does not fit what is here. */
interface Planned {
  download: Download;
  instead?: () => Download;
}

/** Pulls branches of some sessions at a time. */
export class PullSessions {
  readonly #means: PullMeans;
  readonly #holder: LockHolder;
  #here: Map<string, string> | undefined;
  #removed: ReadonlySet<string> | undefined;
  #done = 0;
  /** Sessions that are to be asked for again. */
  readonly waiting = new Set<string>();
  /** The user's own sessions that came whole. */
  readonly adopted: PulledSession[] = [];

  constructor(means: PullMeans) {
    this.#means = means;
    const since = means.now.toISOString();
    this.#holder = { pid: processId(), host: hostName(), since };
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
        // Of a session with too many branches none is pulled, and it is told once.
        partsOf(first.n, family);
        const key = await this.#keyOf(first);
        planned.push(...this.#plan(branches, family, hashes.get(first.session) ?? [], key));
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
    const asked = changed.filter((branch) => branch.base !== undefined || this.#isHere(branch));
    if (asked.length === 0) return new Map();
    const sessions = [...new Set(asked.map(({ session }) => session))];
    return Map.groupBy(await this.#means.store.branches({ sessions }), sessionKey);
  }

  async #hashesOf(changed: readonly SharedBranch[]): Promise<Map<string, SegmentHash[]>> {
    const asked = changed.filter((branch) => this.#isHere(branch));
    if (asked.length === 0) return new Map();
    const sessions = [...new Set(asked.map(({ session }) => session))];
    const hashes = await this.#means.store.hashes(sessions);
    return Map.groupBy(hashes, ({ session }) => session);
  }

  async #keyOf(branch: SharedBranch): Promise<SessionKey | undefined> {
    if (branch.form !== "sealed") return undefined;
    return await keyOf(branch, this.#means.state.store, this.#means.identities);
  }

  #isHere(branch: SharedBranch): boolean {
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

  #plan(
    changed: readonly SharedBranch[],
    all: readonly SharedBranch[],
    hashes: readonly SegmentHash[],
    key: SessionKey | undefined,
  ): Planned[] {
    const [first] = changed;
    if (first === undefined) return [];
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
    const sink = new NewSession(this.#means.root, this.#placeOf(taken), this.#holder);
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
    if (same !== undefined) this.#note(same, path);
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
    this.waiting.add(branch.session);
    return this.#mirror({ ...branch, is_untrusted: true }, all, key);
  }

  #mirror(
    branch: PulledBranch,
    all: readonly SharedBranch[],
    key: SessionKey | undefined,
  ): Planned {
    const { root } = this.#means;
    const place = this.#placeOf(branch);
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

  #placeOf({ owner, session, n }: SharedBranch): MirroredBranch {
    const { store, owner: me } = this.#means.state;
    return { store, session, n, ...(owner === me ? {} : { owner }) };
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
    removeMirror(this.#means.root, this.#placeOf(branch));
    if (placed.kind === "extended") report.extended.push(session);
    else {
      const { cwd, created_at, path } = placed;
      this.#here?.set(session, path);
      this.adopted.push({ id: session, project, cwd, created_at });
      report.adopted.push(session);
    }
  }

  /** Notes that a log and its branch are the same, so that a push does not ask. */
  #note({ session, project, form, n, len, head }: SharedBranch, path: string): void {
    using log = new LocalLog(path);
    if (log.info.size !== len) return;
    const seen = lookAtSession({ agent: "reprise", id: session, path }, [path]);
    const known = { project, form, state: stateOf(seen), n, len, head, end: endHash(log, len) };
    this.#means.state.sessions[session] = known;
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
