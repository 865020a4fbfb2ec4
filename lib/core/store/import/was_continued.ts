/** Tells whether an imported session was continued: its log has events that its source lacked. */
import { dirname } from "node:path";
import { checkLine } from "../../event/checksum.ts";
import { readLinePrefix } from "../../event/line_prefix.ts";
import { openToRead } from "../../log/byte_source.ts";
import { toSessionError } from "../../log/io_error.ts";
import { splitChunk, splitRest, startSplit } from "../../log/line_splitter.ts";
import { parseEvent } from "../../log/parse_event.ts";
import { readWhole } from "../../log/read_whole.ts";
import { SeekMode } from "../../platform/file_system.ts";
import { type BackupManifest, readManifest } from "./source_copy.ts";

/** Kinds of events that are appended when a user or `backup` archives or unarchives a session. */
const ARCHIVING: ReadonlySet<string> = new Set(["session_archived", "session_checkpoint"]);
/** Maximum number of bytes to read for events about archiving. */
const MOST_BYTES = 64 * 1024;

/** Kinds of events that do not continue a session: start, close, archiving and checkpoint. */
const PASSIVE: ReadonlySet<string> = new Set([
  ...ARCHIVING,
  "session_started",
  "session_closed",
]);

/**
 * True if an imported session's log has events that its source lacked, or if this is unclear.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`
 */
export function wasContinued(path: string): boolean {
  const manifest = readManifest(dirname(path));
  return manifest === undefined ? endsInOwnEvent(path) : wasContinuedSince(path, manifest);
}

/** True if the last non-`PASSIVE` event has no source, or if the read bytes have no such event. */
function endsInOwnEvent(path: string): boolean {
  const bytes = lastBytes(path);
  const split = startSplit();
  const lines = splitChunk(split, bytes);
  const rest = splitRest(split);
  if (rest !== undefined) lines.push(rest);
  for (const line of lines.reverse()) {
    const event = parseEvent(line.bytes, checkLine(line.bytes), line);
    if (typeof event === "string" || event.form === "unparsed") continue;
    if (!PASSIVE.has(event.kind)) return event.source === undefined;
  }
  // No event near the end decides, so the import and its source are both shown.
  return true;
}

function lastBytes(path: string): Uint8Array {
  try {
    using file = openToRead(path);
    const { size } = file.statSync();
    const length = Math.min(size, MOST_BYTES);
    file.seekSync(size - length, SeekMode.Start);
    return readWhole(file, new Uint8Array(length));
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}

/**
 * True if the log of a backed-up session has more events than the backup wrote. Events about
 * archiving do not count.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`
 */
export function wasContinuedSince(path: string, { log_bytes }: BackupManifest): boolean {
  try {
    using file = openToRead(path);
    const more = file.statSync().size - log_bytes;
    if (more === 0) return false;
    if (more < 0 || more > MOST_BYTES) return true;
    file.seekSync(log_bytes, SeekMode.Start);
    return !isArchiving(readWhole(file, new Uint8Array(more)));
  } catch (error) {
    throw toSessionError(error, "read session", path);
  }
}

function isArchiving(bytes: Uint8Array): boolean {
  const split = startSplit();
  const lines = splitChunk(split, bytes);
  return split.carried === 0 && lines.every((line) =>
    checkLine(line.bytes) === "verified" &&
    ARCHIVING.has(readLinePrefix(line.bytes)?.kind ?? "")
  );
}
