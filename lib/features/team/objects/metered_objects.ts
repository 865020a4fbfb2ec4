/** Counts the bytes of all objects that a connection writes and reads. */
import type { ObjectStore, Traffic } from "./object_store.ts";

/** An object store that counts the bytes of objects, but not of listings and requests. */
export type MeteredObjects = ObjectStore & { readonly traffic: Traffic };

export function metered(objects: ObjectStore): MeteredObjects {
  if (objects.traffic !== undefined) return objects as MeteredObjects;
  const traffic: Traffic = { sent_bytes: 0, received_bytes: 0 };
  return {
    traffic,
    list: (prefix) => objects.list(prefix),
    async get(key, limit): ReturnType<ObjectStore["get"]> {
      const found = await objects.get(key, limit);
      traffic.received_bytes += found?.bytes.length ?? 0;
      return found;
    },
    async put(key, bytes, if_tag): Promise<string | undefined> {
      const tag = await objects.put(key, bytes, if_tag);
      traffic.sent_bytes += bytes.length;
      return tag;
    },
    delete: (key) => objects.delete(key),
    [Symbol.asyncDispose]: () => objects[Symbol.asyncDispose](),
  };
}
