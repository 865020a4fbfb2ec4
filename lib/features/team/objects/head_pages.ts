/**
 * The pages of a device's head: its older entries, in objects that never change. A push of one event
 * writes the head and at most one page, however many sessions there are.
 */
import { Buffer } from "node:buffer";
import { sha256 } from "../branch_segments.ts";
import {
  decodeDocument,
  encodeDocument,
  type HeadEntry,
  isEntry,
  MAX_HEAD_BYTES,
} from "./head_document.ts";
import { inParallel } from "./in_parallel.ts";
import { baseFolder, baseKey, type GroupPlace, pageName } from "./object_keys.ts";
import type { ObjectStore } from "./object_store.ts";

/** Entries in one object, by their sessions. */
export interface HeadPage {
  /** The start of the SHA-256 of its bytes. */
  name: string;
  entries: ReadonlyMap<string, HeadEntry>;
}

/** Maximum bytes of the entries of a page that has more than one. */
const PAGE_BYTES = 60 * 1024;
/** Maximum bytes of the entries in a head itself. Further ones move into its pages. */
const OWN_BYTES = 2.5 * 1024;
/** Bytes of entries that a head keeps when a page is written: those of other pages. */
const LEFT_BYTES = 1024;

async function readPage(
  objects: ObjectStore,
  place: GroupPlace,
  name: string,
): Promise<HeadPage | undefined> {
  const found = await objects.get(baseKey(place, name), MAX_HEAD_BYTES);
  if (found === undefined || nameOf(found.bytes) !== name) return undefined;
  const sessions = decodeDocument(found.bytes);
  if (!Array.isArray(sessions) || !sessions.every(isEntry)) return undefined;
  return { name, entries: bySession(sessions) };
}

/**
 * Returns pages by their names; undefined if one is missing or damaged.
 *
 * @param known Pages that were read before.
 */
export async function readPages(
  objects: ObjectStore,
  place: GroupPlace,
  names: readonly string[],
  known: readonly HeadPage[] = [],
): Promise<HeadPage[] | undefined> {
  const there = new Map(known.map((page) => [page.name, page]));
  const pages: HeadPage[] = [];
  const read = async (name: string): Promise<HeadPage | undefined> =>
    there.get(name) ?? await readPage(objects, place, name);
  for await (const page of inParallel(names, read)) {
    if (page === undefined) return undefined;
    pages.push(page);
  }
  return pages;
}

function nameOf(bytes: Uint8Array): string {
  return sha256(bytes).slice(0, 32);
}

/** The pages of a head after entries moved into them. */
export interface RolledPages {
  pages: HeadPage[];
  /** The entries that stay in the head. */
  left: HeadEntry[];
  /** The bytes of new pages, by their names. */
  written: Map<string, Uint8Array>;
}

/**
 * Moves entries of a head into its pages if the head is too long. Those of a session that has an entry
 * in a page go there, the others into the last page. A page that gets too long is split.
 *
 * @param gone Sessions whose old entries must stay in no page. @param most Most other pages to write.
 */
export function rollPages(
  pages: readonly HeadPage[],
  entries: ReadonlyMap<string, HeadEntry>,
  { gone, most }: { gone: ReadonlySet<string>; most: number },
): RolledPages {
  const places = new Map(
    pages.flatMap((page, at) => [...page.entries.keys()].map((session) => [session, at])),
  );
  const groups = Map.groupBy(
    entries.values(),
    ({ session }) => places.get(session) ?? pages.length - 1,
  );
  const waiting = [...groups].map(([at, group]) => {
    const is_gone = group.some(({ session }) => gone.has(session) && places.has(session));
    return { at, group, is_gone, bytes: group.reduce((sum, one) => sum + bytesOf(one), 0) };
  }).sort((one, other) => other.bytes - one.bytes);
  let left = waiting.reduce((sum, { bytes }) => sum + bytes, 0);
  const is_long = entries.size > 1 && left > OWN_BYTES;
  const replaced = new Map<number, HeadPage[]>();
  const rolled: RolledPages = { pages: [], left: [], written: new Map() };
  for (const { at, group, is_gone, bytes } of waiting) {
    if (!is_gone && (!is_long || replaced.size >= most || left <= LEFT_BYTES)) {
      for (const one of group) rolled.left.push(one);
      continue;
    }
    left -= bytes;
    const merged = bySession([...pages[at]?.entries.values() ?? [], ...group]);
    replaced.set(at, splitPages([...merged.values()], rolled.written));
  }
  rolled.pages = [
    ...replaced.get(-1) ?? [],
    ...pages.flatMap((one, at) => replaced.get(at) ?? one),
  ];
  return rolled;
}

function splitPages(entries: readonly HeadEntry[], written: Map<string, Uint8Array>): HeadPage[] {
  const total = entries.reduce((sum, one) => sum + bytesOf(one), 0);
  const even = total / Math.ceil(total / PAGE_BYTES);
  const parts: HeadEntry[][] = [];
  let size = Infinity;
  for (const entry of entries) {
    const bytes = bytesOf(entry);
    if (size >= even || size + bytes > PAGE_BYTES) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)?.push(entry);
    size += bytes;
  }
  return parts.map((part) => {
    const bytes = encodeDocument(part);
    const name = nameOf(bytes);
    written.set(name, bytes);
    return { name, entries: bySession(part) };
  });
}

/** Returns the bytes of an entry in a document. */
function bytesOf(entry: HeadEntry): number {
  return Buffer.byteLength(JSON.stringify(entry)) + 1;
}

/** Returns the names of all pages that are stored for a head. Files with other names are ignored. */
export async function pageNames(objects: ObjectStore, place: GroupPlace): Promise<string[]> {
  const listed = await Array.fromAsync(objects.list(baseFolder(place)));
  return listed.flat().flatMap(({ key }) => pageName(key) ?? []);
}

/** Returns entries, from pages if another process here claimed or withdrew the session. */
export async function withTakenBack(
  objects: ObjectStore,
  place: GroupPlace,
  sessions: Map<string, HeadEntry>,
): Promise<HeadEntry[]> {
  for (const name of await pageNames(objects, place)) {
    const told = await readPage(objects, place, name);
    for (const [id, entry] of told?.entries ?? []) {
      const newer = entry.claim.epoch - (sessions.get(id)?.claim.epoch ?? Infinity);
      if (newer > 0 || newer === 0 && entry.withdrawn_at !== undefined) sessions.set(id, entry);
    }
  }
  return [...sessions.values()];
}

/** Returns the entries by their sessions. Of several entries of a session, the last counts. */
export function bySession(entries: readonly HeadEntry[]): Map<string, HeadEntry> {
  return new Map(entries.map((entry) => [entry.session, entry]));
}
