/** The sessions of a store as this connection sees them, with the entries that it is about to write. */
import { present } from "../../../core/event/present.ts";
import type { HashedSegment } from "../branch_segments.ts";
import type { Device, SegmentRange } from "../team_store.ts";
import { type HeadQuery, Heads } from "./heads.ts";
import type { DeviceBranch, HeadEntry } from "./head_document.ts";
import type { ObjectStore } from "./object_store.ts";
import { haveSameReaders, headKey, type SessionPlace } from "./object_keys.ts";
import { SegmentIndex, type StoredSegment } from "./segment_index.ts";
import {
  type DeviceEntry,
  type SessionView,
  sessionView,
  type ViewBranch,
  writtenEntry,
} from "./session_view.ts";

/** An entry of this device that is to be written. */
export interface PendingEntry {
  entry: DeviceEntry;
  /** The stored entry that the new one replaces; undefined if there is none. */
  before: HeadEntry | undefined;
}

export type ViewSegment = StoredSegment & { n: number };

export interface ConnectedUser {
  owner: string;
  /** True if files may come in any order, so that a head may name segments not yet there. */
  is_late: boolean;
}

export interface WithdrawnSessions {
  /** Ids of the withdrawn sessions of which this device still has branches. */
  with_branches: Set<string>;
  /** All places where bytes of withdrawn sessions may be stored. */
  places: SessionPlace[];
}

/** Makes views of the sessions in a store from the entries of all devices. */
export class SharedSessions {
  readonly heads: Heads;
  readonly index: SegmentIndex;
  #user: ConnectedUser;
  readonly pending = new Map<string, PendingEntry>();
  device: Device | undefined;
  /** The tags of the heads and marks by object key, from the last listing. */
  tags: ReadonlyMap<string, string> = new Map();
  #is_fresh = false;

  constructor(objects: ObjectStore, user: ConnectedUser) {
    this.heads = new Heads(objects);
    this.index = new SegmentIndex(objects, !user.is_late);
    this.#user = user;
  }

  /** Sets the user's name, which the store itself may supply. */
  as(owner: string): this {
    this.#user = { ...this.#user, owner };
    return this;
  }

