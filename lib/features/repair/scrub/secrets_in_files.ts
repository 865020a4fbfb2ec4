/** Finds secrets of a session that are in its files, but in none of its events. */
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import type { Redactor } from "../../../text/redaction/redactor.ts";
import { bytesOf, infoOf, isLockFile, scrubFile } from "./scrubbed_file.ts";

/**
 * Searches the files of another agent's session for secrets. The files have more than the events:
 * records that later records replaced, and outputs of tools.
 *
 * @param redactor Knows the secrets of the events, and reports each place of a secret.
 * @param onFile Gets the path of each file before the file is searched.
 * @throws {SessionError} `permission`, `io`; `damaged` if a file cannot be unpacked.
 */
export async function findInFiles(
  handle: SessionHandle,
  redactor: Redactor,
  onFile: (path: string) => void,
): Promise<void> {
  // A log of Reprise has only its events.
  if (handle.log !== undefined) return;
  for (const path of await handle.files()) {
    if (infoOf(path) === undefined || isLockFile(path)) continue;
    onFile(path);
    const file = { path, shared: false };
    scrubFile(file, await bytesOf(file), (value) => (redactor.value(value, ""), value));
  }
}
