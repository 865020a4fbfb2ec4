/** Keys of encrypted files: age calls private keys identities, and public keys recipients. */
import type * as Age from "npm:age-encryption@0.3.1";
import { SessionError } from "../../core/event/session_error.ts";

let loading: Promise<typeof Age> | undefined;

export function loadAge(): Promise<typeof Age> {
  loading ??= import("npm:age-encryption@0.3.1");
  return loading;
}

const IDENTITY = /^AGE-SECRET-KEY-(?:PQ-)?1[02-9AC-HJ-NP-Z]+$/;

/** The kind of key that {@linkcode makeIdentity} makes. */
export interface IdentityOptions {
  /** True to resist quantum computers. The recipient has 1,959 characters. @default {false} */
  post_quantum?: boolean;
}

/**
 * Makes a new secret key. If the key is lost, so is everything encrypted to its recipient.
 *
 * @param options The kind of key.
 * @returns The identity, one line of text without its newline.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeIdentity } from "@reprise/reprise/seal";
 *
 * assert.match(await makeIdentity(), /^AGE-SECRET-KEY-1/);
 * ```
 */
export async function makeIdentity({ post_quantum = false }: IdentityOptions = {}): Promise<
  string
> {
  const { generateHybridIdentity, generateX25519Identity } = await loadAge();
  return await (post_quantum ? generateHybridIdentity() : generateX25519Identity());
}

/**
 * Returns the recipient of an identity: the public key to which others encrypt.
 *
 * @param identity A secret key.
 * @throws {SessionError} `invalid-key`; its message does not repeat the key.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeIdentity, recipientOf } from "@reprise/reprise/seal";
 *
 * assert.match(await recipientOf(await makeIdentity()), /^age1/);
 * ```
 */
export async function recipientOf(identity: string): Promise<string> {
  const { identityToRecipient } = await loadAge();
  try {
    return await identityToRecipient(identity);
  } catch {
    // The cause may repeat the key.
    throw new SessionError(
      "invalid-key",
      "Cannot use private key: a character of the key is wrong or missing; copy the key again",
    );
  }
}

function reasonAgainst(line: string): string {
  if (/^-----BEGIN .*PRIVATE KEY-----/.test(line)) {
    return "the file is an SSH key; decrypt with the age program: age -d -i FILE ENCRYPTED > PLAIN.jsonl";
  }
  if (line.startsWith("AGE-PLUGIN-")) {
    return "the identity needs an age plugin, so decrypt with age: age -d -i FILE ENCRYPTED > PLAIN.jsonl";
  }
  if (/^age1/.test(line)) {
    return "this is a public key (recipient); an identity (private key) begins with " +
      "AGE-SECRET-KEY-";
  }
  return "no line begins with AGE-SECRET-KEY-, as a private key does";
}

/**
 * Reads identities from a text as `age-keygen` writes it, one a line. Lines that are empty or begin
 * with `#` are passed over.
 *
 * @param text The text of a file, or what a program printed.
 * @param source What the text is, for messages. @default {"identity"}
 * @returns At least one identity.
 * @throws {SessionError} `invalid-key`; its message does not repeat the text.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { makeIdentity, parseIdentities } from "@reprise/reprise/seal";
 *
 * const identity = await makeIdentity();
 * assert.deepEqual(await parseIdentities(`# of my laptop\n${identity}\n`), [identity]);
 * ```
 */
export async function parseIdentities(text: string, source = "identity"): Promise<string[]> {
  const lines = text.split("\n").map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const odd = lines.find((line) => !IDENTITY.test(line));
  if (lines.length === 0 || odd !== undefined) {
    throw new SessionError("invalid-key", `Cannot use ${source}: ${reasonAgainst(odd ?? "")}`);
  }
  for (const line of lines) await recipientOf(line);
  return lines;
}

/** Matches recipients that need no other program, such as an age plugin. */
const KNOWN = /^age1(?:pq1|tag1|tagpq1)?[02-9ac-hj-np-z]+$/;
const SSH = /^(?:ssh-[a-z0-9]+|ecdsa-[\w-]+|sk-[\w@.-]+) /;
const PLUGIN = /^age1[a-z0-9-]+1[02-9ac-hj-np-z]+$/;
/** Maximum characters of a recipient in an error. A post-quantum recipient has 1,959. */
const MOST_SHOWN = 24;

function shown(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
}

function refusal(reason: string, cause?: unknown): SessionError {
  return new SessionError("invalid-key", `Cannot encrypt: ${reason}`, {}, cause);
}

/** Returns the error for a text that is not a recipient. The error never contains a secret key. */
function unlike(text: string): SessionError {
  if (text === "") {
    return refusal("a recipient (public key) is empty; a recipient begins with age1");
  }
  if (/^AGE-(?:SECRET-KEY|PLUGIN)-/i.test(text)) {
    return refusal(
      "this is a private key; give the public key (recipient) instead. To print the public " +
        "key: reprise key show FILE",
    );
  }
  if (SSH.test(text) || text.startsWith("github:")) {
    return refusal(
      "for SSH keys, use the age program: reprise export REF --format jsonl --out - | " +
        "age -R ~/.ssh/id_ed25519.pub -o FILE.age",
    );
  }
  if (/^age1/i.test(text) && text !== text.toLowerCase()) {
    return refusal(`a recipient (public key) must be in lower case: ${shown(text)}`);
  }
  if (PLUGIN.test(text)) {
    return refusal(
      `the recipient ${shown(text)} needs an age plugin, so encrypt with the age program: ` +
        "reprise export REF --format jsonl --out - | age -r RECIPIENT -o FILE.age",
    );
  }
  return refusal(`this is not a recipient (a public key that begins with age1): ${shown(text)}`);
}

/**
 * Checks recipients that were typed or configured: X25519 (`age1…`), post-quantum (`age1pq1…`), and
 * hardware keys (`age1tag1…`).
 *
 * @param texts The recipients. Spaces around each are ignored.
 * @returns The recipients without spaces around them, each once.
 * @throws {SessionError} `invalid-key` that names the first text that is not a recipient, and the
 * reason.
 */
export async function checkRecipients(texts: readonly string[]): Promise<string[]> {
  const { Encrypter } = await loadAge();
  const found = [...new Set(texts.map((text) => text.trim()))];
  for (const text of found) {
    if (!KNOWN.test(text)) throw unlike(text);
    try {
      new Encrypter().addRecipient(text);
    } catch (error) {
      const reason =
        "a character of this recipient (public key) is wrong or missing; copy the key again";
      throw refusal(`${reason}: ${shown(text)}`, error);
    }
  }
  return found;
}
