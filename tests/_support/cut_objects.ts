/** A place of objects whose connection ends at a request. */
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { ObjectStore } from "../../lib/features/team/objects/object_store.ts";

/** The message of requests that are not answered. */
export const CUT = "Cannot reach the store: cut by the test";

/** The request at which a connection ends. */
export interface Cut {
  /** Requests up to it: at 0 it has ended. */
  left: number;
  /** True if the last request is carried out, without an answer. */
  behind: boolean;
  /** Only writes count: a cut at a read leaves what the write before it left. @default {false} */
  at_writes?: boolean;
}

/** No request ends the connection. */
export const UNCUT: Cut = { left: Infinity, behind: false };

/** Ends the connection at a request, for all that follow. */
export function cutObjects(objects: ObjectStore, cut: Cut): ObjectStore {
  const asked = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
    cut.left = Math.max(-1, cut.left - 1);
    if (cut.left > 0) return await work();
    if (cut.left === 0 && cut.behind) await work();
    throw new SessionError("unreachable", CUT);
  };
  return {
    list: (prefix) => objects.list(prefix),
    get: (key, limit) =>
      cut.at_writes && cut.left > 0
        ? objects.get(key, limit)
        : asked(() => objects.get(key, limit)),
    put: (key, bytes, if_tag) => asked(() => objects.put(key, bytes, if_tag)),
    delete: (key) => asked(() => objects.delete(key)),
    [Symbol.asyncDispose]: () => objects[Symbol.asyncDispose](),
  };
}
