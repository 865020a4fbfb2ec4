/** Opens and makes stores of every kind, by their addresses. */
import { present } from "../../core/event/present.ts";
import type { CatalogueOptions } from "../../library/catalogue/catalogue_options.ts";
import { hashedName } from "./objects/object_keys.ts";
import type { ObjectStore } from "./objects/object_store.ts";
import type { AccountSources } from "./s3/credentials.ts";
import { folderPath, memberOf, type StoreKind, storeKind } from "./store_address.ts";
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
  const kind = storeKind(url);
  if (kind === "postgres") {
    const { openTeamStore } = await import("./postgres/postgres_store.ts");
    return await openTeamStore(url, options);
  }
  const { openObjectTeam } = await import("./objects/object_team_store.ts");
  const objects = await openObjects(kind, url, options);
  return openObjectTeam(objects, { owner: memberOf(url), is_late: kind === "folder" });
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
  const kind = storeKind(url);
  if (kind === "postgres") {
    const { initTeamStore } = await import("./postgres/init_store.ts");
    return await initTeamStore(url, options);
  }
  const { initObjects } = await import("./objects/init_objects.ts");
  await using objects = await openObjects(kind, url, options);
  return await initObjects(objects, { owner: memberOf(url) ?? owner, sealed_only });
}

async function openObjects(
  kind: Exclude<StoreKind, "postgres">,
  url: string,
  { kept, insecure = false, password: printed, account, silence_ms }: StoreAccessOptions,
): Promise<ObjectStore> {
  if (kind === "folder") {
    const { openFolderStore } = await import("./folder/folder_store.ts");
    return openFolderStore(folderPath(url));
  }
  const { cachedReads } = await import("./objects/cached_reads.ts");
  const cached = (objects: ObjectStore): ObjectStore => cachedReads(objects, kept, hashedName(url));
  if (kind === "s3") {
    const { openBucket } = await import("./s3/s3_object_store.ts");
    const bucket = await openBucket(url, present({ ...account, insecure, printed, silence_ms }));
    return cached(bucket);
  }
  const { openSftpStore, sftpPlace } = await import("./sftp/sftp_store.ts");
  return cached(openSftpStore(present({ ...sftpPlace(url), silence_ms })));
}
