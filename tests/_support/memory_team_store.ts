/** A team's store in memory: another engine of the same contract, for tests of many small steps. */
import { nextHead, NO_HEAD } from "../../lib/features/team/branch_segments.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { hasTerms } from "../../lib/features/team/sessions_to_share.ts";
import {
  type AppendOutcome,
  type BranchQuery,
  type ClaimOutcome,
  type Device,
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
} from "../../lib/features/team/team_store.ts";

type Branch = SharedBranch & { segments: Segment[]; summary?: SharedSummary };
type Session = SessionClaim & { owner: string; withdrawn: boolean; branches: Branch[] };

/** What all connections share. */
export class MemoryTeam {
  readonly id = "5e551070-0000-4000-8000-000000000000";
  readonly sessions = new Map<string, Session>();
  readonly marks: (SharedMark & { owner: string; seen: number })[] = [];
  readonly devices = new Map<string, Device>();
  #clock = 0;
  #seen = 0;

  now(): string {
    return new Date(Date.UTC(2026, 0, 1) + this.#clock++).toISOString();
  }

  nextSeen(): number {
    return ++this.#seen;
  }

  /** A member's connection. */
  connect(owner = "ada"): TeamStore {
    return new MemoryTeamStore(this, owner);
  }
}

class MemoryTeamStore implements TeamStore {
  readonly traffic = { sent_bytes: 0, received_bytes: 0 };
  readonly #team: MemoryTeam;
  readonly #owner: string;

  constructor(team: MemoryTeam, owner: string) {
    this.#team = team;
    this.#owner = owner;
  }

