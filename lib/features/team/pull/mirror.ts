/** Reads and writes the mirror: the copies of sessions that were pulled, and a note beside each. */
import { dirname, join } from "node:path";
import { fields, list, parsedAs, text, whole } from "../../../core/event/guard.ts";
import { draftPath } from "../../../core/file/draft_file.ts";
import { removeQuietly } from "../../../core/file/remove_quietly.ts";
import { RECORDS_BYTES, shortTextIn } from "../../../core/file/short_file.ts";
import { toSessionError } from "../../../core/log/io_error.ts";
import { openOwnFile } from "../../../core/log/own_file.ts";
import { writeWhole } from "../../../core/log/write_whole.ts";
import { openSync, renameSync } from "../../../core/platform/files.ts";
import { makeDirectories } from "../../../core/store/create_log.ts";
import {
  MIRROR_NOTE,
  mirrorDirectory,
  type MirroredSession,
  mirrorLog,
  remoteDirectory,
} from "../../../core/store/remote_mirror.ts";
import { assertOwnFolder } from "../../../core/store/store_safety.ts";
import { replaceRecord } from "../state/sync_state.ts";

export interface MirrorNote {
  project: string;
  device: string;
  /** The machine's name, for people. */
  machine: string;
  /** The names of the parts that the file has, in their order. */
  parts: string[];
  /** Bytes of the file after the last finished pull. A killed pull may have appended more. */
  bytes: number;
  /** Time of the last part, in seconds since 1970. */
  at: number;
}

const NOTE = fields({
  ...{ project: text, device: text, machine: text, parts: list(text) },
  ...{ bytes: whole(0), at: whole(0) },
});

function notePath(root: string, shared: MirroredSession): string {
  return join(mirrorDirectory(root, shared), MIRROR_NOTE);
}

export function readMirrorNote(root: string, shared: MirroredSession): MirrorNote | undefined {
  return parsedAs(shortTextIn(notePath(root, shared), RECORDS_BYTES, { follow: false }), NOTE);
}

export function writeMirrorNote(root: string, shared: MirroredSession, note: MirrorNote): void {
  replaceRecord(notePath(root, shared), note);
}

/**
 * Appends pieces to the file of a pulled copy, or replaces the file in one step.
 *
 * @param from Number of bytes of the file to keep. With 0, the file is replaced after all pieces
 * were written.
 * @returns The number of written bytes. With `from` above 0, -1 if the file has another size.
 * @throws {SessionError} `permission`, `disk-full`, `unsafe-store`, `io`; the errors of reading
 * `pieces`
 */
export async function writeMirror(
  root: string,
  shared: MirroredSession,
  from: number,
  pieces: AsyncIterable<Uint8Array>,
): Promise<number> {
  const path = mirrorLog(root, shared);
  try {
    if (from > 0) return await append(path, from, pieces);
    makeDirectories(dirname(path));
    assertOwnFolder(remoteDirectory(root));
    assertOwnFolder(dirname(path));
    return await replace(path, pieces);
  } catch (error) {
    throw toSessionError(error, "write mirror", path);
  }
}

async function append(
  path: string,
  from: number,
  pieces: AsyncIterable<Uint8Array>,
): Promise<number> {
  // The parts are read first: a reader never sees half of what came.
  const all = await Array.fromAsync(pieces);
  using file = openOwnFile(path, { append: true });
  // A killed pull has written more than its note says.
  if (file.statSync().size !== from) return -1;
  for (const piece of all) writeWhole(file, piece);
  await file.sync();
  return all.reduce((sum, { length }) => sum + length, 0);
}

async function replace(path: string, pieces: AsyncIterable<Uint8Array>): Promise<number> {
  const draft = draftPath(path);
  let bytes = 0;
  try {
    using file = openSync(draft, { write: true, createNew: true, mode: 0o600 });
    for await (const piece of pieces) {
      writeWhole(file, piece);
      bytes += piece.length;
    }
    await file.sync();
    renameSync(draft, path);
    return bytes;
  } catch (error) {
    removeQuietly(draft);
    throw error;
  }
}
