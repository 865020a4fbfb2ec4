/** Carries out the plans of a push: sends segments in batches, begins branches, and reports. */
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import type { Library } from "../../../library/library.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import { type HashedSegment, NO_HEAD, segmentsOfBranch } from "../branch_segments.ts";
import { LocalLog } from "../local_log.ts";
import type { NotedKey } from "../sealed/key_trust.ts";
import type { SessionKey } from "../sealed/session_key.ts";
import { type CutLines, logSegments, SEGMENT_BYTES } from "../segment_cutter.ts";
import type { SessionToShare } from "../sessions_to_share.ts";
import type { SyncedSession } from "../state/sync_state.ts";
import type { PushReport, SyncProgress } from "../sync_report.ts";
import type { AppendOutcome, SharedBranch, TeamStore } from "../team_store.ts";
import {
  appendBatch,
  BATCH_BYTES,
  type SegmentMeans,
  segmentToAppend,
  type Sending,
  sharedRow,
} from "./append_segments.ts";
import { compareStream, endHash, planLogPush } from "./compare_log.ts";
import { copyChunks, surveySession } from "./copy_of_session.ts";
import { FATAL } from "./fatal.ts";
import { pathReplacer } from "./shared_paths.ts";
import { pushedRecord } from "./known_sessions.ts";
import { type AppendPlace, branchOfCopy, planPush, type PushPlan } from "./plan_push.ts";

export interface PushMeans extends SegmentMeans {
  library: Library;
  store: TeamStore;
  /** The member name of this connection. */
  owner: string;
  /** This device's id. */
  device: string;
  note(session: string, record: SyncedSession): void;
  report: PushReport;
  now: () => Date;
  onProgress?: ((progress: SyncProgress) => void) | undefined;
}

export interface PushSubject {
  share: SessionToShare;
  /** The record of the session's last push; undefined before the first. */
  known: SyncedSession | undefined;
  /** The session's branches; empty if it was just claimed. */
  branches: readonly SharedBranch[];
  /** The epoch of the session's claim. A pull sees by it that another machine replaced the session. */
  epoch: number;
  /** Returns the hashes of the session's segments. Asks the store unless they are known. */
  hashes(): Promise<readonly HashedSegment[]>;
  /** The session's row in lists; undefined if it cannot be read. */
  row: Summary | undefined;
  /** The data key of a sealed session, and the key's record. */
  key?: SessionKey;
  noted?: NotedKey;
}

/** A session that is being pushed, and the store's answers so far. */
interface PushedSession extends PushSubject {
  /** The session's end in the store once all sent segments are appended. */
  place: AppendPlace;
  /** Number of sent segments without an answer. */
  unanswered: number;
  /** Plain bytes that were appended. */
  bytes: number;
  /** True if another device pushed the session meanwhile. */
  moved: boolean;
  /** True where the store has more than this machine. */
  behind: boolean;
  /** The number of the new branch; undefined if none was begun. */
  began?: number | undefined;
  /** The store's error for this session; absent if none. */
  refused?: SessionError;
  /** The hash of the last bytes of a log; absent for a copy. */
  end?: string;
}

/** Carries out plans. Segments of many sessions share a round trip. */
export class PushExecutor {
  readonly #means: PushMeans;
  readonly #buffer = new Uint8Array(SEGMENT_BYTES);
  #batch: Sending[] = [];
  #batch_bytes = 0;
  #done = 0;

  constructor(means: PushMeans) {
    this.#means = means;
  }