  hello(device: Device): Promise<StoreGreeting> {
    if (!this.#team.devices.has(device.id)) this.#team.devices.set(device.id, device);
    return Promise.resolve({ id: this.#team.id, version: 1, owner: this.#owner });
  }

  summaries(query: BranchQuery = {}): Promise<(SharedBranch & { summary?: SharedSummary })[]> {
    const { mine = false, sessions, begins, project, limit } = query;
    const found = [...this.#team.sessions.values()].filter((session) =>
      !session.withdrawn && (!mine || session.owner === this.#owner) &&
      (session.owner === this.#owner || session.visible === "team") &&
      (sessions?.includes(session.id) ?? true) &&
      (begins?.some((begin) => session.id.startsWith(begin)) ?? true) &&
      (project ?? session.project) === session.project
    ).flatMap(({ branches, keys }) =>
      branches.map(({ segments: _segments, ...branch }) => ({
        ...branch,
        ...(keys === undefined ? {} : { keys }),
      }))
    );
    found.sort((one, other) => one.changed_at < other.changed_at ? 1 : -1);
    return Promise.resolve(structuredClone(found.slice(0, limit ?? found.length)));
  }

  async branches(query?: BranchQuery): Promise<SharedBranch[]> {
    return (await this.summaries(query)).map(({ summary: _summary, ...branch }) => branch);
  }

  claim(claims: readonly SessionClaim[], device: string): Promise<Map<string, ClaimOutcome>> {
    const told = new Map<string, ClaimOutcome>();
    for (const claim of claims) {
      const key = this.#key(claim.id);
      const { anew = false, replace = anew, ...terms } = claim;
      const known = this.#team.sessions.get(key);
      const stays = known !== undefined &&
        (known.withdrawn || !replace || !anew && hasTerms(known, claim));
      const session = stays
        ? known
        : { ...terms, owner: this.#owner, withdrawn: false, branches: [] };
      this.#team.sessions.set(key, session);
      if (!session.withdrawn && session.branches.length === 0) {
        session.branches.push(this.#newBranch(session, device, 1, [], undefined));
      }
      const other = hasTerms(session, claim) ? "open" : "other-terms";
      told.set(claim.id, session.withdrawn ? "withdrawn" : other);
    }
    return Promise.resolve(told);
  }

  #newBranch(
    session: Session,
    device: string,
    n: number,
    below: readonly Segment[],
    base: { n: number; len: number } | undefined,
  ): Branch {
    return {
      ...{ owner: this.#owner, session: session.id, n, project: session.project },
      ...{ form: session.form, visible: session.visible },
      device: this.#team.devices.get(device) ?? { id: device, label: "?" },
      ...(base === undefined ? {} : { base }),
      ...{ len: base?.len ?? 0, head: below.at(-1)?.head ?? NO_HEAD, segments: [] },
      changed_at: this.#team.now(),
    };
  }

  append(segments: readonly SegmentToAppend[]): Promise<AppendOutcome[]> {
    return Promise.resolve(segments.map((segment) => this.#append(segment)));
  }

  #append(
    { session, n, prev, summary, signed, project, form, visible, ...segment }: SegmentToAppend,
  ): AppendOutcome {
    const found = this.#session(session);
    const branch = found?.branches.find((one) => one.n === n);
    if (found === undefined || branch === undefined) {
      throw new SessionError("permission", `not your session: ${session}`);
    }
    const head = nextHead(prev, segment.sha);
    const is_expected = hasTerms(found, { project, form, visible });
    if (branch.len === segment.off && branch.head === prev && is_expected) {
      branch.segments.push(structuredClone({ ...segment, head }));
      branch.len += segment.len;
      branch.head = head;
      branch.changed_at = this.#team.now();
      if (summary !== undefined) branch.summary = structuredClone(summary);
      delete branch.signed;
      if (signed !== undefined) branch.signed = signed;
      return { status: "appended", len: branch.len, head };
    }
    const same = branch.segments.some((one) => one.off === segment.off && one.head === head);
    return { status: same ? "already" : "moved", len: branch.len, head: branch.head };
  }

  branch(
    session: string,
    known: number,
    device: string,
    base: { n: number; len: number },
  ): Promise<number | undefined> {
    const found = this.#session(session);
    if (found === undefined) throw new SessionError("permission", "not your session");
    if (found.branches.length !== known) return Promise.resolve(undefined);
    if (known >= MAX_BRANCHES) {
      throw new SessionError("too-large", `${session} has ${known} branches`);
    }
    const below = found.branches.find(({ n }) => n === base.n)?.segments
      .filter(({ off, len }) => off + len === base.len) ?? [];
    if (base.len > 0 && below.length !== 1) throw new SessionError("io", "no such base");
    found.branches.push(this.#newBranch(found, device, known + 1, below, base));
    return Promise.resolve(known + 1);
  }

  rewind(session: string, n: number, head: string, to: number): Promise<boolean> {
    const found = this.#session(session);
    const branch = found?.branches.find((one) => one.n === n);
    const isBase = found?.branches.some(({ base }) => base?.n === n && base.len > to) ?? false;
    if (found?.form !== "copy" || branch?.head !== head || isBase) return Promise.resolve(false);
    branch.segments = branch.segments.filter(({ off }) => off < to);
    const last = branch.segments.at(-1);
    branch.len = last === undefined ? 0 : last.off + last.len;
    branch.head = last?.head ?? NO_HEAD;
    branch.changed_at = this.#team.now();
    delete branch.summary;
    delete branch.signed;
    return Promise.resolve(true);
  }

  hashes(sessions: readonly string[]): Promise<SegmentHash[]> {
    return Promise.resolve(
      sessions.flatMap((session) =>
        this.#session(session)?.branches.flatMap(({ n, segments }) =>
          segments.map(({ off, len, sha, head }) => ({ session, n, off, len, sha, head }))
        ) ?? []
      ),
    );
  }

  async *segments(ranges: readonly SegmentRange[]): AsyncGenerator<(Segment & SegmentRange)[]> {
    for (const range of ranges) {
      const { owner, session, n, from, to = Infinity } = range;
      const found = this.#team.sessions.get(`${owner}\n${session}`);
      const branch = found?.withdrawn ? undefined : found?.branches.find((one) => one.n === n);
      for (const segment of branch?.segments ?? []) {
        if (segment.off < from || segment.off >= to) continue;
        yield [structuredClone({ ...range, ...segment })];
      }
    }
  }

  rekey(session: string, keys: Uint8Array): Promise<boolean> {
    const found = this.#session(session);
    if (found !== undefined) found.keys = keys;
    return Promise.resolve(found !== undefined);
  }

  putMarks(marks: readonly SharedMark[]): Promise<boolean[]> {
    return Promise.resolve(marks.map((mark) => {
      const at = this.#team.marks.findIndex((one) =>
        one.owner === this.#owner && one.ref === mark.ref && one.field === mark.field
      );
      const old = this.#team.marks[at];
      const isLater = old === undefined || mark.time > old.time ||
        mark.time === old.time && mark.device > old.device;
      if (!isLater) return false;
      if (old !== undefined) this.#team.marks.splice(at, 1);
      this.#team.marks.push({ ...mark, owner: this.#owner, seen: this.#team.nextSeen() });
      return true;
    }));
  }

  marks(seen: number): Promise<{ marks: SharedMark[]; seen: number }> {
    const found = this.#team.marks.filter((one) => one.owner === this.#owner && one.seen > seen);
    const last = Math.max(seen, ...found.map((one) => one.seen));
    const marks = found.map(({ owner: _owner, seen: _seen, ...mark }) => mark);
    return Promise.resolve({ marks, seen: last });
  }

  withdraw(session: string): Promise<boolean> {
    const found = this.#team.sessions.get(this.#key(session));
    if (found === undefined) return Promise.resolve(false);
    found.withdrawn = true;
    found.branches = [];
    return Promise.resolve(true);
  }

  /** It loses nothing. */
  restore(): Promise<StoredCheck> {
    const own = [...this.#team.sessions.values()].filter(({ owner }) => owner === this.#owner);
    const known = new Set(own.map(({ id }) => id));
    return Promise.resolve({ sessions: own.length, restored: 0, known, lost: [] });
  }

  cutLost(): Promise<boolean> {
    return Promise.resolve(false);
  }

  deleteWithdrawn(): Promise<string[]> {
    return Promise.resolve([]);
  }

  #session(id: string): Session | undefined {
    const found = this.#team.sessions.get(this.#key(id));
    return found?.withdrawn ? undefined : found;
  }

  #key(id: string): string {
    return `${this.#owner}\n${id}`;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}
