/** Reads and writes identity files (private keys). A file that other users can read is refused. */
import { SessionError } from "../../core/event/session_error.ts";
import { isThere } from "../../core/file/presence.ts";
import { readShortFile } from "../../core/file/short_file.ts";
import { toSessionError } from "../../core/log/io_error.ts";
import { writeWhole } from "../../core/log/write_whole.ts";
import { othersMay } from "../../core/platform/file_mode.ts";
import { openSync, removeSync, statSync } from "../../core/platform/files.ts";
import { parseIdentities, recipientOf } from "./keys.ts";
import { isSealed } from "./sealed_form.ts";

const MOST_BYTES = 64 * 1024;

function refused(reason: string, path: string): SessionError {
  return new SessionError("invalid-key", `Cannot use identity: ${reason}: ${path}`, { path });
}

function assertPrivate(path: string): void {
  const { mode, isFile } = statSync(path);
  if (!isFile) {
    throw refused(
      "the path is not a file; to use a key that a program prints, set encrypt.key_command",
      path,
    );
  }
  if (othersMay("anything", mode)) {
    throw refused("other users can read the file; make it private: chmod 600", path);
  }
}

/**
 * Reads a file of identities, as `age-keygen` and {@linkcode writeIdentityFile} write it.
 *
 * @param path The file. Only its owner may have access to it, except on Windows.
 * @returns At least one identity.
 * @throws {SessionError} `invalid-key` if other users have access to it or it holds no identity,
 * `not-found`, `permission`, `io`. No message repeats the file's text.
 */
export async function readIdentityFile(path: string): Promise<string[]> {
  let bytes: Uint8Array;
  try {
    assertPrivate(path);
    bytes = readShortFile(path, MOST_BYTES, { what: "identity" });
  } catch (error) {
    throw toSessionError(error, "read identity", path);
  }
  if (isSealed(bytes)) {
    throw refused(
      "the identity file is itself encrypted; decrypt it first: age -d -o KEYFILE",
      path,
    );
  }
  return await parseIdentities(new TextDecoder().decode(bytes), `identity ${path}`);
}

/**
 * Writes a new file with one identity, which only its owner can read (mode 0600). An existing file
 * is never overwritten.
 *
 * @param path The file to make.
 * @param identity The secret key.
 * @param created_at Time that the file states as the key's creation time.
 * @returns The identity's recipient.
 * @throws {SessionError} `io` if the file exists, `invalid-key`, `not-found`, `permission`,
 * `disk-full`.
 */
export async function writeIdentityFile(
  path: string,
  identity: string,
  created_at: Date,
): Promise<string> {
  const recipient = await recipientOf(identity);
  const text = `# created: ${created_at.toISOString()}\n# public key: ${recipient}\n${identity}\n`;
  let file: ReturnType<typeof openSync>;
  try {
    file = openSync(path, { write: true, createNew: true, mode: 0o600 });
  } catch (error) {
    throw isThere(path)
      ? new SessionError(
        "io",
        `Cannot write identity (private key): a file with this name already exists: ${path}`,
        { path },
        error,
      )
      : toSessionError(error, "write identity", path);
  }
  try {
    writeWhole(file, new TextEncoder().encode(text));
    file.syncSync();
  } catch (error) {
    // A key that was cut off opens nothing.
    removeSync(path);
    throw toSessionError(error, "write identity", path);
  } finally {
    file.close();
  }
  return recipient;
}
