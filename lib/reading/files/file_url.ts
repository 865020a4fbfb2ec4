/** Turns addresses of files into paths. */
import { fileURLToPath } from "node:url";

/** Returns the path in a `file:` address; undefined for any other text. */
export function pathInUrl(address: unknown): string | undefined {
  if (typeof address !== "string" || !address.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(address);
  } catch {
    // TypeError: of another machine, or malformed.
    return undefined;
  }
}
