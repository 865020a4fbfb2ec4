/**
 * A team's store of objects, in a folder or a bucket. Every device writes below its own prefix alone,
 * so no lock is needed. The place has no row-level security: its readers read all unsealed sessions.
 */
import { Buffer } from "node:buffer";
import { SessionError } from "../../../core/event/session_error.ts";
import {
  type AppendOutcome,
  type BranchQuery,
  type ClaimOutcome,
  type Device,
  type LostBytes,
  MAX_BRANCHES,
  type Segment,
  type SegmentHash,
  type SegmentRange,
  type SegmentToAppend,
  type SessionClaim,
  type SharedBranch,
  type SharedMark,
  type SharedSummary,
  type StoredCheck,
  type StoreGreeting,
  type TeamStore,
  type Traffic,
} from "../team_store.ts";
import { tooManyWriters, TRIES } from "./head_document.ts";
import { appendOutcome } from "./append_outcome.ts";
import { newBranch, notYours } from "./change_entry.ts";
import { claimSession } from "./claim_session.ts";
import { cutBranch, cutLost, type CutMeans } from "./cut_branch.ts";
import { ifPermitted } from "./heads.ts";
import { deleteBytes, deleteConflictCopies, withdrawSession } from "./replace_session.ts";
import { allInParallel } from "./in_parallel.ts";
import { readStoreFacts, type StoreFacts } from "./init_objects.ts";
import { segmentName, segmentPrefix } from "./object_keys.ts";
import { metered, type MeteredObjects } from "./metered_objects.ts";
import type { ObjectStore } from "./object_store.ts";
import { planAppend } from "./plan_append.ts";
import { readSegments } from "./read_segments.ts";
import { restoreSegments } from "./restore_segments.ts";
import type { SessionView } from "./session_view.ts";
import { hashOf, type PendingEntry, SharedSessions } from "./shared_sessions.ts";
import { TeamMarks } from "./team_marks.ts";

export interface ObjectTeamOptions {
  /** The name under which this connection writes. @default {the name of the store's maker} */
  owner?: string | undefined;
  /** True if files come in any order: a head may name missing segments. @default {false} */
  is_late?: boolean;
  /** Gives the time. @default {the system's clock} */
  now?: () => Date;
}

/** Opens a team's store that consists of objects. The first request is made by the greeting. */
export function openObjectTeam(objects: ObjectStore, options: ObjectTeamOptions = {}): TeamStore {
  return new ObjectTeamStore(objects, options);
}

/** The state of a connection since its greeting. */
interface Greeted {
  facts: StoreFacts;
  device: Device;
  sessions: SharedSessions;
  marks: TeamMarks;
}

class ObjectTeamStore implements TeamStore {
  readonly #objects: MeteredObjects;
  readonly #options: ObjectTeamOptions;
  #greeted: Greeted | undefined;

  constructor(objects: ObjectStore, options: ObjectTeamOptions) {
    this.#objects = metered(objects);
    this.#options = options;
  }

  get traffic(): Traffic {
    return this.#objects.traffic;
  }

  #now = (): Date => this.#options.now?.() ?? new Date();

