/** Finds the segments of a device's branches among the objects that are there. */
import { type HashedSegment, nextHead } from "../branch_segments.ts";
import type { DeviceBranch } from "./head_document.ts";
import { allInParallel } from "./in_parallel.ts";
import {
  deviceSegments,
  parseSegmentKey,
  prevName,
  type SegmentName,
  segmentPrefix,
  type SessionPlace,
} from "./object_keys.ts";
import type { ObjectStore } from "./object_store.ts";

/** A segment of a branch, with the key of its object. */
export type StoredSegment = SegmentName & Pick<HashedSegment, "head">;

/** Segments from a branch's start to its end; if `is_whole` is false, the longest known way. */
export interface SegmentPath {
  segments: StoredSegment[];
  is_whole: boolean;
}

/** Maximum sessions of one device to list one by one. For more, the device is listed. */
const TOGETHER = 8;
/** The same maximum for a folder, where listing a device costs as much as all its sessions. */
const MANY = 1000;

export class SegmentIndex {
  readonly #objects: ObjectStore;
  readonly #at_once: boolean;
  /** Segments by the prefix of their session. */
  readonly #found = new Map<string, SegmentName[]>();

  /** @param at_once True where one listing of a device costs less than one for each session. */
  constructor(objects: ObjectStore, at_once: boolean) {
    this.#objects = objects;
    this.#at_once = at_once;
  }

  /** Lists the segments of sessions again. */
  async list(wanted: readonly SessionPlace[]): Promise<void> {
    const devices = Map.groupBy(wanted, deviceSegments);
    const prefixes: string[] = [];
    for (const [prefix, places] of devices) {
      const sessions = new Set(places.map(segmentPrefix));
      for (const session of sessions) this.#found.set(session, []);
      if (sessions.size > (this.#at_once ? TOGETHER : MANY)) prefixes.push(prefix);
      else for (const one of sessions) prefixes.push(one);
    }
    await allInParallel(prefixes, (prefix) => this.#listBelow(prefix));
  }

  async #listBelow(prefix: string): Promise<void> {
    for await (const page of this.#objects.list(prefix)) {
      for (const { key, size } of page) {
        const parsed = parseSegmentKey(key);
        // Half of it has arrived, or it is a conflict copy.
        if (parsed?.segment.size !== size) continue;
        const folder = `${key.slice(0, key.lastIndexOf("/"))}/`;
        this.#found.get(folder)?.push(parsed.segment);
      }
    }
  }

  add(place: SessionPlace, segment: SegmentName): void {
    this.#found.get(segmentPrefix(place))?.push(segment);
  }

  #of(place: SessionPlace): SegmentName[] {
    return this.#found.get(segmentPrefix(place)) ?? [];
  }

  /** Returns the next listed segment of a session that begins after an offset. */
  next(place: SessionPlace, after: number): SegmentName | undefined {
    return this.#of(place).filter(({ off }) => off > after)
      .sort((one, other) => one.off - other.off)[0];
  }

  /** Returns the segments that lead from the start of a device's branch to its end. */
  path(place: SessionPlace, branch: DeviceBranch): SegmentPath {
    const next = Map.groupBy(this.#of(place), ({ off, prev }) => `${off} ${prev}`);
    const start = { at: branch.base?.len ?? 0, head: branch.prev };
    /** Each reached segment, and the index of the step before. Killed pushes leave dead ends. */
    const ways: { segment: StoredSegment; before: number }[] = [];
    const open = [{ ...start, way: -1 }];
    let [farthest, reached] = [-1, start.at];
    for (let here = open.pop(); here !== undefined; here = open.pop()) {
      const { at, head, way } = here;
      if (at === branch.len && head === branch.head) {
        return { segments: wayTo(ways, way), is_whole: true };
      }
      if (at > reached) [farthest, reached] = [way, at];
      const name = `${at} ${prevName(head)}`;
      const following = next.get(name) ?? [];
      // Each is passed once: the chain has no circles, whoever wrote the names.
      next.delete(name);
      for (const segment of following) {
        const end = at + segment.len;
        if (end > branch.len) continue;
        const behind = nextHead(head, segment.sha);
        ways.push({ segment: { ...segment, head: behind }, before: way });
        open.push({ at: end, head: behind, way: ways.length - 1 });
      }
    }
    return { segments: wayTo(ways, farthest), is_whole: false };
  }
}

function wayTo(
  ways: readonly { segment: StoredSegment; before: number }[],
  last: number,
): StoredSegment[] {
  const segments: StoredSegment[] = [];
  for (let at = last; at >= 0;) {
    const way = ways[at];
    if (way === undefined) break;
    segments.push(way.segment);
    at = way.before;
  }
  return segments.reverse();
}
