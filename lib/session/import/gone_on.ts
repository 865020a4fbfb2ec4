/**
 * Whether somebody went on with a kept session: its log says more than when it was kept.
 */
import { checkLine } from "../../event/checksum.ts";
import { readLinePrefix } from "../../event/line_prefix.ts";
import { toSessionError } from "../../log/io_error.ts";
import { splitChunk, startSplit } from "../../log/line_splitter.ts";
import { readWhole } from "../../log/read_whole.ts";
import type { KeptManifest } from "./kept_source.ts";

/** What is written to put a session away and to take it back, as `keep` itself does. */
const ARCHIVING: ReadonlySet<string> = new Set(["session_archived", "session_checkpoint"]);
/** Nobody puts a session away so often that this is not enough. */
const MOST_BYTES = 64 * 1024;

/**
 * Whether the log of a kept session has more than what was kept, and was done to archive it.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`
 */
export function isGoneOnWith(path: string, { log_bytes }: KeptManifest): boolean {
  try {
    using file = Deno.openSync(path, { read: true });
    const more = file.statSync().size - log_bytes;
    if (more === 0) return false;
    if (more < 0 || more > MOST_BYTES) return true;
    file.seekSync(log_bytes, Deno.SeekMode.Start);
    return !isArchiving(readWhole(file, new Uint8Array(more)));
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}

/** Whether bytes are whole lines, as they were written, and none says anything else. */
function isArchiving(bytes: Uint8Array): boolean {
  const split = startSplit();
  const lines = splitChunk(split, bytes);
  return split.carried === 0 && lines.every((line) =>
    checkLine(line.bytes) === "verified" &&
    ARCHIVING.has(readLinePrefix(line.bytes)?.kind ?? "")
  );
}
