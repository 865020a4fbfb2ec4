/**
 * Records the state of an import's source, so that a later change is noticed. A file is compared by
 * its bytes, and a session in a database by its events.
 */
import { createHash } from "node:crypto";
import type { LogEvent } from "../../event/envelope.ts";
import { byteSource } from "../../log/byte_source.ts";
import { toSessionError } from "../../log/io_error.ts";
import { statFile } from "../../file/regular_file.ts";
import type { ReadEvent } from "../session_line.ts";

/** Facts of an import's source, by which a later change is noticed. */
export interface SourceState {
  /** Size of the file in bytes; absent for a database, which has other sessions too. */
  bytes?: number;
  /** ISO 8601: when the file was changed; absent for a database. */
  modified_at?: string;
  /** SHA-256 in lower-case hexadecimal: of the file, or of the events in a database. */
  sha256: string;
  /** A record on the branch that was read; absent for the live branch. */
  branch?: string;
}

export function fileState(path: string): Required<Pick<SourceState, "bytes" | "modified_at">> {
  try {
    const { size, mtime } = statFile(path);
    return { bytes: size, modified_at: (mtime ?? new Date(0)).toISOString() };
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}

/**
 * Hashes a file by SHA-256, in constant memory.
 *
 * @throws {SessionError} `not-found`, `permission`, `unsupported-source`, `io`
 */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  const { readable, recycle } = byteSource(path);
  for await (const chunk of readable) {
    hash.update(chunk);
    recycle(chunk);
  }
  return hash.digest("hex");
}

export async function hashEvents(events: AsyncIterable<readonly LogEvent[]>): Promise<string> {
  const digest = new EventDigest();
  for await (const batch of events) {
    for (const event of batch) if (event.form !== "unparsed") digest.add(event);
  }
  return digest.hex();
}

/** A SHA-256 over the content of events in order, independent of how the events are stored. */
export class EventDigest {
  readonly #hash = createHash("sha256");
  events = 0;

  add({ seq, kind, time, turn_id, source, payload }: ReadEvent): void {
    this.#hash.update(JSON.stringify([seq, kind, time, turn_id, source, payload]));
    this.#hash.update("\n");
    this.events++;
  }

  /** Returns the digest in lower-case hexadecimal. Nothing can be added afterwards. */
  hex(): string {
    return this.#hash.digest("hex");
  }
}
