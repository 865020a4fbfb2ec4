/** Makes a team's store of objects, and recognizes one. */
import { isObject } from "../../../core/event/guard.ts";
import { present } from "../../../core/event/present.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import type { StoreGreeting } from "../team_store.ts";
import { decodeDocument, encodeDocument } from "./head_document.ts";
import { STORE_KEY } from "./object_keys.ts";
import type { ObjectStore } from "./object_store.ts";

/** The version of the objects that this program reads and writes. */
const VERSION = 2;
const MAX_STORE_BYTES = 64 * 1024;

/** The facts of a store, written once. */
export interface StoreFacts extends StoreGreeting {
  sealed_only?: boolean;
}

/**
 * Makes a store where there is none.
 *
 * @param owner The name of those who give none: the only user of most such stores.
 * @throws {SessionError} `unsupported-version` where a store is there already.
 */
export async function initObjects(
  objects: ObjectStore,
  { owner, sealed_only }: { owner: string; sealed_only?: boolean | undefined },
): Promise<StoreGreeting> {
  const facts: StoreFacts = present({
    ...{ id: crypto.randomUUID(), version: VERSION, owner },
    sealed_only: sealed_only || undefined,
  });
  const known = await objects.get(STORE_KEY, MAX_STORE_BYTES);
  const made = known === undefined
    ? await objects.put(STORE_KEY, encodeDocument(facts), null)
    : undefined;
  if (made !== undefined) return facts;
  const message =
    "Cannot make a store: this place already has a store. To use it: reprise sync join";
  throw new SessionError("unsupported-version", message);
}

/**
 * Reads the facts of a store.
 *
 * @throws {SessionError} `not-found`, `unsupported-version`, `damaged`; as the objects.
 */
export async function readStoreFacts(objects: ObjectStore): Promise<StoreFacts> {
  const found = await objects.get(STORE_KEY, MAX_STORE_BYTES);
  if (found === undefined) {
    const message =
      "Cannot use the store: no store was found. The folder may not be mounted, or not synced " +
      "yet. To make a new store: reprise sync init";
    throw new SessionError("not-found", message);
  }
  const facts = decodeDocument(found.bytes);
  if (!isObject(facts) || typeof facts.id !== "string" || typeof facts.owner !== "string") {
    const message =
      "Cannot use the store: the file that describes it is incomplete or damaged. If the store " +
      "is still syncing, try again later";
    throw new SessionError("unreachable", message);
  }
  if (facts.version === VERSION) return facts as unknown as StoreFacts;
  const message = facts.version === 1
    ? "Cannot use the store: a development version of Reprise made it. Make a new one elsewhere: " +
      "reprise sync init"
    : `Cannot use the store: a newer Reprise made the store (version ${facts.version}); ` +
      "update Reprise on this machine";
  throw new SessionError("unsupported-version", message);
}
