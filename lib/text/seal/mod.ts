/**
 * Encrypts and decrypts files of the [age](https://age-encryption.org) format, for recipients
 * (X25519 and post-quantum) or with a passphrase.
 *
 * @example Encrypt to a recipient, and decrypt with its identity
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeIdentity, openSealed, recipientOf, sealTo } from "@reprise/reprise/seal";
 *
 * const identity = await makeIdentity();
 * const recipients = [await recipientOf(identity)];
 * const sealed = new Blob(["secret"]).stream().pipeThrough(await sealTo({ recipients }));
 * const opened = sealed.pipeThrough(openSealed({ identities: [identity] }));
 * assert.equal(await new Response(opened).text(), "secret");
 * ```
 *
 * @module
 */
export { type IdentityOptions, makeIdentity, parseIdentities, recipientOf } from "./keys.ts";
export { openSealed, type OpenSealedOptions, type SealKeys } from "./open_sealed.ts";
export { type SealTarget, sealTo } from "./seal.ts";
export type { SealStream } from "./seal_stream.ts";
