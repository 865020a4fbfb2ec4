/** Caches the heads of a remote store, so that only changed ones are asked for. */
import { crc32 } from "node:zlib";
import type { CatalogueOptions } from "../../../library/catalogue/catalogue_options.ts";
import { sumOf } from "../../../library/catalogue/cache/cache_database.ts";
import { type FactsDatabase, openFacts } from "../../../library/catalogue/facts_database.ts";
import { BASES, HEADS } from "./object_keys.ts";
import { metered } from "./metered_objects.ts";
import type { ObjectStore, StoredObject } from "./object_store.ts";

type Found = { bytes: Uint8Array; tag: string };

/** @param kept The place of the cache. @param store Names the store in it. */
export function cachedReads(
  place: ObjectStore,
  kept: CatalogueOptions,
  store: string,
): ObjectStore {
  const objects = metered(place);
  const copies = new KeptObjects(kept, store);
  const tags = new Map<string, string>();
  return {
    traffic: objects.traffic,
    async *list(prefix): AsyncGenerator<StoredObject[]> {
      for await (const page of objects.list(prefix)) {
        for (const { key, tag } of page) if (key.startsWith(HEADS)) tags.set(key, tag);
        yield page;
      }
    },
    async get(key, limit): Promise<Found | undefined> {
      // A base never changes: its key names its content.
      const is_base = key.startsWith(BASES);
      const tag = is_base ? "" : tags.get(key);
      const known = tag === undefined ? undefined : copies.read(key, tag);
      if (known !== undefined) return known;
      const found = await objects.get(key, limit);
      if (found === undefined) return undefined;
      if (isKept(key)) copies.keep(key, { ...found, tag: is_base ? "" : found.tag });
      return found;
    },
    async put(key, bytes, if_tag): Promise<string | undefined> {
      const tag = await objects.put(key, bytes, if_tag);
      if (tag === undefined) {
        // Another process replaced it since the listing.
        tags.delete(key);
        return undefined;
      }
      if (key.startsWith(HEADS)) tags.set(key, tag);
      if (isKept(key)) copies.keep(key, { bytes, tag: key.startsWith(BASES) ? "" : tag });
      return tag;
    },
    async delete(key): Promise<void> {
      await objects.delete(key);
      if (isKept(key)) copies.remove(key);
    },
    async [Symbol.asyncDispose](): Promise<void> {
      copies[Symbol.dispose]();
      await objects[Symbol.asyncDispose]();
    },
  };
}

function isKept(key: string): boolean {
  return key.startsWith(HEADS) || key.startsWith(BASES);
}

const KEPT = "SELECT tag, bytes, sum FROM team_object WHERE store = ? AND key = ?";
const KEEP = "INSERT OR REPLACE INTO team_object VALUES (?, ?, ?, ?, ?)";
const DROP = "DELETE FROM team_object WHERE store = ? AND key = ?";

/** The copies of one store's objects, in a database on this machine. */
class KeptObjects implements Disposable {
  readonly #facts: FactsDatabase;
  readonly #store: string;

  constructor(kept: CatalogueOptions, store: string) {
    this.#facts = openFacts(kept);
    this.#store = store;
  }

  /** Returns an object's copy if it has this tag; undefined if it has another or is damaged. */
  read(key: string, tag: string): Found | undefined {
    try {
      const row = this.#facts.prepare(KEPT).get(this.#store, key);
      const bytes = row?.bytes;
      if (row?.tag !== tag || !(bytes instanceof Uint8Array)) return undefined;
      return row.sum === this.#sumOf(key, { tag, bytes }) ? { bytes, tag } : undefined;
    } catch {
      // Damaged, or not to be read: the store is asked.
      return undefined;
    }
  }

  /** Keeps a copy of an object if the database can be written. Copies only save requests. */
  keep(key: string, { tag, bytes }: Found): void {
    const sum = this.#sumOf(key, { tag, bytes });
    this.#facts.write(() => this.#facts.prepare(KEEP).run(this.#store, key, tag, bytes, sum));
  }

  remove(key: string): void {
    this.#facts.write(() => this.#facts.prepare(DROP).run(this.#store, key));
  }

  #sumOf(key: string, { tag, bytes }: Found): number {
    return sumOf([this.#store, key, tag, crc32(bytes)]);
  }

  [Symbol.dispose](): void {
    this.#facts[Symbol.dispose]();
  }
}
