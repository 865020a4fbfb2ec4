/** The files from which secrets are scrubbed, and how each file is read and written. */
import * as zlib from "node:zlib";
import { basename } from "node:path";
import { hasZstd } from "../../../core/file/framed_file.ts";
import { isObject } from "../../../core/event/guard.ts";
import { SessionError } from "../../../core/event/session_error.ts";
import { readShortFile } from "../../../core/file/short_file.ts";
import type { FileInfo } from "../../../core/platform/file_system.ts";
import { lstatSync } from "../../../core/platform/files.ts";
import type { ScrubbedBytes, ScrubbedFile } from "../../../library/machine/kept/scrubbed_copies.ts";
import { scrubBytes, type ScrubValue } from "./scrub_bytes.ts";

/** Maximum bytes of a file, because the file is held in memory as text. */
const MOST_BYTES = 400 * 1024 * 1024;
/** Compression window that every agent with compressed sessions can read, as a power of two. */
const WINDOW_LOG = 23;

export function infoOf(path: string): FileInfo | undefined {
  try {
    const info = lstatSync(path);
    return info.isFile ? info : undefined;
  } catch {
    // Missing, or not readable.
    return undefined;
  }
}

export async function bytesOf({ path, read }: ScrubbedFile): Promise<Uint8Array> {
  return read === undefined
    ? readShortFile(path, MOST_BYTES, { what: "session file" })
    : await read();
}

/** True if an agent compressed the file. False for a file with `read`, which gives plain bytes. */
function isCompressed({ path, read }: ScrubbedFile): boolean {
  return read === undefined && path.endsWith(".zst") && hasZstd;
}

export function scrubFile(
  file: ScrubbedFile,
  bytes: Uint8Array,
  scrub: ScrubValue,
): ScrubbedBytes | undefined {
  if (!isCompressed(file)) return scrubBytes(bytes, scrub);
  const plain = decompressed(bytes, file.path);
  const scrubbed = scrubBytes(plain, scrub);
  if (scrubbed === undefined) return undefined;
  const params = { [zlib.constants.ZSTD_c_windowLog]: WINDOW_LOG };
  const made = zlib.zstdCompressSync(scrubbed.bytes, { params });
  return { bytes: made, offset: () => made.length };
}

function decompressed(bytes: Uint8Array, path: string): Uint8Array {
  try {
    return zlib.zstdDecompressSync(bytes, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    const message = `Cannot decompress file: it is damaged or too long: ${path}`;
    throw new SessionError("damaged", message, { path }, error);
  }
}

/**
 * Returns the function that scrubs the values of a file. In a shared file, only records that name
 * the session are scrubbed fully. Other records lose only known secrets.
 */
export function scrubOf(
  { shared }: ScrubbedFile,
  id: string,
  { full, known }: { full: ScrubValue; known: ScrubValue },
): ScrubValue {
  if (!shared) return full;
  const one: ScrubValue = (value) =>
    isObject(value) && JSON.stringify(value).includes(id) ? full(value) : known(value);
  return (value) => {
    if (!Array.isArray(value)) return one(value);
    const items = value.map(one);
    return items.every((item, index) => item === value[index]) ? value : items;
  };
}

/** True for a lock file, or for a draft that a scrub wrote. */
export function isLockFile(path: string): boolean {
  return /^(?:lock|lock\.json|.*\.reprise-scrub\.tmp)$/.test(basename(path));
}
