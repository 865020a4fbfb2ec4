/** Decrypts with identities or a passphrase, as a stream or in one piece. */
import type { Decrypter, Identity } from "npm:age-encryption@0.3.1";
import { joinBytes } from "../../core/event/bytes.ts";
import { SessionError, type SessionErrorData } from "../../core/event/session_error.ts";
import { openAgeFile } from "./age_file.ts";
import { loadAge, recipientOf } from "./keys.ts";
import { type SealStream, streamThrough } from "./seal_stream.ts";

/** Keys for decryption, tried one after the other. */
export interface SealKeys {
  /** Secret keys, each beginning with `AGE-SECRET-KEY-`. */
  identities?: readonly string[];
  /** The passphrase, for a file that has one. */
  passphrase?: string;
}

/** The keys to try, the file's name for messages, and keys of files that were opened before. */
export interface OpenSealedOptions extends SealKeys {
  /** Path of the file, for error messages. */
  path?: string;
  /**
   * Cache of file keys by header, which decryption also fills. A file in the cache needs no
   * identity or passphrase. @default {no cache}
   */
  file_keys?: Map<string, Uint8Array>;
}

/** The kinds of recipients in a header, such as `scrypt`. */
interface Seen {
  kinds: Set<string>;
}

/** Returns an identity that decrypts nothing, but records the kinds of recipients. */
function observer(seen: Seen): Identity {
  return {
    unwrapFileKey(stanzas): null {
      for (const { args: [kind = ""] } of stanzas) seen.kinds.add(kind);
      return null;
    },
  };
}

async function decrypterWith(
  { identities = [], passphrase }: SealKeys,
  seen: Seen,
): Promise<Decrypter> {
  const { Decrypter } = await loadAge();
  const decrypter = new Decrypter();
  decrypter.addIdentity(observer(seen));
  for (const identity of identities) {
    // Refuses a text that is not an identity, without repeating it.
    await recipientOf(identity);
    decrypter.addIdentity(identity);
  }
  if (passphrase !== undefined) decrypter.addPassphrase(passphrase);
  return decrypter;
}

function unopened({ identities = [], passphrase }: SealKeys, { kinds }: Seen): string {
  if (kinds.has("scrypt")) {
    return passphrase === undefined
      ? "the file is encrypted with a passphrase"
      : "the passphrase is wrong";
  }
  if (kinds.size > 0 && [...kinds].every((kind) => kind.startsWith("ssh-"))) {
    return "the file is encrypted for SSH keys; decrypt the file with: age -d -i ~/.ssh/id_ed25519";
  }
  if (identities.length === 0) {
    return "the file is encrypted; give --identity FILE, or set REPRISE_IDENTITY";
  }
  return identities.length === 1
    ? "the file is encrypted for another key, so this identity (private key) cannot decrypt it"
    : `none of the ${identities.length} identities (private keys) can decrypt the file`;
}

function placeOf({ path }: OpenSealedOptions): string {
  return path === undefined ? "" : `: ${path}`;
}

function dataOf({ path }: OpenSealedOptions): SessionErrorData {
  return path === undefined ? {} : { path };
}

function toError(
  error: unknown,
  given_bytes: number,
  options: OpenSealedOptions,
  seen: Seen,
): SessionError {
  if (error instanceof SessionError) return error;
  const [place, data] = [placeOf(options), dataOf(options)];
  const text = error instanceof Error ? error.message : "";
  if (text.startsWith("no identity matched")) {
    const reason = unopened(options, seen);
    return new SessionError("encrypted", `Cannot decrypt: ${reason}${place}`, data, error);
  }
  if (/work factor is too high/.test(text)) {
    const reason = "checking the passphrase would take too long; decrypt the file with: age -d";
    return new SessionError("encrypted", `Cannot decrypt: ${reason}${place}`, data, error);
  }
  const reason = given_bytes === 0
    ? "the file is cut off or was changed"
    : `the file is cut off or was changed; only the first ${given_bytes} bytes are intact`;
  return new SessionError("damaged", `Cannot decrypt: ${reason}${place}`, data, error);
}

/**
 * Makes a stream that decrypts an age file, binary or in ASCII armor. Its memory does not grow with
 * the file. Bytes come out as soon as they are verified. A missing end is only noticed at the end.
 * Bytes that came before the error are then only a part of the content.
 *
 * @param options Keys to try, and the file's name for messages.
 * @returns A stage to pipe bytes through. It errors with a {@linkcode SessionError}: `encrypted`
 * where no key fits, `damaged` where the file is cut off or was changed, `unsupported-source` where
 * it is no age file, `invalid-key` where an identity is not a key.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeIdentity, openSealed, recipientOf, sealTo } from "@reprise/reprise/seal";
 *
 * const identity = await makeIdentity();
 * const recipients = [await recipientOf(identity)];
 * const sealed = new Blob(["a key"]).stream().pipeThrough(await sealTo({ recipients }));
 * const opened = sealed.pipeThrough(openSealed({ identities: [identity] }));
 * assert.equal(await new Response(opened).text(), "a key");
 * ```
 */
export function openSealed(options: OpenSealedOptions): SealStream {
  const seen: Seen = { kinds: new Set() };
  async function start(input: ReadableStream<Uint8Array>): Promise<ReadableStream<Uint8Array>> {
    const file = await openAgeFile(input);
    if (file === undefined) {
      const message = `Cannot decrypt: the file is not encrypted with age${placeOf(options)}`;
      throw new SessionError("unsupported-source", message, dataOf(options));
    }
    const file_key = await fileKey(file.header, options, seen);
    const { Decrypter } = await loadAge();
    const decrypter = new Decrypter();
    decrypter.addIdentity({ unwrapFileKey: () => file_key });
    return await decrypter.decrypt(file.whole);
  }
  return streamThrough(start, (error, given) => toError(error, given, options, seen));
}

async function fileKey(
  header: Uint8Array,
  options: OpenSealedOptions,
  seen: Seen,
): Promise<Uint8Array> {
  const text = new TextDecoder("latin1").decode(header);
  const known = options.file_keys?.get(text);
  if (known !== undefined) return known;
  const found = await (await decrypterWith(options, seen)).decryptHeader(header);
  options.file_keys?.set(text, found);
  return found;
}

/**
 * Decrypts bytes that are in memory, such as a key.
 *
 * @throws {SessionError} The errors of the stream of {@linkcode openSealed}.
 */
export async function openSealedBytes(
  bytes: Uint8Array,
  options: OpenSealedOptions,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  const source = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream();
  for await (const part of source.pipeThrough(openSealed(options))) parts.push(part);
  return joinBytes(parts);
}
