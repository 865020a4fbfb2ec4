/** Recognizes an encrypted file by its first bytes, because its name says nothing. */
import { hasBytesAt } from "../../core/event/bytes.ts";

const BINARY = new TextEncoder().encode("age-encryption.org/v1\n");
export const ARMOR_BEGIN = "-----BEGIN AGE ENCRYPTED FILE-----";
const ARMOR = new TextEncoder().encode(ARMOR_BEGIN);
export const ARMOR_END = "-----END AGE ENCRYPTED FILE-----";

/** The number of first bytes that {@linkcode isSealed} needs. */
export const SEALED_HEAD_BYTES = ARMOR_BEGIN.length;

type SealedForm = "binary" | "armor";

export function sealedForm(first_bytes: Uint8Array): SealedForm | undefined {
  if (hasBytesAt(first_bytes, BINARY, 0)) return "binary";
  return hasBytesAt(first_bytes, ARMOR, 0) ? "armor" : undefined;
}

/**
 * True for the beginning of an age file, binary or in ASCII armor.
 *
 * @param first_bytes At least 34 bytes, or the whole file.
 */
export function isSealed(first_bytes: Uint8Array): boolean {
  return sealedForm(first_bytes) !== undefined;
}
