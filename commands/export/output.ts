/** Writes an export to stdout, or to a file that is complete or absent. */
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
  /** Takes a page of a folder; absent if there is one file. */
  page?(name: string, text: string): void;
  /** Path of the output as it was named; absent for stdout. */
  written?: string | undefined;
  /** Resolves when the written bytes were sent; absent if they are sent at once. */
  drain?(): Promise<void>;
  commit(): void | Promise<void>;
  /** Closes the output. Removes the file unless it was finished. */
  discard(): void;
}

/**
 * Opens the output.
 *
 * @param out The file to make; stdout where it is absent.
 * @param force Whether a file that is there may be replaced.
 * @throws {SessionError} `io` when the file is there or is no file, `permission`, `disk-full`
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

/** Runs an action on a file of the export. An error names the file. */
export function guarded<Result>(path: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    throw toSessionError(error, "write export", path);
  }
}

/** Refuses a folder, a device or a pipe, because a file would replace it. */
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
 * Refuses an existing path.
 *
 * @param reason What is wrong, and what to do.
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
