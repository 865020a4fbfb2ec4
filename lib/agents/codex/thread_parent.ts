/** Reads which thread started the one in a rollout. */
import { SessionError } from "../../event/session_error.ts";
import { openRegularFile } from "../../file/regular_file.ts";
import { toSessionError } from "../../log/io_error.ts";
import { byteSearch } from "../../log/json_bytes/byte_search.ts";
import { isNotFound, isPermissionDenied } from "../../platform/system_error.ts";
import { readRolloutHead } from "./rollout_file.ts";
import { rolloutForm } from "./rollout_files.ts";
import { spawnedBy } from "./session_head.ts";

/** Bytes in which the head says what started a thread: before all instructions. */
const HEAD_BYTES = 4096;
const findSubagent = byteSearch('"subagent"');
const room = new Uint8Array(HEAD_BYTES);

/** Id of the thread that started the one in a file; null where none did. */
export async function readParent(path: string): Promise<string | null> {
  if (!mayBeSpawned(path)) return null;
  const meta = await readRolloutHead(path);
  return meta === undefined ? null : spawnedBy(meta.payload)?.toLowerCase() ?? null;
}

/** True if the first bytes may say so: nearly all threads are not parsed. */
function mayBeSpawned(path: string): boolean {
  if (rolloutForm(path) !== "lines") return rolloutForm(path) === "compressed";
  try {
    using file = openRegularFile(path).file;
    const count = file.readSync(room) ?? 0;
    return findSubagent(room, 0, count) >= 0;
  } catch (error) {
    // Gone since, locked, or no file: whoever reads it says so.
    if (error instanceof SessionError) return false;
    if (isNotFound(error)) return false;
    if (isPermissionDenied(error)) return false;
    throw toSessionError(error, "read session", path);
  }
}
