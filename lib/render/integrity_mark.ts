import type { Integrity } from "../event/envelope.ts";

const MARKS: Partial<Record<Integrity, string>> = {
  mismatch: "Checksum mismatch: this may not be what was written",
  salvaged: "Salvaged from a damaged line",
};

/** What a document says of an event that is not as it was written; undefined of all others. */
export function integrityMark(integrity: Integrity): string | undefined {
  return MARKS[integrity];
}
