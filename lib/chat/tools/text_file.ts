/**
 * Text files as the tools read and change them.
 */
import { lstat, readFile, stat } from "../../platform/files.ts";
import { isNotFound } from "../../platform/system_error.ts";
import { InvalidInput } from "./tool_input.ts";

/** A larger file is not changed: the whole of it is held in memory. */
const MAX_BYTES = 8 * 1024 * 1024;

/**
 * The text of a file.
 *
 * @throws {InvalidInput} When it cannot be changed without harm: too large, or no UTF-8.
 */
export async function readTextFile(path: string, shown: string): Promise<string> {
  const { size, isFile } = await stat(path).catch((error) => notRead(error, shown));
  if (!isFile) throw new InvalidInput(`Cannot change file: it is no regular file: ${shown}`);
  if (size > MAX_BYTES) throw new InvalidInput(`Cannot change file: it is too large: ${shown}`);
  const bytes = await readFile(path).catch((error) => notRead(error, shown));
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    // Decoded otherwise, what is no UTF-8 would be written back as something else.
    throw new InvalidInput(`Cannot change file: it is not UTF-8 text: ${shown}`);
  }
}

/** The same, or undefined where there is no file. */
export async function readIfThere(path: string, shown: string): Promise<string | undefined> {
  try {
    await lstat(path);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    notRead(error, shown);
  }
  return await readTextFile(path, shown);
}

/** Says in words why a file cannot be read. */
export function notRead(error: unknown, shown: string): never {
  if (isNotFound(error)) {
    throw new InvalidInput(`Cannot read file: it does not exist: ${shown}`);
  }
  const reason = error instanceof Error ? error.message : String(error);
  throw new InvalidInput(`Cannot read file: ${reason}`);
}
