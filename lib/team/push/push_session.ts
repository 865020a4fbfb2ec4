/** Pushes one session: what its branches lack, segment by segment. */
import type { SessionError } from "../../event/session_error.ts";
import type { Library } from "../../library/library.ts";
import type { Summary } from "../../projection/summary_row.ts";
import { type HashedSegment, segmentsOfBranch } from "../branch_segments.ts";
import type { SignedPlace } from "../branch_signature.ts";
import { NO_HEAD } from "../chain.ts";
import { LocalLog } from "../local_log.ts";
import type { LogSegments } from "../log_segments.ts";
import type { CutLines } from "../segment_cutter.ts";
import type { SessionKey } from "../sealed/session_key.ts";
import { type SessionToShare, termsOf } from "../sessions_to_share.ts";
import { sharedRow } from "../shared_row.ts";
import type { KnownSession } from "../state/sync_state.ts";
import { StreamComparison } from "../stream_comparison.ts";
import type { BranchSignature, SharedBranch, TeamStore } from "../team_store.ts";
import type { AppendBatches } from "./append_batches.ts";
import { CopyOfSession } from "./copy_of_session.ts";
import { comparedPlan, endHash, knownPlace } from "./push_log.ts";
import { type AppendPlace, SegmentSender } from "./segment_sender.ts";

/** What is needed to push a session. */
export interface PushMeans {
  library: Library;
  store: TeamStore;
  /** This device's id. */
  device: string;
  batches: AppendBatches;
  /** Reads logs, one at a time. */
  segments: LogSegments;
  /** The program, as rows of lists name it. */
  made_by: string;
  /** Signs the end of a branch. */
  sign(place: Omit<SignedPlace, "store" | "owner">): BranchSignature;
}

/** A session, and what the store has of it. */
export interface PushSubject {
  share: SessionToShare;
  /** What this machine knows of it. */
  known: KnownSession | undefined;
  /** Its branches; none where it was claimed just now. */
  branches: readonly SharedBranch[];
  /** Asks for the hashes of its segments, unless they are there. */
  hashes(): Promise<readonly HashedSegment[]>;
  /** What a list shows of it; absent where it cannot be read. */
  row: Summary | undefined;
  /** The key of a sealed one. */
  key?: SessionKey;
}

/** One session on its way into the store. */
export class PushSession {
  readonly #means: PushMeans;
  readonly #subject: PushSubject;
  readonly #sender: SegmentSender;
  #end: string | undefined;
  #overtaken = false;
  /** The branch that was begun. */
  began: number | undefined;
  /** True where the store has more than this machine. */
  behind = false;

