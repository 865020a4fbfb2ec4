/**
 * Digests what events say, independent of where they are stored. It proves that they came through.
 */
import { createHash } from "node:crypto";
import type { ReadEvent } from "../session_line.ts";

/** SHA-256 over events in their order: number, kind, labels and payload, not how they were stored. */
export class EventDigest {
  readonly #hash = createHash("sha256");
  /** Events so far. */
  events = 0;

  /** Takes the next event. */
  add({ seq, kind, time, turn_id, source, payload }: ReadEvent): void {
    this.#hash.update(JSON.stringify([seq, kind, time, turn_id, source, payload]));
    this.#hash.update("\n");
    this.events++;
  }

  /** In lower-case hexadecimal. Nothing can be added afterwards. */
  hex(): string {
    return this.#hash.digest("hex");
  }
}
