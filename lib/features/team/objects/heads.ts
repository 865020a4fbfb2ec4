/** Reads the heads of all devices as far as they changed, and replaces those of this one. */
import { isObject } from "../../../core/event/guard.ts";
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import {
  decodeDocument,
  encodeDocument,
  type HeadDocument,
  type HeadEntry,
  isHead,
  MAX_HEAD_BYTES,
  notAStore,
  tooManyWriters,
  TRIES,
  unreadableHead,
} from "./head_document.ts";
import {
  bySession,
  type HeadPage,
  pageNames,
  readPages,
  rollPages,
  withTakenBack,
} from "./head_pages.ts";
import { allInParallel, inParallel } from "./in_parallel.ts";
import {
  baseKey,
  foldKey,
  type GroupPlace,
  hashedName,
  headKey,
  headKind,
  HEADS,
  ownerHeads,
} from "./object_keys.ts";
import type { ObjectStore } from "./object_store.ts";
import type { DeviceEntry } from "./session_view.ts";

interface LoadedHead {
  tag: string;
  document: HeadDocument;
  pages: readonly HeadPage[];
  /** True if the head was copied from a fold. Such a copy contains the entries of its pages. */
  is_copy?: boolean;
}

export interface HeadQuery {
  owner?: string | undefined;
  project?: string | undefined;
  sessions?: ReadonlySet<string> | undefined;
}

/** Maximum number of characters of all keys and tags in a listing of heads. */
const MAX_NAMES = 256 * 1024 * 1024;
/** Maximum number of heads to read one by one. For more heads, a fold saves requests. */
const FEW_HEADS = 8;

export class Heads {
  readonly #objects: ObjectStore;
  readonly #loaded = new Map<string, LoadedHead>();
  #tags: ReadonlyMap<string, string> = new Map();
  /** Projects of which many heads had to be read one by one. */
  readonly #scattered = new Set<string>();

  constructor(objects: ObjectStore) {
    this.#objects = objects;
  }

  /** Asks which objects there are, and returns their tags by key. */
  async list(): Promise<ReadonlyMap<string, string>> {
    const tags = new Map<string, string>();
    let listed = 0;
    for await (const page of this.#objects.list(HEADS)) {
      for (const { key, tag } of page) {
        tags.set(key, tag);
        listed += key.length + tag.length;
      }
      if (listed > MAX_NAMES) {
        throw notAStore("the store has more machines and projects than fit in memory");
      }
    }
    this.#tags = tags;
    return tags;
  }

