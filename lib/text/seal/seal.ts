/** Encrypts to recipients or with a passphrase, as a stream or in one piece. */
import type { Encrypter } from "npm:age-encryption@0.3.1";
import { SessionError } from "../../core/event/session_error.ts";
import { checkRecipients, loadAge } from "./keys.ts";
import { type SealStream, streamThrough } from "./seal_stream.ts";

/** Default cost of a passphrase, as a logarithm to base 2: 256 MiB of memory and about a second. */
const WORK_FACTOR = 18;

/** The recipients whose keys can decrypt, or a passphrase. A file never has both. */
export type SealTarget =
  | { recipients: readonly string[] }
  | {
    passphrase: string;
    /** Cost of a guess, as a logarithm to base 2. age accepts at most 20. @default {18} */
    work_factor?: number;
  };

async function encrypterTo(target: SealTarget): Promise<Encrypter> {
  const { Encrypter } = await loadAge();
  const encrypter = new Encrypter();
  if ("passphrase" in target) {
    if (target.passphrase === "") {
      throw new SessionError("invalid-key", "Cannot encrypt: the passphrase is empty");
    }
    encrypter.setPassphrase(target.passphrase);
    encrypter.setScryptWorkFactor(target.work_factor ?? WORK_FACTOR);
    return encrypter;
  }
  const recipients = await checkRecipients(target.recipients);
  if (recipients.length === 0) {
    throw new SessionError("invalid-key", "Cannot encrypt: no recipient (public key) is given");
  }
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  return encrypter;
}

/**
 * Makes a stream that encrypts bytes to an age file, which `age -d` reads. Its memory use does not
 * grow with the number of bytes.
 *
 * @param target The recipients or the passphrase that can decrypt the file.
 * @returns A stage to pipe bytes through.
 * @throws {SessionError} `invalid-key` for an invalid recipient, no recipient, or an empty
 * passphrase.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeIdentity, openSealed, recipientOf, sealTo } from "@reprise/reprise/seal";
 *
 * const identity = await makeIdentity();
 * const sealed = new Blob(["a session"]).stream()
 *   .pipeThrough(await sealTo({ recipients: [await recipientOf(identity)] }));
 * const opened = sealed.pipeThrough(openSealed({ identities: [identity] }));
 * assert.equal(await new Response(opened).text(), "a session");
 * ```
 */
export async function sealTo(target: SealTarget): Promise<SealStream> {
  const encrypter = await encrypterTo(target);
  return streamThrough((input) => encrypter.encrypt(input), (error) => error);
}

export async function sealBytes(bytes: Uint8Array, target: SealTarget): Promise<Uint8Array> {
  return await (await encrypterTo(target)).encrypt(bytes);
}
