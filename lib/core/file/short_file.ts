/** Reads short files, such as settings, as a whole. Refuses files over a maximum size. */
import { openRegularFile, type OpenRegularOptions, refusedFile } from "./regular_file.ts";

/** Maximum bytes of a settings file. People write it by hand, so it is short. */
export const SETTINGS_BYTES = 1024 * 1024;

/** Maximum bytes of a file that programs write as one document or as a list. */
export const RECORDS_BYTES = 64 * 1024 * 1024;

/**
 * Reads a short regular file. A pipe, a device or a folder is refused before it is opened. A longer
 * file is refused before it is read.
 *
 * @param path The file. Links are followed, unless the options say otherwise.
 * @param most_bytes Maximum size of the file in bytes.
 * @param options Whether to follow a link.
 * @returns All bytes of the file.
 * @throws {SessionError} `unsupported-source` if the path is no regular file, or the file is too
 * long. The code is `unsafe-store` if `follow` is false. Other errors of the system are thrown
 * unchanged.
 */
export function readShortFile(
  path: string,
  most_bytes: number,
  options: OpenRegularOptions = {},
): Uint8Array {
  const { file, info } = openRegularFile(path, options);
  try {
    if (info.size > most_bytes) {
      throw refusedFile(`the file is longer than ${most_bytes} bytes`, path, options);
    }
    // One extra byte shows if the file is longer than its size: it may grow, or report size 0.
    let bytes = new Uint8Array(info.size + 1);
    let filled = 0;
    for (;;) {
      const count = file.readSync(bytes.subarray(filled));
      if (count === null) return bytes.subarray(0, filled);
      filled += count;
      if (filled > most_bytes) {
        throw refusedFile(`the file is longer than ${most_bytes} bytes`, path, options);
      }
      if (filled === bytes.length) bytes = longer(bytes, most_bytes);
    }
  } finally {
    file.close();
  }
}

const LEAST_BYTES = 4096;

function longer(bytes: Uint8Array<ArrayBuffer>, most_bytes: number): Uint8Array<ArrayBuffer> {
  const size = Math.min(Math.max(2 * bytes.length, LEAST_BYTES), most_bytes + 1);
  const larger = new Uint8Array(size);
  larger.set(bytes);
  return larger;
}

const decoder = new TextDecoder();

export function readShortText(
  path: string,
  most_bytes: number,
  options: OpenRegularOptions = {},
): string {
  return decoder.decode(readShortFile(path, most_bytes, options));
}

export function shortTextIn(
  path: string,
  most_bytes: number,
  options?: OpenRegularOptions,
): string | undefined {
  try {
    return readShortText(path, most_bytes, options);
  } catch {
    return undefined;
  }
}
