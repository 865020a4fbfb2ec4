/** Opens and makes stores of every kind, by their addresses. */
import { present } from "../../core/event/present.ts";
import type { CatalogueOptions } from "../../library/catalogue/catalogue_options.ts";
import { hashedName } from "./objects/object_keys.ts";
import type { ObjectStore } from "./objects/object_store.ts";
import type { AccountSources } from "./s3/credentials.ts";
import { folderPath, memberOf, storeKind } from "./store_address.ts";
import type { StoreGreeting, TeamStore } from "./team_store.ts";

export interface StoreAccessOptions {
  /** Allows an unencrypted connection to another machine. @default {false} */
  insecure?: boolean;
  /**
   * The password of a database, or keys of S3 as JSON.
   * @default {the user's ~/.pgpass, else PGPASSWORD; of S3 the account's}
   */
  password?: string;
  /** Milliseconds until a host that accepts and says nothing is given up. @default {20_000} */
  silence_ms?: number;
  /** The sources of the user's S3 credentials. */
  account: AccountSources;
  /** The place of the cache, which has the heads of remote stores. */
  kept: CatalogueOptions;
}

export interface NewStore {
  /** The member name for an address without a user. */
  owner: string;
  sealed_only?: boolean | undefined;
}

/**
 * Opens a store.
 *
 * @param url Its checked address.
 * @throws {SessionError} `unreachable`, `permission`, `not-found`, `invalid-config`.
 */
export async function openStore(url: string, options: StoreAccessOptions): Promise<TeamStore> {
  const { openObjectTeam } = await import("./objects/object_team_store.ts");
  const { objects, owner } = await openObjects(url, options);
  return openObjectTeam(objects, { owner, is_late: storeKind(url) === "folder" });
}

/**
 * Makes a store where there is none.
 *
 * @param url Its checked address.
 * @throws {SessionError} `unsupported-version` where there is one; as opening it.
 */
export async function initStore(
  url: string,
  options: StoreAccessOptions,
  { owner, sealed_only }: NewStore,
): Promise<StoreGreeting> {
  if (storeKind(url) === "postgres") {
    const { makeObjectTable } = await import("./postgres/object_table.ts");
    await makeObjectTable(url, options);
  }
  const { initObjects } = await import("./objects/init_objects.ts");
  const opened = await openObjects(url, options);
  await using objects = opened.objects;
  return await initObjects(objects, { owner: opened.owner ?? owner, sealed_only });
}

/** A place of objects, and the name under which one writes there, if it is known. */
export interface OpenedPlace {
  objects: ObjectStore;
  owner: string | undefined;
}

/**
 * Opens a place of objects.
 *
 * @param url Its checked address.
 * @throws {SessionError} `unreachable`, `permission`, `not-found`, `invalid-config`.
 */
export async function openObjects(
  url: string,
  { kept, insecure = false, password: printed, account, silence_ms }: StoreAccessOptions,
): Promise<OpenedPlace> {
  const kind = storeKind(url);
  if (kind === "folder") {
    const { openFolderStore } = await import("./folder/folder_store.ts");
    return { objects: openFolderStore(folderPath(url)), owner: memberOf(url) };
  }
  const { cachedReads } = await import("./objects/cached_reads.ts");
  const cached = (objects: ObjectStore, owner = memberOf(url)): OpenedPlace => ({
    objects: cachedReads(objects, kept, hashedName(url)),
    owner,
  });
  switch (kind) {
    case "postgres": {
      const { openDatabase } = await import("./postgres/database_store.ts");
      const options = present({ insecure, password: printed, silence_ms });
      const { objects, owner } = await openDatabase(url, options);
      return cached(objects, owner);
    }
    case "s3": {
      const { openBucket } = await import("./s3/s3_object_store.ts");
      const options = present({ ...account, insecure, printed, silence_ms });
      return cached(await openBucket(url, options));
    }
    case "sftp": {
      const { openSftpStore, sftpPlace } = await import("./sftp/sftp_store.ts");
      return cached(openSftpStore(present({ ...sftpPlace(url), silence_ms })));
    }
  }
}
