/** The key that a user's machines share. It seals and opens packs, and names their folder. */
import { Buffer } from "node:buffer";
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { padded, unpadded } from "../../../text/seal/padded_bytes.ts";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const text = new TextEncoder();

export class PlaceKey {
  readonly #key: Uint8Array;
  /** Public name of the key, which begins the packs' paths. The name does not reveal the key. */
  readonly name: string;

  /** @param secret The bytes of the pairing words. */
  constructor(secret: Uint8Array) {
    this.#key = derived(secret, "seal", 32);
    this.name = Buffer.from(derived(secret, "name", 16)).toString("hex");
  }

  /** Encrypts bytes for an object. They can only be opened as the bytes of the same object. */
  seal(object: string, plain: Uint8Array): Uint8Array {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, this.#key, nonce);
    cipher.setAAD(text.encode(object));
    const sealed = cipher.update(padded(plain));
    return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()]);
  }

  /** Decrypts an object's bytes; undefined if they are damaged or sealed with another key. */
  open(object: string, bytes: Uint8Array): Uint8Array | undefined {
    if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
    try {
      const options = { authTagLength: TAG_BYTES };
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, this.#key, nonce, options);
      decipher.setAAD(text.encode(object));
      decipher.setAuthTag(bytes.subarray(bytes.length - TAG_BYTES));
      const opened = decipher.update(bytes.subarray(NONCE_BYTES, bytes.length - TAG_BYTES));
      return unpadded(Buffer.concat([opened, decipher.final()]));
    } catch {
      // An error of the cipher, which has no type of its own.
      return undefined;
    }
  }
}

function derived(secret: Uint8Array, use: string, length: number): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", secret, "", `reprise machines ${use}`, length));
}
