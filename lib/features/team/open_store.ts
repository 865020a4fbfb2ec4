/** Opens object stores of every kind, by their addresses. */
import { present } from "../../core/event/present.ts";
import type { ObjectStore } from "./objects/object_store.ts";
import type { AccountSources } from "./s3/credentials.ts";
import { folderPath, memberOf, storeKind } from "./store_address.ts";

export interface StoreAccessOptions {
  /** Allows an unencrypted connection to another machine. @default {false} */
  insecure?: boolean;
  /**
   * The password of a database, or the keys of S3 as JSON.
   * @default {database: the user's ~/.pgpass, else PGPASSWORD; S3: `account`}
   */
  password?: string;
  /** Milliseconds until a connected host that sends nothing is given up. @default {20_000} */
  silence_ms?: number;
  account: AccountSources;
}

/** An opened object store. `owner` is the name under which the user writes, if it is known. */
export interface OpenedPlace {
  objects: ObjectStore;
  owner: string | undefined;
}

/**
 * Opens the object store at an address.
 *
 * @param url The checked address.
 * @throws {SessionError} `unreachable`, `permission`, `not-found`, `invalid-config`.
 */
export async function openObjects(
  url: string,
  { insecure = false, password: printed, account, silence_ms }: StoreAccessOptions,
): Promise<OpenedPlace> {
  switch (storeKind(url)) {
    case "folder": {
      const { openFolderStore } = await import("./folder/folder_store.ts");
      return { objects: openFolderStore(folderPath(url)), owner: memberOf(url) };
    }
    case "postgres": {
      const { openDatabase } = await import("./postgres/database_store.ts");
      return await openDatabase(url, present({ insecure, password: printed, silence_ms }));
    }
    case "s3": {
      const { openBucket } = await import("./s3/s3_object_store.ts");
      const options = present({ ...account, insecure, printed, silence_ms });
      return { objects: await openBucket(url, options), owner: memberOf(url) };
    }
    case "sftp": {
      const { openSftpStore, sftpPlace } = await import("./sftp/sftp_store.ts");
      const objects = openSftpStore(present({ ...sftpPlace(url), silence_ms }));
      return { objects, owner: memberOf(url) };
    }
  }
}
