/**
 * Opens the store of a data root.
 *
 * @module
 */
import { resolve } from "node:path";
import { SessionError } from "../event/session_error.ts";
import { environmentVariable } from "../platform/process.ts";
import { operatingSystem } from "../platform/runtime.ts";
import { dataRoot } from "../workspace/data_root.ts";
import { checkRuntime, checkStore } from "./checked_arguments.ts";
import { LocalStore } from "./local_store.ts";
import type { Store } from "./store.ts";
import type { StoreOptions } from "./store_options.ts";

/**
 * Opens a store. Nothing is created before the first session.
 *
 * @param options Root, durability, and for tests clock and ids.
 * @returns The store.
 * @throws {SessionError} `invalid-config` when no environment variable says where to keep sessions.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openStore } from "@reprise/reprise";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * assert.deepEqual(await openStore({ root }).list(), []);
 * await rm(root, { recursive: true });
 * ```
 */
export function openStore(options: StoreOptions = {}): Store {
  return openLocalStore(options);
}

/**
 * Opens a store with the operations of the commands: rename, archive, merge, import, prune, trash.
 *
 * @param options The options of `openStore`.
 * @throws {SessionError} `invalid-config` when no environment variable says where to keep sessions.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { mkdtemp, rm } from "node:fs/promises";
 * import { tmpdir } from "node:os";
 * import { join } from "node:path";
 * import { openLocalStore } from "@reprise/reprise/store";
 *
 * const root = await mkdtemp(join(tmpdir(), "reprise-"));
 * assert.deepEqual(openLocalStore({ root }).trash(), []);
 * await rm(root, { recursive: true });
 * ```
 */
export function openLocalStore(options: StoreOptions = {}): LocalStore {
  checkRuntime();
  checkStore(options);
  const root = options.root ??
    dataRoot(environmentVariable, operatingSystem === "windows");
  if (root === undefined) {
    throw new SessionError(
      "invalid-config",
      "Cannot find the session store: set REPRISE_HOME to the store's folder",
    );
  }
  return new LocalStore({ ...options, root: resolve(root) });
}
