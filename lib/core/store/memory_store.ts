/**
 * A store in memory, for tests of agents. Its sessions are encoded and read as on disk.
 *
 * @module
 */
import { checkMemoryStore } from "./checked_arguments.ts";
import type { SessionStorage, StoredLog } from "./storage.ts";
import { openStorage } from "./open_storage.ts";
import type { Store } from "./store.ts";
import type { StoreOptions } from "./store_options.ts";

class MemoryStorage implements SessionStorage {
  readonly #logs = new Map<string, Uint8Array[]>();
  readonly #locked = new Set<string>();

  list(): StoredLog[] {
    return [...this.#logs].map(([id, pieces]) => ({
      id,
      bytes: pieces.reduce((sum, { length }) => sum + length, 0),
      locked: this.#locked.has(id),
    }));
  }

  read(id: string): Uint8Array[] {
    return [...this.#logs.get(id) ?? []];
  }

  append(id: string, bytes: Uint8Array): void {
    const pieces = this.#logs.get(id);
    if (pieces === undefined) this.#logs.set(id, [bytes]);
    else pieces.push(bytes);
  }

  lock(id: string): (() => void) | undefined {
    if (this.#locked.has(id)) return undefined;
    this.#locked.add(id);
    return () => void this.#locked.delete(id);
  }

  remove(id: string): void {
    this.#logs.delete(id);
  }
}

/**
 * Makes a store that keeps its sessions in memory. It needs no files and no permissions, and is gone
 * with the program: for tests of agents.
 *
 * @param options Clock, ids and references.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { memoryStore } from "@reprise/reprise";
 *
 * const store = memoryStore();
 * const session = store.create({ cwd: "/home/ada/src" });
 * await session.turn().user("Hello");
 * await session.finish();
 * assert.equal((await store.list())[0]?.title, "Hello");
 * ```
 */
export function memoryStore(
  options: Pick<StoreOptions, "now" | "newId" | "whole_ids"> = {},
): Store {
  checkMemoryStore(options);
  return openStorage(new MemoryStorage(), { ...options, name: "memory", durability: "none" });
}
