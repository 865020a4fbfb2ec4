/** Reads the bases of a device's heads. */
import { sha256 } from "../branch_segments.ts";
import { decodeDocument, type HeadEntry, isEntry, MAX_HEAD_BYTES } from "./head_document.ts";
import { baseFolder, baseKey, type GroupPlace } from "./object_keys.ts";
import type { ObjectStore } from "./object_store.ts";

/** The base of a head: its older entries, which are kept in a separate object. */
export interface LoadedBase {
  base: ReadonlyMap<string, HeadEntry>;
  base_bytes: number;
}

/** Returns a head's base; undefined if none is named, or the base is missing or damaged. */
export async function readBase(
  objects: ObjectStore,
  place: GroupPlace,
  sha: string | undefined,
): Promise<LoadedBase | undefined> {
  if (sha === undefined) return undefined;
  const found = await objects.get(baseKey(place, sha), MAX_HEAD_BYTES);
  if (found === undefined || sha256(found.bytes) !== sha) return undefined;
  const sessions = decodeDocument(found.bytes);
  if (!Array.isArray(sessions) || !sessions.every(isEntry)) return undefined;
  return { base: bySession(sessions), base_bytes: found.bytes.length };
}

/** Matches the end of a base's key. Files with other names are not Reprise's. */
const BASE = /\/([0-9a-f]{64})\.json$/;

export async function baseKeys(objects: ObjectStore, place: GroupPlace): Promise<string[]> {
  const pages = await Array.fromAsync(objects.list(baseFolder(place)));
  return pages.flat().map(({ key }) => key).filter((key) => BASE.test(key));
}

/** Returns entries, from bases if another process here claimed or withdrew the session. */
export async function withTakenBack(
  objects: ObjectStore,
  place: GroupPlace,
  sessions: Map<string, HeadEntry>,
): Promise<HeadEntry[]> {
  for (const key of await baseKeys(objects, place)) {
    const told = await readBase(objects, place, BASE.exec(key)?.[1]);
    for (const [id, entry] of told?.base ?? []) {
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
