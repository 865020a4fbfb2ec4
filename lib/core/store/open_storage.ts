/** Opens a store whose logs lie in a storage of the program's own. */
import { callable, checkArgument, fields, flag, oneOf, optional, words } from "../event/guard.ts";
import { checkRuntime } from "./checked_arguments.ts";
import { options as optionsOf } from "./checked_options.ts";
import type { SessionStorage } from "./storage.ts";
import { type StorageOptions, StorageStore } from "./storage_store.ts";
import type { Store } from "./store.ts";
import type { StoreOptions } from "./store_options.ts";

const storageOptions = optionsOf<StorageOptions>({
  name: words,
  durability: optional(oneOf("boundary", "event", "none")),
  now: optional(callable),
  newId: optional(callable),
  whole_ids: optional(flag),
});
const storageMethods = fields({
  list: callable,
  read: callable,
  append: callable,
  lock: callable,
  remove: callable,
});

/**
 * Opens a store on a storage of the program's own, such as a database. Sessions are encoded,
 * checked and read as on disk.
 *
 * @param storage Five operations on logs.
 * @param options Name of the storage in paths; durability; clock and ids, which tests set. By
 * default, each append waits for the storage.
 * @throws {SessionError} `invalid-argument`
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { openStorage } from "@reprise/reprise/store";
 *
 * const logs = new Map<string, Uint8Array[]>();
 * const locked = new Set<string>();
 * const store = openStorage({
 *   list: () =>
 *     [...logs].map(([id, pieces]) => ({
 *       id,
 *       bytes: pieces.reduce((sum, { length }) => sum + length, 0),
 *       locked: locked.has(id),
 *     })),
 *   read: (id) => logs.get(id) ?? [],
 *   append: (id, bytes) => void logs.set(id, [...logs.get(id) ?? [], bytes]),
 *   lock: (id) => locked.has(id) ? undefined : (locked.add(id), () => void locked.delete(id)),
 *   remove: (id) => void logs.delete(id),
 * }, { name: "map" });
 * const session = store.create({ cwd: "/home/ada/src" });
 * await session.turn().user("Hello");
 * await session.finish();
 * assert.equal((await store.list())[0]?.title, "Hello");
 * ```
 */
export function openStorage(
  storage: SessionStorage,
  options: Omit<StoreOptions, "root"> & { name: string },
): Store {
  checkRuntime();
  checkArgument("open store", "storage", storageMethods, storage);
  checkArgument("open store", "options", storageOptions, options);
  return new StorageStore(storage, options);
}
