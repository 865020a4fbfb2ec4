/** Marks of sessions, such as titles: each device replaces its own list, and all lists are read together. */
import { isObject } from "../../../core/event/guard.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { sha256 } from "../branch_segments.ts";
import type { SharedMark } from "../team_store.ts";
import { decodeDocument, encodeDocument, tooManyWriters, TRIES } from "./head_document.ts";
import { headKind, marksKey, ownerHeads } from "./object_keys.ts";
import type { ObjectStore } from "./object_store.ts";

const MAX_MARKS_BYTES = 16 * 1024 * 1024;
/** The most milliseconds that a mark's time may lie ahead of this machine's clock. */
const AHEAD_MS = 5 * 60_000;
/** Hexadecimal digits that a safe integer takes. */
const DIGITS = 12;

interface MarksObject {
  tag: string;
  seq: number;
  marks: SharedMark[];
}

export class TeamMarks {
  readonly #objects: ObjectStore;
  readonly #owner: string;
  readonly #now: () => Date;
  readonly #known = new Map<string, MarksObject>();

  constructor(objects: ObjectStore, owner: string, now: () => Date) {
    this.#objects = objects;
    this.#owner = owner;
    this.#now = now;
  }

  /** Reads the lists that changed. @param tags The listing of the heads. */
  async #load(tags: ReadonlyMap<string, string>): Promise<MarksObject[]> {
    const keys = [...tags.keys()].filter((key) =>
      key.startsWith(ownerHeads(this.#owner)) && headKind(key) === "marks"
    );
    for (const key of keys) {
      if (this.#known.get(key)?.tag !== tags.get(key)) await this.#read(key);
    }
    return [...this.#known.values()];
  }

  /** Reads a list of marks. A torn list does not replace the marks that were read before. */
  async #read(key: string): Promise<void> {
    const found = await this.#objects.get(key, MAX_MARKS_BYTES);
    if (found === undefined) return;
    const list = decodeDocument(found.bytes);
    const read = isObject(list) && Array.isArray(list.marks)
      ? { seq: Number(list.seq) || 0, marks: list.marks.filter(isMark) }
      : this.#known.get(key) ?? { seq: 0, marks: [] };
    this.#known.set(key, { ...read, tag: found.tag });
  }

  /** Puts marks of a device. @returns For each, whether it is the latest of all devices. */
  async put(
    tags: ReadonlyMap<string, string>,
    device: string,
    marks: readonly SharedMark[],
  ): Promise<boolean[]> {
    if (marks.some(({ time }) => this.#isAhead(time))) {
      throw new SessionError(
        "io",
        "Cannot share titles: this machine's clock is ahead. Set the clock.",
      );
    }
    const all = latest((await this.#load(tags)).flatMap((one) => one.marks));
    const taken = marks.map((mark) => {
      const is_latest = isLater(mark, all.get(nameOf(mark)));
      if (is_latest) all.set(nameOf(mark), mark);
      return is_latest;
    });
    const added = marks.filter((_mark, at) => taken[at]);
    await this.#replace(
      marksKey({ owner: this.#owner, device }),
      (own) => [...latest([...own, ...added]).values()],
    );
    return taken;
  }

  /** Deletes the marks of a session that was taken back. */
  async remove(tags: ReadonlyMap<string, string>, ref: string): Promise<void> {
    await this.#load(tags);
    for (const [key, { marks }] of this.#known) {
      if (!marks.some((mark) => mark.ref === ref)) continue;
      await this.#replace(key, (own) => own.filter((mark) => mark.ref !== ref));
    }
  }

  /** Replaces a list. @param change Returns the new list; called again if another process was faster. */
  async #replace(
    key: string,
    change: (marks: readonly SharedMark[]) => SharedMark[],
  ): Promise<void> {
    for (let tries = 0; tries < TRIES; tries++) {
      const old = this.#known.get(key);
      const seq = (old?.seq ?? 0) + 1;
      const marks = change(old?.marks ?? []);
      const bytes = encodeDocument({ seq, marks }, seq);
      const tag = await this.#objects.put(key, bytes, old?.tag ?? null);
      if (tag !== undefined) return void this.#known.set(key, { tag, seq, marks });
      await this.#read(key);
    }
    throw tooManyWriters("marks");
  }

  /** Returns all marks if any list changed, and the lists' fingerprint. */
  async all(
    tags: ReadonlyMap<string, string>,
    seen: number,
  ): Promise<{ marks: SharedMark[]; seen: number }> {
    await this.#load(tags);
    if (this.#known.size === 0) return { marks: [], seen };
    const names = [...this.#known].map(([key, { tag }]) => `${key} ${tag}`).sort().join("\n");
    const now = parseInt(sha256(new TextEncoder().encode(names)).slice(0, DIGITS), 16);
    if (now === seen) return { marks: [], seen };
    const known = [...this.#known.values()].flatMap(({ marks }) => marks);
    return {
      marks: [...latest(known.filter(({ time }) => !this.#isAhead(time))).values()],
      seen: now,
    };
  }

  #isAhead(time: string): boolean {
    return Date.parse(time) > this.#now().getTime() + AHEAD_MS;
  }
}

/** True for a mark, even of a field of a later version. The caller checks its value. */
function isMark(value: unknown): value is SharedMark {
  if (!isObject(value)) return false;
  const { ref, field, time, device } = value;
  return typeof ref === "string" && typeof field === "string" && typeof time === "string" &&
    !Number.isNaN(Date.parse(time)) && typeof device === "string";
}

function nameOf({ ref, field }: SharedMark): string {
  return JSON.stringify([ref, field]);
}

function isLater(mark: SharedMark, other: SharedMark | undefined): boolean {
  if (other === undefined) return true;
  const difference = Date.parse(mark.time) - Date.parse(other.time);
  return difference > 0 || difference === 0 && mark.device > other.device;
}

function latest(marks: readonly SharedMark[]): Map<string, SharedMark> {
  const found = new Map<string, SharedMark>();
  for (const mark of marks) {
    if (isLater(mark, found.get(nameOf(mark)))) found.set(nameOf(mark), mark);
  }
  return found;
}