  constructor(means: PushMeans, subject: PushSubject) {
    this.#means = means;
    this.#subject = subject;
    const { key, share } = subject;
    const { batches, made_by } = means;
    const { id: session, project: { project } } = share;
    this.#sender = new SegmentSender(share.id, {
      ...{ batches, made_by, terms: termsOf(share) },
      sign: (end) => means.sign({ session, project, ...end }),
      ...(key === undefined ? {} : { key }),
    });
  }

  /** True where it had no branch before. */
  get is_new(): boolean {
    return this.#subject.branches.length === 0;
  }

  /** Plain bytes that were appended. */
  get bytes(): number {
    return this.#sender.bytes;
  }

  /** Bytes that were sent for them. */
  get sent_bytes(): number {
    return this.#sender.sent_bytes;
  }

  /** The store's refusal of this session alone. */
  get refused(): SessionError | undefined {
    return this.#sender.refused;
  }

  /** True where the store answered for all that was sent so far. */
  get is_answered(): boolean {
    return this.#sender.is_answered;
  }

  /** True where others pushed it meanwhile; final once all batches are answered. */
  get moved(): boolean {
    return this.#overtaken || this.#sender.moved;
  }

  /** Where it ends in the store; final once all batches are answered. */
  get place(): Pick<KnownSession, "n" | "len" | "head" | "end" | "behind"> {
    return {
      ...this.#sender.place,
      ...(this.behind ? { behind: true as const } : {}),
      ...(this.#end === undefined ? {} : { end: this.#end }),
    };
  }

  /**
   * Hands over what the store lacks.
   *
   * @throws {SessionError} What stops all, and what stops this one alone: by its code.
   */
  async push(): Promise<void> {
    if (this.#subject.share.form === "copy") await this.#pushCopy();
    else await this.#pushLog();
  }

  async #pushLog(): Promise<void> {
    const { share, known, branches, row } = this.#subject;
    using log = new LocalLog(share.session.path);
    const place = knownPlace(log, known, branches) ?? await this.#comparedPlace(log);
    if (place === undefined) return;
    this.#sender.place = place;
    const shown = row === undefined ? undefined : sharedRow(row);
    for (const segment of this.#means.segments.read(log, place.len)) {
      const isLast = segment.off + segment.bytes.length === log.size;
      await this.#sender.send(segment, isLast ? shown : undefined);
    }
    this.#end = endHash(log, this.#sender.place.len);
  }

  async #comparedPlace(log: LocalLog): Promise<AppendPlace | undefined> {
    const { branches, key } = this.#subject;
    const hashes = branches.length === 0 ? [] : await this.#subject.hashes();
    const plan = await comparedPlan({
      ...{ store: this.#means.store, log, branches, hashes },
      ...(key === undefined ? {} : { open: (segment, n) => key.openSegment(segment, n) }),
    });
    if (plan.kind === "append") return { n: plan.n, len: plan.len, head: plan.head };
    if (plan.kind === "branch") return await this.#begin(plan.base, plan.head);
    this.#stayBehind(plan.n);
    return undefined;
  }

  #stayBehind(n: number): void {
    this.behind = true;
    this.#sender.place = { n, len: 0, head: NO_HEAD };
  }

  /** Begins a branch behind the last common segment; undefined where there is one that was not seen. */
  async #begin(
    base: { n: number; len: number },
    head: string,
  ): Promise<AppendPlace | undefined> {
    const { share: { id }, branches } = this.#subject;
    const known = Math.max(...branches.map(({ n }) => n));
    const n = await this.#means.store.branch(id, known, this.#means.device, base);
    this.began = n;
    this.#overtaken = n === undefined;
    return n === undefined ? undefined : { n, len: base.len, head };
  }

  async #pushCopy(): Promise<void> {
    const { share, branches, row } = this.#subject;
    const handle = await this.#means.library.handle(share.session);
    const copy = await CopyOfSession.survey(handle, await handle.summary());
    const branch = this.#branchOfCopy();
    const comparison = new StreamComparison(
      branch === undefined ? [] : segmentsOfBranch(branch, branches, await this.#subject.hashes()),
    );
    const segments = differing(comparison, copy.chunks());
    const first = await segments.next();
    const place = await this.#placeOfCopy(comparison, branch, first.done ?? false);
    if (place === undefined) return;
    this.#sender.place = place;
    if (first.done) return;
    const shown = row === undefined ? undefined : sharedRow(copy.row(row));
    await this.#sender.sendAll(chained(first.value, segments), shown);
  }

  /** The branch to go on with: this device's own, else the first. */
  #branchOfCopy(): SharedBranch | undefined {
    const sorted = this.#subject.branches.toSorted((one, other) => other.n - one.n);
    return sorted.find(({ device }) => device.id === this.#means.device) ?? sorted.at(-1);
  }

  /** Makes a branch end where the copy begins to differ; undefined where nothing is to be sent. */
  async #placeOfCopy(
    { len, head, held_by }: StreamComparison,
    branch: SharedBranch | undefined,
    is_prefix: boolean,
  ): Promise<AppendPlace | undefined> {
    const place = { n: branch?.n ?? 1, len, head };
    if (branch === undefined || len === branch.len) return place;
    if (this.#mayRewind(branch, len)) {
      const { id } = this.#subject.share;
      this.#overtaken = !await this.#means.store.rewind(id, branch.n, branch.head, len);
      return this.#overtaken ? undefined : place;
    }
    if (!is_prefix) return await this.#begin({ n: held_by, len }, head);
    this.#stayBehind(branch.n);
    return undefined;
  }

  /** Its own device alone cuts a copy back, and not behind the place where another branch begins. */
  #mayRewind({ n, device, base }: SharedBranch, to: number): boolean {
    return device.id === this.#means.device && to >= (base?.len ?? 0) &&
      !this.#subject.branches.some((one) => one.base?.n === n && one.base.len > to);
  }
}

async function* differing(
  comparison: StreamComparison,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<CutLines> {
  for await (const chunk of chunks) yield* comparison.push(chunk);
  yield* comparison.end();
}

async function* chained(
  first: CutLines,
  rest: AsyncIterable<CutLines>,
): AsyncGenerator<CutLines> {
  yield first;
  yield* rest;
}
