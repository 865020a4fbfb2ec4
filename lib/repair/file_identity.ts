/** Tells whether a file is still the one that was read. */
import { createHash } from "node:crypto";
import { SessionError } from "../event/session_error.ts";
import { byteSource } from "../log/byte_source.ts";
import { toSessionError } from "../log/io_error.ts";
import type { FileInfo } from "../platform/file_system.ts";
import { lstatSync } from "../platform/files.ts";

/**
 * Looks at a file that is to be replaced.
 *
 * @throws {SessionError} `unsupported-source` where another file would be changed than the one that is
 * named; `not-found`, `permission`, `io`
 */
export function regularFile(path: string): FileInfo {
  const info = infoOf(path);
  if (info.isFile) return info;
  const kind = info.isSymlink
    ? "it is a link; name the file that it leads to"
    : "it is not a regular file";
  throw new SessionError("unsupported-source", `Cannot change session: ${kind}: ${path}`, { path });
}

function infoOf(path: string): FileInfo {
  try {
    return lstatSync(path);
  } catch (error) {
    throw toSessionError(error, "look at session", path);
  }
}

/**
 * Makes sure that a file is still the one that was looked at.
 *
 * @throws {SessionError} `locked` where it changed.
 */
export function checkSame(path: string, before: FileInfo): void {
  if (isSame(infoOf(path), before)) return;
  const message = `Cannot change session: it changed while it was read; try again: ${path}`;
  throw new SessionError("locked", message, { path });
}

/** True for the same file with the same content, as far as the system tells. */
export function isSame(one: FileInfo, other: FileInfo): boolean {
  return one.size === other.size && one.mtime?.getTime() === other.mtime?.getTime() &&
    one.ino === other.ino && one.dev === other.dev;
}

/** SHA-256 of a file in hexadecimal. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash("sha256");
  const { readable, recycle } = byteSource(path);
  for await (const chunk of readable) {
    hash.update(chunk);
    recycle(chunk);
  }
  return hash.digest("hex");
}