  /** Lists the heads. The first query after a greeting reuses the greeting's listing. */
  async refresh(is_greeting = false): Promise<void> {
    if (!this.#is_fresh || is_greeting) this.tags = await this.heads.list();
    this.#is_fresh = is_greeting;
  }

  /** Returns the views of the queried sessions, from the last listing. */
  async views(query: HeadQuery): Promise<SessionView[]> {
    const { owner: me } = this.#user;
    const written = await this.heads.entries(query);
    const entries = [
      ...written.filter((one) => !this.#isPending(one) && (one.owner === me || isOpen(one))),
      ...this.#pendingEntries(query),
    ];
    if (this.#user.is_late) await this.index.list(entries.map(placeOf));
    const arrived = this.#user.is_late
      ? (entry: DeviceEntry, branch: DeviceBranch) => this.#arrived(entry, branch)
      : undefined;
    const sessions = Map.groupBy(entries, ({ owner, session }) => JSON.stringify([owner, session]));
    return [...sessions.values()].flatMap((some) => sessionView(some, arrived) ?? []);
  }

  async own(sessions?: Iterable<string>): Promise<Map<string, SessionView>> {
    const wanted = sessions === undefined ? undefined : new Set(sessions);
    const views = await this.views({ owner: this.#user.owner, sessions: wanted });
    return new Map(views.map((view) => [view.session, view]));
  }

  async withdrawn(): Promise<WithdrawnSessions> {
    const entries = await this.heads.entries({ owner: this.#user.owner });
    const ids = new Set(
      entries.filter(({ withdrawn_at }) => withdrawn_at !== undefined).map(({ session }) =>
        session
      ),
    );
    const listed = entries.filter(({ session, device, branches }) =>
      device.id === this.device?.id && branches.length > 0 && ids.has(session)
    );
    const devices = new Set(entries.map(({ device }) => device.id));
    return {
      with_branches: new Set(listed.map(({ session }) => session)),
      places: entries.filter(({ session }) => ids.has(session)).flatMap((entry) =>
        [...devices].map((device) => ({ ...placeOf(entry), device }))
      ),
    };
  }

  /** Returns a copy of this device's entry, for changes; a new one if its claim differs. */
  ownEntry({ session, terms, entries }: SessionView, device: Device): PendingEntry {
    const pending = this.pending.get(session);
    if (pending !== undefined) return structuredClone(pending);
    // In other heads it may have entries of earlier claims.
    const own = entries.find((one) => one.device.id === device.id && haveSameReaders(one, terms));
    const { form, visible, claim, owner, project } = terms;
    // Of an earlier claim nothing stays.
    const is_same = own?.claim.id === claim.id;
    const entry = is_same ? structuredClone({ ...own, device }) : present({
      ...{ session, form, visible, claim, branches: [], owner, project, device },
      // Files come in any order: the others' may be missing for a time.
      keys: entries.find((one) => one.claim.id === claim.id && one.keys !== undefined)?.keys,
    });
    return { entry, before: own && writtenEntry(own) };
  }

  /**
   * Writes entries of this device.
   *
   * @returns The sessions that another process of this device wrote meanwhile.
   */
  async write(entries: readonly PendingEntry[], device: Device): Promise<Set<string>> {
    const refused = new Set<string>();
    const { owner } = this.#user;
    const heads = Map.groupBy(
      entries,
      ({ entry }) => headKey({ ...entry, owner, device: device.id }),
    );
    for (const some of heads.values()) {
      const { project, visible } = (some[0] as PendingEntry).entry;
      await this.heads.replace({ owner, device, project, visible }, (known) => {
        const fitting = some.filter(({ entry: { session }, before }) => {
          const is = JSON.stringify(known.get(session)) === JSON.stringify(before);
          if (!is) refused.add(session);
          return is;
        });
        return fitting.map(({ entry }) => writtenEntry(entry));
      });
    }
    for (const { entry: { session } } of entries) this.pending.delete(session);
    return refused;
  }

  #isPending({ owner, device, session }: DeviceEntry): boolean {
    return owner === this.#user.owner && device.id === this.device?.id && this.pending.has(session);
  }

  #pendingEntries({ owner, project, sessions }: HeadQuery): DeviceEntry[] {
    const { owner: me } = this.#user;
    return [...this.pending.values()].map(({ entry }) => entry).filter((entry) =>
      (owner ?? me) === me && (project ?? entry.project) === entry.project &&
      (sessions?.has(entry.session) ?? true)
    );
  }

  /** Returns how much of a branch arrived; undefined if all. This device's own are whole. */
  #arrived(
    entry: DeviceEntry,
    branch: DeviceBranch,
  ): { len: number; head: string } | undefined {
    if (entry.owner === this.#user.owner && entry.device.id === this.device?.id) return undefined;
    const { is_whole, segments } = this.index.path(placeOf(entry), branch);
    if (is_whole) return undefined;
    const last = segments.at(-1);
    if (last === undefined) return { len: branch.base?.len ?? 0, head: branch.prev };
    return { len: last.off + last.len, head: last.head };
  }

  /** Lists the segments of sessions, so that {@linkcode segmentsOf} finds them. */
  async listSegments(views: readonly SessionView[]): Promise<void> {
    await this.index.list(
      views.flatMap(({ branches }) =>
        branches.flatMap((branch) =>
          branch.pieces.map(({ device }) => placeOf({ ...branch, device }))
        )
      ),
    );
  }

  /** Returns the listed segments of a branch, without those before its base. */
  segmentsOf(branch: ViewBranch): ViewSegment[] {
    return branch.pieces.flatMap((piece) => {
      const place = placeOf({ ...branch, device: piece.device });
      const { segments } = this.index.path(place, piece);
      return segments.map((segment) => ({ ...segment, n: branch.n }));
    });
  }

  /** Finds the segments of some ranges, in the order of the ranges. */
  async find(
    ranges: readonly SegmentRange[],
  ): Promise<{ range: SegmentRange; segment: ViewSegment }[]> {
    const views = new Map<string, SessionView>();
    for (const [owner, some] of Map.groupBy(ranges, (range) => range.owner)) {
      const sessions = new Set(some.map(({ session }) => session));
      for (const view of await this.views({ owner, sessions })) {
        views.set(JSON.stringify([owner, view.session]), view);
      }
    }
    await this.listSegments([...views.values()]);
    return ranges.flatMap((range) => {
      const { owner, session, n, from, to = Infinity } = range;
      const branch = views.get(JSON.stringify([owner, session]))?.branches[n - 1];
      return branch === undefined ? [] : this.segmentsOf(branch)
        .filter(({ off }) => off >= from && off < to)
        .map((segment) => ({ range, segment }));
    });
  }
}

function isOpen({ visible }: DeviceEntry): boolean {
  return visible === "team";
}

/** Returns the place of a device's bytes of a session. */
export function placeOf(
  { owner, device, session, project, visible }: Omit<SessionPlace, "device"> & { device: Device },
): SessionPlace {
  return { owner, device: device.id, session, project, visible };
}

export function hashOf({ n, off, len, sha, head }: ViewSegment): HashedSegment {
  return { n, off, len, sha, head };
}
