/** Signs branches and other statements by a device's key, and checks signatures of others. Pure. */
import { Buffer } from "node:buffer";
import { createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import type { BranchSignature, SharedBranch } from "./team_store.ts";

/** The content of a signature: a branch up to its end, and the store that holds it. */
export type SignedPlace = Pick<SharedBranch, "owner" | "session" | "project" | "len" | "head"> & {
  /** The store's id. */
  store: string;
};

/** The bytes that precede the 32 bytes of a public key in DER (SPKI) form. */
const PUBLIC_KEY = Buffer.from("302a300506032b6570032100", "hex");
/** The bytes that precede the 32 bytes of a secret key in DER (PKCS #8) form. */
const SECRET_KEY = Buffer.from("302e020100300506032b657004220420", "hex");

/** True for a device's public key: 32 bytes in lower-case hexadecimal. */
export function isDeviceKey(text: unknown): text is string {
  return typeof text === "string" && /^[0-9a-f]{64}$/.test(text);
}

/**
 * Returns the bytes to sign. Their head covers every byte of the branch. Their project decides who
 * gets the key of a sealed session.
 */
function statement({ store, owner, session, project, len, head }: SignedPlace): Uint8Array {
  const parts = ["reprise branch 1", store, owner, session, project, len, head];
  return new TextEncoder().encode(JSON.stringify(parts));
}

/** The secret key of a device. */
export class DeviceKey {
  readonly #key: ReturnType<typeof createPrivateKey>;
  /** The public key, in hexadecimal. Other machines trust the device by it. */
  readonly id: string;

  /** @param secret 32 random bytes. */
  constructor(secret: Uint8Array) {
    const key = Buffer.concat([SECRET_KEY, secret]);
    this.#key = createPrivateKey({ key, format: "der", type: "pkcs8" });
    const known = createPublicKey(this.#key).export({ format: "der", type: "spki" });
    this.id = Buffer.from(known.subarray(PUBLIC_KEY.length)).toString("hex");
  }

  /** Returns the signature of a branch in its state after an append. */
  sign(place: SignedPlace): BranchSignature {
    return { by: this.id, signature: this.signStatement(statement(place)).toString("hex") };
  }

  /** Returns a signature of 64 bytes. The signed bytes must begin with the statement's kind. */
  signStatement(bytes: Uint8Array): Buffer {
    return sign(null, bytes, this.#key);
  }
}

/** True if one of the trusted devices signed the branch as it now ends. */
export function isSignedBy(
  trusted: ReadonlySet<string>,
  { signed, ...branch }: Omit<SignedPlace, "store"> & Pick<SharedBranch, "signed">,
  store: string,
): boolean {
  if (signed === undefined || !trusted.has(signed.by)) return false;
  const signature = Buffer.from(signed.signature, "hex");
  return isSignature(signed.by, statement({ ...branch, store }), signature);
}

export function isSignature(by: string, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (!isDeviceKey(by)) return false;
  const key = Buffer.concat([PUBLIC_KEY, Buffer.from(by, "hex")]);
  return verify(null, bytes, createPublicKey({ key, format: "der", type: "spki" }), signature);
}
