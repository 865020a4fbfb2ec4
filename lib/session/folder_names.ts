/**
 * The names of the folders in a folder.
 */
import { toSessionError } from "../log/io_error.ts";

/** In the order of the system; links are none. Of a folder that is not there, none. */
export function folderNames(path: string): string[] {
  try {
    return [...Deno.readDirSync(path)].filter((entry) => entry.isDirectory).map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return [];
    }
    throw toSessionError(error, "list sessions", path);
  }
}
