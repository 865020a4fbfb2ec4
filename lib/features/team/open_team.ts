/** Opens a team's store inside an object store. Makes stores for new teams. */
import { isObject } from "../../core/event/guard.ts";
import { SessionError } from "../../core/event/session_error.ts";
import { decodeDocument, encodeDocument } from "./objects/document.ts";
import { metered, type MeteredObjects } from "./objects/metered_objects.ts";
import { STORE_KEY } from "./objects/object_keys.ts";
import type { ObjectStore } from "./objects/object_store.ts";
import { openObjects, type StoreAccessOptions } from "./open_store.ts";
import { storeKind } from "./store_address.ts";

/** A connection to a team's store. */
export interface Team extends AsyncDisposable {
  objects: MeteredObjects;
  /** The store's own id. Local state is filed by this id, not by the address. */
  id: string;
  /** The name of the member who uses this connection. */
  owner: string;
}

const VERSION = 3;
const MAX_STORE_BYTES = 64 * 1024;

/**
 * Opens a team's store.
 *
 * @param url The checked address.
 * @throws {SessionError} `not-found` if there is no team's store at the address;
 * `unsupported-version`, `unreachable`, `permission`, `invalid-config`
 */
export async function openTeam(url: string, options: StoreAccessOptions): Promise<Team> {
  const { objects, owner } = await openObjects(url, options);
  try {
    return await teamIn(objects, owner);
  } catch (error) {
    await objects[Symbol.asyncDispose]();
    throw error;
  }
}

/**
 * Returns the team whose store is in `objects`.
 *
 * @param owner The member's name. @default {the name of the store's maker}
 */
export async function teamIn(objects: ObjectStore, owner?: string): Promise<Team> {
  const facts = await readFacts(objects);
  return {
    objects: metered(objects),
    id: facts.id,
    owner: owner ?? facts.owner,
    [Symbol.asyncDispose]: () => objects[Symbol.asyncDispose](),
  };
}

/**
 * Makes a team's store at an address that has none.
 *
 * @param owner The member's name. It is used only if the address contains no name.
 * @throws {SessionError} The errors of {@linkcode openTeam}.
 */
export async function makeTeam(
  url: string,
  options: StoreAccessOptions,
  owner: string,
): Promise<void> {
  if (storeKind(url) === "postgres") {
    const { makeObjectTable } = await import("./postgres/object_table.ts");
    await makeObjectTable(url, options);
  }
  const opened = await openObjects(url, options);
  await using objects = opened.objects;
  await makeTeamIn(objects, opened.owner ?? owner);
}

/** Writes a new store's description. Changes nothing if another machine wrote one first. */
export async function makeTeamIn(objects: ObjectStore, owner: string): Promise<void> {
  const facts = { id: crypto.randomUUID(), version: VERSION, owner };
  await objects.put(STORE_KEY, encodeDocument(facts), null);
}

async function readFacts(objects: ObjectStore): Promise<{ id: string; owner: string }> {
  const found = await objects.get(STORE_KEY, MAX_STORE_BYTES);
  if (found === undefined) {
    const message =
      "Cannot use the store: no store was found. The folder may not be mounted, or not synced " +
      "yet. To make a new store: reprise sync team PLACE";
    throw new SessionError("not-found", message);
  }
  const facts = decodeDocument(found.bytes);
  if (!isObject(facts) || typeof facts.id !== "string" || typeof facts.owner !== "string") {
    const message =
      "Cannot use the store: the file that describes it is incomplete or damaged. If the store " +
      "is still syncing, try again later";
    throw new SessionError("unreachable", message);
  }
  const { id, owner, version } = facts;
  if (version === VERSION) return { id, owner };
  const message = Number(version) < VERSION
    ? "Cannot use the store: a development version of Reprise made it. Make a new one elsewhere: " +
      "reprise sync team PLACE"
    : `Cannot use the store: a newer Reprise made the store (version ${version}); update Reprise ` +
      "on this machine";
  throw new SessionError("unsupported-version", message);
}
