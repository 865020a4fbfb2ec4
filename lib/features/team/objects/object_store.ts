/**
 * The contract of a place that keeps objects by key: a folder, a bucket, a folder behind sftp. Errors
 * are `SessionError`s: `unreachable`, `permission`, `disk-full`, `too-large`, `damaged`, `io`.
 */
import { SessionError } from "../../../core/event/session_error.ts";

export interface Traffic {
  sent_bytes: number;
  received_bytes: number;
}

export interface StoredObject {
  key: string;
  size: number;
  /** A text that changes whenever the content changes: an ETag, or size and time. */
  tag: string;
}

export interface ObjectStore extends AsyncDisposable {
  /** Lists objects whose keys begin with a prefix, in any order, a page at a time. */
  list(prefix: string): AsyncIterable<StoredObject[]>;
  /** Reads an object of at most `limit` bytes. @returns Undefined if there is no such object. */
  get(key: string, limit: number): Promise<{ bytes: Uint8Array; tag: string } | undefined>;
  /**
   * Writes an object whole: a reader sees the old or the new object.
   *
   * @param if_tag The tag of the object that may be replaced; with null, no object may exist. A
   * store that cannot compare tags ignores this.
   * @returns The new tag; undefined if nothing was written, because the present object has another
   * tag.
   */
  put(key: string, bytes: Uint8Array, if_tag?: string | null): Promise<string | undefined>;
  /** Deletes an object, if it exists. */
  delete(key: string): Promise<void>;
  /** Bytes written and read so far; absent if the place does not count them. */
  readonly traffic?: Traffic;
}

/** Maximum total length of all keys in a listing: enough for two million objects. */
export const MAX_LISTED = 512 * 1024 * 1024;
/** Maximum bytes of a key, as in S3. */
export const MAX_KEY_BYTES = 1024;
/** Maximum parts of a key. The longest has version, kind, owner, device, project, session, part. */
const MAX_PARTS = 8;

export function isKeyFolder(prefix: string): boolean {
  return prefix.length <= MAX_KEY_BYTES && prefix.split("/").length <= MAX_PARTS;
}

export function tooManyNames(place: string): SessionError {
  const message =
    `Cannot list the team's store: ${place} returned more file names than a valid store can have`;
  return new SessionError("too-large", message);
}

export function objectTooLarge(path: string, limit: number): SessionError {
  const message = `Cannot read file of the store: the file has more than ${limit} bytes: ${path}`;
  return new SessionError("too-large", message, { path, limit });
}