  /**
   * Pushes sessions, one after the other.
   *
   * @param subject Tells what the store has of a session.
   * @returns The sessions that others pushed meanwhile.
   * @throws {SessionError} A failure that stops all.
   */
  async run(
    shares: readonly SessionToShare[],
    subject: (share: SessionToShare) => Promise<PushSubject>,
    signal: AbortSignal | undefined,
  ): Promise<SessionToShare[]> {
    const sent: PushedSession[] = [];
    try {
      for (const share of shares) {
        signal?.throwIfAborted();
        try {
          const pushed = begin(await subject(share));
          await (share.form === "copy" ? this.#pushCopy(pushed) : this.#pushLog(pushed));
          sent.push(pushed);
        } catch (error) {
          this.#fail(share, error);
        }
        this.#tell();
      }
      await this.#flush();
    } catch (error) {
      this.#batch = [];
      // Sessions that are there already need not be compared again.
      for (const pushed of sent) if (pushed.unanswered === 0) this.#settle(pushed);
      throw error;
    }
    const answered = sent.filter(({ unanswered }) => unanswered === 0);
    return answered.filter((pushed) => this.#settle(pushed)).map(({ share }) => share);
  }

  async #pushLog(pushed: PushedSession): Promise<void> {
    const { share, row } = pushed;
    using log = new LocalLog(share.session.path);
    const plan = await planLogPush({ ...pushed, store: this.#means.store, log });
    if (!await this.#prepare(pushed, plan)) return;
    const shown = row && sharedRow(row);
    for (const segment of logSegments(log, pushed.place.len, this.#buffer)) {
      const isLast = segment.off + segment.bytes.length === log.size;
      await this.#send(pushed, segment, isLast ? shown : undefined);
    }
    pushed.end = endHash(log, pushed.place.len);
  }

  async #pushCopy(pushed: PushedSession): Promise<void> {
    const { share, branches, row } = pushed;
    const { library, device } = this.#means;
    const handle = await library.entry(share.session).open();
    const rewrite = pathReplacer(share.project, library.place.environment.home);
    const survey = await surveySession(handle, await handle.summary(), rewrite);
    const branch = branchOfCopy(branches, device);
    const segments = branch && segmentsOfBranch(branch, branches, await pushed.hashes());
    const chunks = copyChunks(survey);
    try {
      const { rest, ...compared } = await compareStream(chunks, segments ?? []);
      const plan = planPush({ kind: "copy", device, n: branch?.n, ...compared }, { branches });
      if (!await this.#prepare(pushed, plan)) return;
      await this.#sendAll(pushed, rest, row && sharedRow(survey.redactor.summary(row)));
    } finally {
      await chunks.return(undefined);
    }
  }

  /** Prepares the branch that bytes are appended to. Returns false if nothing is to be appended. */
  async #prepare(pushed: PushedSession, plan: PushPlan): Promise<boolean> {
    const { store, device } = this.#means;
    const { share: { id }, branches } = pushed;
    if (plan.kind === "append") pushed.place = { n: plan.n, len: plan.len, head: plan.head };
    else if (plan.kind === "rewind") {
      const { n, end, len, head } = plan;
      pushed.moved = !await store.rewind(id, n, end, len);
      pushed.place = { n, len, head };
    } else if (plan.kind === "branch") {
      const known = branches.reduce((last, { n }) => Math.max(last, n), 0);
      pushed.began = await store.branch(id, known, device, plan.base);
      pushed.moved = pushed.began === undefined;
      pushed.place = { n: pushed.began ?? 0, len: plan.base.len, head: plan.head };
    } else {
      pushed.behind = true;
      pushed.place = { n: plan.n, len: 0, head: NO_HEAD };
    }
    return !pushed.moved && !pushed.behind;
  }

  async #sendAll(
    pushed: PushedSession,
    segments: AsyncIterable<CutLines>,
    row: Record<string, unknown> | undefined,
  ): Promise<void> {
    let held: CutLines | undefined;
    for await (const segment of segments) {
      if (held !== undefined) await this.#send(pushed, held);
      held = segment;
    }
    if (held !== undefined) await this.#send(pushed, held, row);
  }

  /** Adds the next segment to the batch. Afterwards the caller may reuse its bytes. */
  async #send(
    pushed: PushedSession,
    cut: CutLines,
    row?: Record<string, unknown>,
  ): Promise<void> {
    const { segment, end } = segmentToAppend(this.#means, pushed, pushed.place, cut, row);
    const { length } = segment.bytes;
    pushed.place = end;
    pushed.unanswered++;
    if (this.#batch_bytes > 0 && this.#batch_bytes + length > BATCH_BYTES) await this.#flush();
    this.#batch_bytes += length;
    const { len } = segment;
    this.#batch.push({ segment, done: (outcome) => this.#answered(pushed, len, outcome) });
  }

  async #flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#batch_bytes = 0;
    if (batch.length > 0) await appendBatch(this.#means.store, batch);
  }

  #answered(
    pushed: PushedSession,
    plain: number,
    outcome: AppendOutcome | SessionError,
  ): void {
    const { report } = this.#means;
    pushed.unanswered--;
    if (outcome instanceof SessionError) pushed.refused = outcome;
    else if (outcome.status === "moved") pushed.moved = true;
    else if (outcome.status === "appended") {
      pushed.bytes += plain;
      report.bytes += plain;
    }
  }

  /** Records where a session now ends. Returns true if the session must be compared again. */
  #settle({ share, refused, began, moved, behind, bytes, ...pushed }: PushedSession): boolean {
    const { report, note, now } = this.#means;
    const { id: session } = share;
    if (refused !== undefined) {
      report.failed.push({ session, message: refused.message });
      return false;
    }
    if (began !== undefined) report.branches.push({ session, n: began });
    if (moved) return true;
    if (behind) report.behind.push(session);
    if (bytes > 0) report.pushed++;
    if (bytes > 0 && pushed.branches.every(({ len }) => len === 0)) report.began++;
    const { place, end, noted: key, epoch } = pushed;
    const ends = present({ ...place, behind: behind || undefined, end, key, epoch });
    note(session, pushedRecord(share, ends, now()));
    return false;
  }

  #fail({ id: session }: SessionToShare, error: unknown): void {
    if (!(error instanceof SessionError) || FATAL.has(error.code)) throw error;
    this.#means.report.failed.push({ session, message: error.message });
  }

  #tell(): void {
    const { onProgress, report: { changed: of, bytes } } = this.#means;
    onProgress?.({ done: Math.min(++this.#done, of), of, bytes });
  }
}

function begin(subject: PushSubject): PushedSession {
  const place = { n: 1, len: 0, head: NO_HEAD };
  return { ...subject, place, unanswered: 0, bytes: 0, moved: false, behind: false };
}
