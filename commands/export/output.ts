/** Writes an export to stdout or to a file. After an error, no partial file remains. */
import { resolve } from "node:path";
import { draftPath } from "../../lib/core/file/draft_file.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { toSessionError } from "../../lib/core/log/io_error.ts";
import { writeWhole } from "../../lib/core/log/write_whole.ts";
import type { FileInfo } from "../../lib/core/platform/file_system.ts";
import {
  lstatSync,
  openSync,
  removeSync,
  renameSync,
  statSync,
} from "../../lib/core/platform/files.ts";
import { isNotFound } from "../../lib/core/platform/system_error.ts";
import type { Context } from "../_context.ts";

const FILE_EXISTS = "the file exists; to replace it, add --force";

export interface ExportOutput {
  write(text: string): void;
  writeBytes(bytes: Uint8Array): void;
  /** Writes one page into a folder of pages. Absent if the output is always one file. */
  page?(name: string, text: string): void;
  /** The output's path for messages. Absent for stdout. */
  written?: string | undefined;
  /** Resolves when all written bytes are sent. Absent if each write sends its bytes at once. */
  drain?(): Promise<void>;
  commit(): void | Promise<void>;
  /** Closes the output. Removes the file if it is not committed. */
  discard(): void;
}

/**
 * Opens the output of an export.
 *
 * @param out The file to make. Without it, the output is stdout.
 * @param force True if an existing file may be replaced.
 * @throws {SessionError} `io` if the file exists or the path is not a regular file, `permission`,
 * `disk-full`
 */
export function openExport(
  context: Context,
  out: string | undefined,
  force: boolean,
): ExportOutput {
  if (out !== undefined) return { ...fileOutput(resolve(context.cwd, out), force), written: out };
  const { stdout } = context;
  return {
    write: (text) => stdout.write(text),
    writeBytes: (bytes) => stdout.writeBytes(bytes),
    commit: () => {},
    discard: () => {},
  };
}

function fileOutput(path: string, force: boolean): ExportOutput {
  assertReplaceable(path);
  if (!force) assertFree(path, FILE_EXISTS);
  const draft = draftPath(path);
  const encoder = new TextEncoder();
  const file = guarded(
    path,
    () => openSync(draft, { write: true, createNew: true, mode: 0o600 }),
  );
  function writeBytes(bytes: Uint8Array): void {
    guarded(path, () => writeWhole(file, bytes));
  }
  return {
    writeBytes,
    write: (text) => writeBytes(encoder.encode(text)),
    commit(): void {
      guarded(path, () => file.syncSync());
      file.close();
      if (!force) assertFree(path, FILE_EXISTS);
      guarded(path, () => renameSync(draft, path));
    },
    discard(): void {
      try {
        file.close();
      } catch {
        // It is already closed.
      }
      try {
        removeSync(draft);
      } catch {
        // It was renamed, or is gone.
      }
    },
  };
}

export function guarded<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw toSessionError(error, "write export", path);
  }
}

/** Throws `io` for a folder, a device or a pipe, because the exported file would replace it. */
function assertReplaceable(path: string): void {
  let info: FileInfo;
  try {
    info = statSync(path);
  } catch (error) {
    if (isNotFound(error)) return;
    throw toSessionError(error, "write export", path);
  }
  if (info.isFile) return;
  const reason = info.isDirectory
    ? "the path is a directory; name a file in it"
    : "the path is not a regular file; leave out --out and redirect stdout";
  throw new SessionError("io", `Cannot write export: ${reason}: ${path}`, { path });
}

/**
 * Throws if a path exists, even as a broken link.
 *
 * @param reason The problem and the remedy, for the message.
 */
export function assertFree(path: string, reason: string): void {
  try {
    lstatSync(path);
  } catch (error) {
    if (isNotFound(error)) return;
    throw toSessionError(error, "write export", path);
  }
  throw new SessionError("io", `Cannot write export: ${reason}: ${path}`, { path });
}
