/**
 * The data key of a sealed session: 32 random bytes, wrapped for all recipients as an age file. Former
 * keys follow it there, because they sealed older lines. Sealed bytes are bound to their place.
 */
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from "node:crypto";
import { isDeeperThan, MAX_DEPTH } from "../../../core/event/decode.ts";
import { isObject } from "../../../core/event/guard.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { padded, unpadded } from "../../../text/seal/padded_bytes.ts";
import type { SegmentOpener } from "../segment_codec.ts";
import type { Segment, SharedBranch } from "../team_store.ts";
import { type KeySignature, SIGNATURE_NOTE, toNote, toSignatures } from "./key_signature.ts";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** The most keys of a session: the latest, and former ones. */
const MAX_KEYS = 64;

export interface SealedPlace {
  store: string;
  owner: string;
  session: string;
}

/** The data key of one session, which seals, opens and names its bytes. */
export class SessionKey implements SegmentOpener {
  /** The latest key, which seals. */
  readonly #key: Uint8Array;
  /** The latest key, then former ones, in one array. */
  readonly #keys: Uint8Array;
  readonly #place: SealedPlace;

  /** @param keys 32 bytes for each key, the latest first. @param place The session that they are for. */
  constructor(keys: Uint8Array, place: SealedPlace) {
    const count = keys.length / KEY_BYTES;
    if (!Number.isInteger(count) || count < 1 || count > MAX_KEYS) {
      throw cannotOpen("the key with which this session is encrypted is damaged (wrong length)");
    }
    this.#key = keys.subarray(0, KEY_BYTES);
    this.#keys = keys;
    this.#place = place;
  }

  /** Makes a new key, which also opens what the former ones sealed. */
  next(): SessionKey {
    const kept = this.#keys.subarray(0, (MAX_KEYS - 1) * KEY_BYTES);
    return new SessionKey(Buffer.concat([randomBytes(KEY_BYTES), kept]), this.#place);
  }

  static make(place: SealedPlace): SessionKey {
    return new SessionKey(randomBytes(KEY_BYTES), place);
  }

  /**
   * Unwraps a key.
   *
   * @param keys The age file. @param identities Secret keys to try.
   * @throws {SessionError} `encrypted` where none of them fits; `damaged`
   */
  static async open(
    keys: Uint8Array,
    place: SealedPlace,
    identities: readonly string[],
  ): Promise<SessionKey> {
    const { openSealedBytes } = await import("../../../text/seal/open_sealed.ts");
    return new SessionKey(await openSealedBytes(keys, { identities }), place);
  }

  /** The key's public name. It does not reveal the key. */
  get fingerprint(): string {
    return createHash("sha256").update("reprise session key\n").update(this.#key).digest("hex");
  }

  /** Wraps the key for recipients: an age file, whose header has the signatures. */
  async wrap(
    recipients: readonly string[],
    signatures: readonly KeySignature[],
  ): Promise<Uint8Array> {
    const { sealBytes } = await import("../../../text/seal/seal.ts");
    return await sealBytes(this.#keys, { recipients }, signatures.map(toNote));
  }

  sealSegment(compressed: Uint8Array, n: number, off: number): Uint8Array {
    return this.#seal(compressed, [n, off]);
  }

  /** Opens the bytes of a segment, which are still compressed. */
  openSegment({ bytes, off }: Pick<Segment, "bytes" | "off">, n: number): Uint8Array {
    return this.#open(bytes, [n, off]);
  }

  hashes(bytes: Uint8Array): string[] {
    return Array.from({ length: this.#keys.length / KEY_BYTES }, (_, n) => {
      const key = this.#keys.subarray(n * KEY_BYTES, (n + 1) * KEY_BYTES);
      const naming = createHmac("sha256", key).update("reprise segment name\n").digest();
      return createHmac("sha256", naming).update(bytes).digest("hex");
    });
  }

  sealRow(row: Record<string, unknown>): { sealed: string } {
    const bytes = this.#seal(new TextEncoder().encode(JSON.stringify(row)), ["row"]);
    return { sealed: Buffer.from(bytes).toString("base64") };
  }

  openRow({ sealed }: Record<string, unknown>): Record<string, unknown> {
    const bytes = Buffer.from(typeof sealed === "string" ? sealed : "", "base64");
    try {
      const row: unknown = JSON.parse(new TextDecoder().decode(this.#open(bytes, ["row"])));
      if (isObject(row) && !isDeeperThan(row, MAX_DEPTH)) return row;
      throw cannotOpen("the session's summary is not valid");
    } catch (error) {
      if (error instanceof SessionError) throw error;
      throw cannotOpen("the session's summary is not valid", error);
    }
  }

  #seal(plain: Uint8Array, part: readonly unknown[]): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce);
    cipher.setAAD(this.#bound(part));
    const sealed = cipher.update(padded(plain));
    return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()]);
  }

  #open(bytes: Uint8Array, part: readonly unknown[]): Uint8Array {
    if (bytes.length < NONCE_BYTES + TAG_BYTES) throw cannotOpen("the encrypted data is too short");
    let failure: unknown;
    for (let at = 0; at < this.#keys.length; at += KEY_BYTES) {
      try {
        return this.#openWith(this.#keys.subarray(at, at + KEY_BYTES), bytes, part);
      } catch (error) {
        failure = error;
      }
    }
    throw cannotOpen(
      "the encrypted data was changed, is from another session, or was encrypted with another key",
      failure,
    );
  }

  #openWith(key: Uint8Array, bytes: Uint8Array, part: readonly unknown[]): Uint8Array {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(this.#bound(part));
    decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
    const opened = decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES));
    const plain = unpadded(Buffer.concat([opened, decipher.final()]));
    if (plain === undefined) throw cannotOpen("the encrypted data has no valid length");
    return plain;
  }

  /** Returns the place to which sealed bytes are bound, as unambiguous JSON. */
  #bound(part: readonly unknown[]): Uint8Array {
    const { store, owner, session } = this.#place;
    return new TextEncoder().encode(JSON.stringify([store, owner, session, ...part]));
  }
}

function cannotOpen(reason: string, cause?: unknown): SessionError {
  return new SessionError("damaged", `Cannot decrypt session: ${reason}`, {}, cause);
}

/**
 * Unwraps the key of a session that is sealed already.
 *
 * @throws {SessionError} `encrypted` where no identity fits.
 */
export async function keyOf(
  { owner, session, keys }: Pick<SharedBranch, "owner" | "session" | "keys">,
  store: string,
  identities: readonly string[],
): Promise<SessionKey> {
  if (keys !== undefined) return await SessionKey.open(keys, { store, owner, session }, identities);
  throw new SessionError(
    "damaged",
    "Cannot decrypt session: the store has no key for this session",
  );
}

/** Reads the signatures in the header of a wrapped key that was opened. */
export async function signaturesOf(keys: Uint8Array): Promise<KeySignature[]> {
  const { notesIn } = await import("../../../text/seal/header_note.ts");
  return toSignatures(await notesIn(keys, SIGNATURE_NOTE));
}
