/**
 * `sync.key` in the data root: the secret key by which this machine signs what it shares. It is no part
 * of `sync/`, which can be deleted.
 */
import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import { SessionError } from "../../../core/event/session_error.ts";
import { isThere } from "../../../core/file/presence.ts";
import { readShortText, SETTINGS_BYTES } from "../../../core/file/short_file.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { writeWhole } from "../../../core/log/write_whole.ts";
import { openSync } from "../../../core/platform/files.ts";
import { makeDirectories } from "../../../core/store/create_log.ts";
import { DeviceKey, isDeviceKey } from "../branch_signature.ts";
import type { SyncSettings } from "../shared_project.ts";

/** Reads the device key of a data root. Makes one if it has none. */
export function deviceKey(root: string): DeviceKey {
  const path = keyPath(root);
  try {
    if (!isThere(path)) makeKey(root, path);
  } catch (error) {
    // Another process may have been faster.
    if (!isThere(path)) throw toSessionError(error, "make this machine's key", path);
  }
  return knownDeviceKey(root) as DeviceKey;
}

/**
 * Reads the key of a data root; undefined where there is none.
 *
 * @throws {SessionError} `invalid-key` for a file that holds none; `permission`, `io`
 */
export function knownDeviceKey(root: string): DeviceKey | undefined {
  const path = keyPath(root);
  if (!isThere(path)) return undefined;
  try {
    const secret = readShortText(path, SETTINGS_BYTES, { follow: false, what: "key" }).trim();
    if (isDeviceKey(secret)) return new DeviceKey(Buffer.from(secret, "hex"));
  } catch (error) {
    throw toSessionError(error, "use this machine's key", path);
  }
  const message = `Cannot use this machine's key: the file contains no key: ${path}; delete the ` +
    "file (Reprise makes a new key), then trust the new key on your other machines: reprise sync " +
    "trust";
  throw new SessionError("invalid-key", message, { path });
}

/** Returns the public keys that a data root trusts, including its own. */
export function trustedKeys(root: string, { trusted = [] }: SyncSettings): ReadonlySet<string> {
  return new Set([knownDeviceKey(root)?.id ?? [], trusted].flat());
}

/**
 * Returns the public key by which a user's other machines trust a data root.
 *
 * @param make True to make a key where there is none.
 * @throws {SessionError} `invalid-key`, `permission`, `disk-full`, `io`
 */
export function machineKey(root: string, make = false): string | undefined {
  return (make ? deviceKey(root) : knownDeviceKey(root))?.id;
}

function keyPath(root: string): string {
  return join(root, "sync.key");
}

function makeKey(root: string, path: string): void {
  makeDirectories(root);
  const file = openSync(path, { write: true, createNew: true, mode: 0o600 });
  try {
    writeWhole(file, new TextEncoder().encode(`${randomBytes(32).toString("hex")}\n`));
    file.syncSync();
  } finally {
    file.close();
  }
}
