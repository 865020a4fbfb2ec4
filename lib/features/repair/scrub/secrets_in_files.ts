/** Finds secrets of a session that stand in its files and in none of its events. */
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import type { Redactor } from "../../../text/redaction/redactor.ts";
import { bytesOf, infoOf, isLockFile, scrubFile } from "./scrubbed_file.ts";

/**
 * Looks at the files of another agent's session. They have records that others replaced, and
 * outputs of tools.
 *
 * @param redactor Knows the secrets of the events, and reports each place.
 * @param onFile Gets the path of each file before it is looked at.
 * @throws {SessionError} `permission`, `io`; `damaged` where a file cannot be unpacked.
 */
export async function findInFiles(
  handle: SessionHandle,
  redactor: Redactor,
  onFile: (path: string) => void,
): Promise<void> {
  // The events of our own log are all that it has.
  if (handle.log !== undefined) return;
  for (const path of await handle.files()) {
    if (infoOf(path) === undefined || isLockFile(path)) continue;
    onFile(path);
    const file = { path, shared: false };
    scrubFile(file, await bytesOf(file), (value) => (redactor.value(value, ""), value));
  }
}
