/**
 * Signatures of the data key of a sealed session. They stand in the header of the age file that wraps
 * the key, so every store keeps them. Encrypting alone proves nothing: everybody can encrypt a key of
 * their own to a recipient.
 */
import { type DeviceKey, isDeviceKey, isSignature } from "../branch_signature.ts";
import type { HeaderNote } from "../../../text/seal/header_note.ts";

export interface KeyPlace {
  /** The store's id. */
  store: string;
  owner: string;
  session: string;
  /** The id of the claim; absent if the store does not keep claims. */
  claim?: string | undefined;
}

/** A machine's signature of a data key. */
export interface KeySignature {
  /** The machine's public key. */
  by: string;
  /** ISO time at which the key was made. A later claim's key has a later time. */
  made_at: string;
  signature: Uint8Array;
}

/** The first word of each note in an age header that holds a signature. */
export const SIGNATURE_NOTE = "reprise/session-key";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const SIGNATURE_BYTES = 64;
/** The most signatures of a key that are read. */
const MOST = 16;

function statement(
  { store, owner, session, claim = "" }: KeyPlace,
  fingerprint: string,
  made_at: string,
): Uint8Array {
  const parts = ["reprise session key 1", store, owner, session, claim, made_at, fingerprint];
  return new TextEncoder().encode(JSON.stringify(parts));
}

/** Signs a data key. This machine must have made or trusted it. */
export function signKey(
  machine: DeviceKey,
  place: KeyPlace,
  fingerprint: string,
  made_at: string,
): KeySignature {
  const signature = machine.signStatement(statement(place, fingerprint, made_at));
  return { by: machine.id, made_at, signature };
}

export function isKeySignature(
  { by, made_at, signature }: KeySignature,
  place: KeyPlace,
  fingerprint: string,
): boolean {
  return isSignature(by, statement(place, fingerprint, made_at), signature);
}

export function toNote({ by, made_at, signature }: KeySignature): HeaderNote {
  return { args: [SIGNATURE_NOTE, by, made_at], body: signature };
}

/** Reads signatures from the notes of an age header. They are not verified. */
export function toSignatures(notes: readonly HeaderNote[]): KeySignature[] {
  return notes.slice(0, MOST).flatMap(({ args: [, by = "", made_at = ""], body }) =>
    isDeviceKey(by) && TIME.test(made_at) && body.length === SIGNATURE_BYTES
      ? [{ by, made_at, signature: body }]
      : []
  );
}