  /** Reads the heads that changed since their last reading. Returns all heads' entries. */
  async entries({ owner, project, sessions }: HeadQuery): Promise<DeviceEntry[]> {
    const prefix = owner === undefined ? HEADS : ownerHeads(owner);
    const name = project === undefined ? undefined : hashedName(project);
    const wanted = [...this.#tags.keys()].filter((key) => {
      const kind = key.startsWith(prefix) ? headKind(key) : undefined;
      return kind !== undefined && kind !== "marks" && (name ?? kind.project) === kind.project;
    });
    if (project !== undefined) await this.#loadFold(project, wanted);
    const changed = wanted.filter((key) => this.#loaded.get(key)?.tag !== this.#tags.get(key));
    if (project !== undefined && changed.length > 2 * FEW_HEADS) this.#scattered.add(project);
    for await (const _done of inParallel(changed, (key) => this.#load(key)));
    return wanted.flatMap((key) => {
      const head = this.#loaded.get(key);
      return head === undefined ? [] : entriesOf(head, sessions);
    });
  }

  /** Reads a head. If it is torn or lacks a page, the version read before stays valid. */
  async #load(key: string): Promise<LoadedHead | undefined> {
    const found = await this.#objects.get(key, MAX_HEAD_BYTES);
    const document = found && decodeDocument(found.bytes);
    if (found === undefined || !isHead(document)) return undefined;
    const place = placeOf(document);
    if (headKey(place) !== key) return undefined;
    const known = this.#loaded.get(key)?.pages;
    const pages = await readPages(this.#objects, place, document.pages ?? [], known);
    if (pages === undefined) return undefined;
    const head = { tag: found.tag, document, pages };
    this.#loaded.set(key, head);
    return head;
  }

  /** Reads the copies of heads that another device made. Uses those with the listed tags. */
  async #loadFold(project: string, wanted: readonly string[]): Promise<void> {
    const key = foldKey(project);
    const missing = new Set(
      wanted.filter((one) => this.#loaded.get(one)?.tag !== this.#tags.get(one)),
    );
    if (missing.size <= FEW_HEADS || !this.#tags.has(key)) return;
    const found = await this.#objects.get(key, MAX_HEAD_BYTES);
    const folded = found && decodeDocument(found.bytes);
    for (const item of Array.isArray(folded) ? folded as unknown[] : []) {
      if (!isObject(item) || typeof item.key !== "string" || typeof item.tag !== "string") continue;
      const { key, tag, document } = item;
      if (!missing.has(key) || this.#tags.get(key) !== tag || !isHead(document)) continue;
      if (headKey(placeOf(document)) !== key) continue;
      this.#loaded.set(key, { tag, document, pages: [], is_copy: true });
    }
  }

  /**
   * Changes the entries of this device in one of its heads.
   *
   * @param change Returns the entries to write, from those that are there. It may be called again.
   */
  async replace(
    head: HeadPlace,
    change: (known: ReadonlyMap<string, HeadEntry>) => readonly HeadEntry[],
  ): Promise<void> {
    const key = headKey(placeOf(head));
    let known: LoadedHead | undefined;
    for (let tries = 0; tries < TRIES; tries++) {
      known = this.#loaded.get(key);
      if (known?.is_copy || known?.tag !== this.#tags.get(key)) known = await this.#load(key);
      const changed = change(bySession(known === undefined ? [] : allSessions(known)));
      if (changed.length === 0) return;
      if (await this.#put(key, head, known, changed)) {
        return await this.#fold(head.project);
      }
      this.#loaded.delete(key);
      this.#tags = new Map([...this.#tags, [key, "replaced"]]);
    }
    throw known === undefined ? unreadableHead(key) : tooManyWriters("head");
  }

  async #put(
    key: string,
    { owner, device, project, visible }: HeadPlace,
    known: LoadedHead | undefined,
    changed: readonly HeadEntry[],
    is_mended = false,
  ): Promise<boolean> {
    const delta = bySession([...known?.document.sessions ?? [], ...changed]);
    const seq = (known?.document.seq ?? 0) + 1;
    const fields = { owner, device, project, visible, seq };
    const place = placeOf(fields);
    const before = bySession(known === undefined ? [] : allSessions(known));
    // Its title must stay in no page, nor in a copy.
    const gone = new Set(
      changed.filter((entry) => isTakenBack(entry, before.get(entry.session)))
        .map(({ session }) => session),
    );
    const is_gone = gone.size > 0;
    const most = is_mended ? Infinity : Math.max(1, changed.length);
    const { pages, left, written } = rollPages(known?.pages ?? [], delta, { gone, most });
    const write = ([name, bytes]: [string, Uint8Array]): Promise<unknown> =>
      this.#objects.put(baseKey(place, name), bytes);
    await allInParallel([...written], write);
    const names = pages.map(({ name }) => name);
    const { pages: old = [], former: older = [] } = known?.document ?? {};
    const replaced = written.size === 0 ? older : old.filter((name) => !names.includes(name));
    const document: HeadDocument = present({
      ...fields,
      pages: names.length === 0 ? undefined : names,
      former: is_gone || replaced.length === 0 ? undefined : replaced,
      sessions: left,
    });
    const bytes = encodeDocument(document, seq);
    const tag = await this.#objects.put(key, bytes, known?.tag ?? null);
    if (tag === undefined) return false;
    this.#loaded.set(key, { tag, document, pages });
    this.#tags = new Map([...this.#tags, [key, tag]]);
    if (is_gone && this.#tags.has(foldKey(project))) {
      await ifPermitted(this.#objects.delete(foldKey(project)));
    }
    // A faster process may have deleted a page that the head names.
    if (!is_mended && names.length > 0 && !await this.#hasPages(place, names)) {
      const there = bySession(allSessions({ pages, document }));
      const sessions = await withTakenBack(this.#objects, place, there);
      const mended = { tag, document: { ...fields, sessions }, pages: [] };
      return await this.#put(key, fields, mended, [], true);
    }
    if (written.size > 0 || is_gone && older.length > 0) await this.#sweep(place);
    return true;
  }

  async #hasPages(place: GroupPlace, names: readonly string[]): Promise<boolean> {
    const isThere = async (name: string): Promise<boolean> =>
      await this.#objects.get(baseKey(place, name), MAX_HEAD_BYTES) !== undefined;
    for await (const is_there of inParallel(names, isThere)) if (!is_there) return false;
    return true;
  }

  /** Deletes a device's pages that none of its heads names. A killed process may leave them. */
  async #sweep(place: GroupPlace): Promise<void> {
    const there = await pageNames(this.#objects, place);
    const head = await this.#load(headKey(place));
    // A head that arrived in part names pages, too.
    if (head === undefined) return;
    const { pages = [], former = [] } = head.document;
    const named = new Set([...pages, ...former]);
    const unnamed = there.filter((name) => !named.has(name));
    await allInParallel(unnamed, (name) => this.#objects.delete(baseKey(place, name)));
  }

  /** Writes copies of a project's heads for other devices, if reading took many requests. */
  async #fold(project: string): Promise<void> {
    if (!this.#scattered.delete(project)) return;
    const name = hashedName(project);
    const copies = [...this.#loaded].flatMap(([key, head]) => {
      if (!key.endsWith(`/p-${name}.json`)) return [];
      const { pages: _pages, former: _former, ...document } = head.document;
      return [{ key, tag: head.tag, document: { ...document, sessions: allSessions(head) } }];
    });
    await ifPermitted(this.#objects.put(foldKey(project), encodeDocument(copies)));
  }
}

/** Waits for a change of the store. Ignores its failure if this device lacks the permission. */
export async function ifPermitted(change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (!(error instanceof SessionError) || error.code !== "permission") throw error;
  }
}

/** True for an entry that was withdrawn, was emptied, or follows another claim than before. */
function isTakenBack(
  { withdrawn_at, branches, claim }: HeadEntry,
  before: HeadEntry | undefined,
): boolean {
  return withdrawn_at !== undefined || branches.length === 0 ||
    before !== undefined && before.claim.id !== claim.id;
}

function allSessions(
  { pages, document: { sessions } }: Pick<LoadedHead, "pages" | "document">,
): HeadEntry[] {
  const older = pages.flatMap(({ entries }) => [...entries.values()]);
  return [...bySession([...older, ...sessions]).values()];
}

function entriesOf(head: LoadedHead, sessions?: ReadonlySet<string>): DeviceEntry[] {
  const { owner, project, visible, device } = head.document;
  return allSessions(head).filter(({ session }) => sessions?.has(session) ?? true)
    .map((entry) => ({ ...entry, visible, owner, project, device }));
}

/** The device of a head, and the readers. */
type HeadPlace = Pick<HeadDocument, "owner" | "device" | "project" | "visible">;

function placeOf({ device, ...head }: HeadPlace): GroupPlace {
  return { ...head, device: device.id };
}