  #time(): string {
    return this.#now().toISOString();
  }

  get #known(): Greeted {
    if (this.#greeted !== undefined) return this.#greeted;
    throw new SessionError(
      "io",
      "Cannot use the store: call its method hello() first, which connects to it",
    );
  }

  async hello(device: Device): Promise<StoreGreeting> {
    const { owner: given, is_late = false } = this.#options;
    let sessions = this.#greeted?.sessions;
    const known = new SharedSessions(this.#objects, { owner: given ?? "", is_late });
    await (sessions ?? known).refresh(true);
    // A place that remembers what it read need not read it again: it was listed.
    const facts = await readStoreFacts(this.#objects);
    const owner = given ?? facts.owner;
    sessions ??= known.as(owner);
    sessions.device = device;
    const marks = this.#greeted?.marks ?? new TeamMarks(this.#objects, owner, this.#now);
    this.#greeted = { facts, device, sessions, marks };
    return { id: facts.id, version: facts.version, owner };
  }

  get #owner(): string {
    return this.#options.owner ?? this.#known.facts.owner;
  }

  async branches(query?: BranchQuery): Promise<SharedBranch[]> {
    return (await this.summaries(query)).map(({ summary: _summary, ...branch }) => branch);
  }

  async summaries(
    query: BranchQuery = {},
  ): Promise<(SharedBranch & { summary?: SharedSummary })[]> {
    const { mine = false, sessions, begins, project, limit = Infinity } = query;
    const known = this.#known.sessions;
    await known.refresh();
    const wanted = sessions && new Set(sessions);
    const owner = mine ? this.#owner : undefined;
    const views = await known.views({ owner, project, sessions: wanted });
    const found = views
      .filter(({ session }) => begins?.some((begin) => session.startsWith(begin)) ?? true)
      .flatMap(({ branches }) => branches.map(({ pieces: _pieces, ...branch }) => branch));
    found.sort((one, other) => one.changed_at < other.changed_at ? 1 : -1);
    return found.slice(0, limit);
  }

  async claim(claims: readonly SessionClaim[], device: string): Promise<Map<string, ClaimOutcome>> {
    const { sessions, marks, facts, device: own } = this.#known;
    const views = await sessions.own(claims.map(({ id }) => id));
    const place = { owner: this.#owner, device: { ...own, id: device }, time: this.#time() };
    const means = { objects: this.#objects, sessions, marks, facts, own, place };
    const outcomes = new Map<string, ClaimOutcome>();
    for (const claim of claims) {
      outcomes.set(claim.id, await claimSession(claim, views.get(claim.id), means));
    }
    return outcomes;
  }

  async append(segments: readonly SegmentToAppend[]): Promise<AppendOutcome[]> {
    const { sessions, device } = this.#known;
    const views = await sessions.own(segments.map(({ session }) => session));
    const subjects = new Map<string, PendingEntry & { view: SessionView; device: Device }>();
    const puts: (() => Promise<unknown>)[] = [];
    const outcomes: AppendOutcome[] = [];
    for (const segment of segments) {
      const view = views.get(segment.session);
      if (view === undefined || view.is_withdrawn || view.branches[segment.n - 1] === undefined) {
        throw notYours(segment.session);
      }
      let subject = subjects.get(segment.session);
      subject ??= { view, device, ...sessions.ownEntry(view, device) };
      const status = planAppend(subject, segment, this.#time()) ? "appended" : "moved";
      if (status === "appended") {
        subjects.set(segment.session, subject);
        puts.push(() => this.#putSegment(segment));
      }
      outcomes.push(await appendOutcome(sessions, view, segment, status));
    }
    await allInParallel(puts, (put) => put());
    const refused = await sessions.write([...subjects.values()], device);
    return outcomes.map((outcome, at) =>
      refused.has(segments[at]?.session ?? "") ? { ...outcome, status: "moved" } : outcome
    );
  }

  async #putSegment({ session, n, prev, ...segment }: SegmentToAppend): Promise<void> {
    const { sessions, device } = this.#known;
    const { project, visible } = segment;
    const place = { owner: this.#owner, device: device.id, project, visible, session };
    const named = segmentName(segmentPrefix(place), segment, prev, n);
    await this.#objects.put(named.key, segment.bytes);
    sessions.index.add(place, named);
  }

  async branch(
    session: string,
    known: number,
    _device: string,
    base: { n: number; len: number },
  ): Promise<number | undefined> {
    const { sessions, device } = this.#known;
    const view = (await sessions.own([session])).get(session);
    if (view === undefined || view.is_withdrawn) throw notYours(session);
    if (view.branches.length !== known) return undefined;
    if (known >= MAX_BRANCHES) {
      const message = `Cannot begin a branch: session ${session} already has the maximum of ` +
        `${MAX_BRANCHES} branches`;
      throw new SessionError("too-large", message);
    }
    await sessions.listSegments([view]);
    const pending = sessions.ownEntry(view, device);
    const begun = newBranch(pending.entry, view.branches[base.n - 1], base.len, {
      segments: sessions.segmentsOf.bind(sessions),
      time: this.#time(),
    });
    sessions.pending.set(session, pending);
    const branches = (await sessions.own([session])).get(session)?.branches ?? [];
    const found = branches.findIndex(({ pieces }) =>
      pieces.some((piece) => piece.device.id === device.id && piece.i === begun)
    );
    return found < 0 ? undefined : found + 1;
  }

  async rewind(session: string, n: number, head: string, to: number): Promise<boolean> {
    const view = (await this.#known.sessions.own([session])).get(session);
    const branch = view?.branches[n - 1];
    if (view?.terms.form !== "copy" || branch?.head !== head) return false;
    return await cutBranch(this.#cutMeans(), view, branch, to);
  }

  async restore(
    ...means: Parameters<TeamStore["restore"]>
  ): Promise<StoredCheck> {
    const { sessions, device } = this.#known;
    const views = [...(await sessions.own()).values()];
    return await restoreSegments({ objects: this.#objects, sessions, device }, views, means);
  }

  async cutLost({ session, n, from }: LostBytes): Promise<boolean> {
    const view = (await this.#known.sessions.own([session])).get(session);
    return view !== undefined && await cutLost(this.#cutMeans(), view, n, from);
  }

  #cutMeans(): CutMeans {
    const { sessions, device } = this.#known;
    return { objects: this.#objects, sessions, device, time: this.#time() };
  }

  async hashes(sessions: readonly string[]): Promise<SegmentHash[]> {
    const known = this.#known.sessions;
    const views = await known.own(sessions);
    await known.listSegments([...views.values()]);
    return [...views.values()].flatMap(({ session, branches }) =>
      branches.flatMap((branch) =>
        known.segmentsOf(branch).map((one) => ({ session, ...hashOf(one) }))
      )
    );
  }

  async *segments(ranges: readonly SegmentRange[]): AsyncGenerator<(Segment & SegmentRange)[]> {
    yield* readSegments(this.#objects, await this.#known.sessions.find(ranges));
  }

  async rekey(session: string, keys: Uint8Array): Promise<boolean> {
    const { sessions, device } = this.#known;
    const view = (await sessions.own([session])).get(session);
    if (view?.terms.form !== "sealed" || view.is_withdrawn) return false;
    const pending = sessions.ownEntry(view, device);
    pending.entry.keys = { at: this.#time(), age: Buffer.from(keys).toString("base64") };
    return !(await sessions.write([pending], device)).has(session);
  }

  async putMarks(marks: readonly SharedMark[]): Promise<boolean[]> {
    const { marks: known, sessions: { tags }, device } = this.#known;
    return marks.length === 0 ? [] : await known.put(tags, device.id, marks);
  }

  async marks(seen: number): Promise<{ marks: SharedMark[]; seen: number }> {
    const { marks, sessions } = this.#known;
    await sessions.refresh();
    return await marks.all(sessions.tags, seen);
  }

  async withdraw(session: string): Promise<boolean> {
    const { sessions, device, marks } = this.#known;
    for (let tries = 0; tries < TRIES; tries++) {
      await sessions.refresh();
      const view = (await sessions.own([session])).get(session);
      if (view === undefined) return false;
      const means = { device, time: this.#time() };
      if (!await withdrawSession(this.#objects, sessions, view, means)) continue;
      await marks.remove(sessions.tags, session);
      return true;
    }
    throw tooManyWriters("head");
  }

  async deleteWithdrawn(): Promise<string[]> {
    const { with_branches, places } = await this.#known.sessions.withdrawn();
    for (const session of with_branches) await this.withdraw(session);
    // Files that arrive late may be conflict copies, or of a push that was killed.
    if (this.#options.is_late && places.length > 0) {
      await ifPermitted(deleteBytes(this.#objects, places));
      await ifPermitted(deleteConflictCopies(this.#objects, this.#owner));
    }
    return [...with_branches];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#objects[Symbol.asyncDispose]();
  }
}
