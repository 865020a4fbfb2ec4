/** Decides whether new lines may be sealed with a key that a store gives. Pure. */
import { present } from "../../../core/event/present.ts";
import { isKeySignature, type KeyPlace, type KeySignature } from "./key_signature.ts";

/** The record of the data key with which this machine sealed a session last. */
export interface NotedKey {
  /** The key's fingerprint. */
  is: string;
  /** ISO time at which the key was made. */
  made_at: string;
  /** Key of the signing machine, or fingerprint accepted by the user; absent for this machine. */
  by?: string;
}

export interface OfferedKey {
  fingerprint: string;
  place: KeyPlace;
  signatures: readonly KeySignature[];
}

/** The keys that this machine trusts, and the data key that it last used for the session. */
export interface KeyTrust {
  /** This machine's public key. */
  own: string;
  /** Public keys of machines, this one's included, and fingerprints of data keys. */
  trusted: ReadonlySet<string>;
  /** The record of the data key that this machine last used; undefined if none. */
  noted: NotedKey | undefined;
}

/**
 * Returns the record of a key that counts; undefined for one that a stranger may have made.
 *
 * Another key than the noted one must be made later: a store may give back a former one, which others
 * know.
 */
export function countedKey(
  { fingerprint: is, place, signatures }: OfferedKey,
  { own, trusted, noted }: KeyTrust,
): NotedKey | undefined {
  const is_noted = noted?.is === is;
  if (is_noted && (noted.by === undefined || trusted.has(noted.by))) return noted;
  const signed = signatures.find((one) =>
    // Its own signature of a key that another machine made says no more than that one's.
    trusted.has(one.by) && !(is_noted && one.by === own) &&
    (is_noted || noted === undefined || one.made_at > noted.made_at) &&
    isKeySignature(one, place, is)
  );
  if (signed !== undefined) {
    const { by, made_at } = signed;
    return present({ is, made_at, by: by === own ? undefined : by });
  }
  return noted === undefined && trusted.has(is) ? { is, made_at: "", by: is } : undefined;
}
