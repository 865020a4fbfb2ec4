/** Keeps copies of the heads of a remote store, so that only changed ones are asked for. */
import { join } from "node:path";
import { removeQuietly } from "../../file/remove_quietly.ts";
import { readShortFile } from "../../file/short_file.ts";
import { replaceFile } from "../../log/replace_file.ts";
import { makeDirectories } from "../../session/create_log.ts";
import { sha256 } from "../branch_segments.ts";
import { MAX_HEAD_BYTES } from "./head_document.ts";
import { BASES, hashedName, HEADS } from "./object_keys.ts";
import type { ObjectStore, StoredObject } from "./object_store.ts";

type Found = { bytes: Uint8Array; tag: string };

/** @param folder A folder of this machine; it can be deleted. */
export function cachedReads(objects: ObjectStore, folder: string): ObjectStore {
  const tags = new Map<string, string>();
  return {
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
      const known = tag === undefined ? undefined : readKept(folder, key, tag);
      if (known !== undefined) return known;
      const found = await objects.get(key, limit);
      if (found === undefined) return undefined;
      if (isKept(key)) keep(folder, key, { ...found, tag: is_base ? "" : found.tag });
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
      if (isKept(key)) keep(folder, key, { bytes, tag: key.startsWith(BASES) ? "" : tag });
      return tag;
    },
    async delete(key): Promise<void> {
      await objects.delete(key);
      if (isKept(key)) removeQuietly(pathOf(folder, key));
    },
    [Symbol.asyncDispose]: () => objects[Symbol.asyncDispose](),
  };
}

function isKept(key: string): boolean {
  return key.startsWith(HEADS) || key.startsWith(BASES);
}

function pathOf(folder: string, key: string): string {
  return join(folder, hashedName(key));
}

function readKept(folder: string, key: string, tag: string): Found | undefined {
  try {
    const kept = readShortFile(pathOf(folder, key), 2 * MAX_HEAD_BYTES, { follow: false });
    const end = kept.indexOf(0x0a) + 1;
    const bytes = kept.subarray(end);
    const is = new TextDecoder().decode(kept.subarray(0, end)) === firstLine(bytes, tag);
    return is ? { bytes, tag } : undefined;
  } catch {
    // It was not read before.
    return undefined;
  }
}

function firstLine(bytes: Uint8Array, tag: string): string {
  return `${JSON.stringify([tag, sha256(bytes)])}\n`;
}

function keep(folder: string, key: string, { bytes, tag }: Found): void {
  try {
    makeDirectories(folder);
    replaceFile(pathOf(folder, key), [firstLine(bytes, tag), bytes]);
  } catch {
    // It only saves requests.
  }
}
