/** Turns addresses of files into paths. */
import { fileURLToPath } from "node:url";

/**
 * Returns the path in an address of a file, also on another machine, such as
 * `vscode-remote://wsl%2Bubuntu/app`. Undefined for any other text.
 */
export function pathInUrl(address: unknown): string | undefined {
  if (typeof address !== "string") return undefined;
  const [, encoded] = /^[a-z][a-z0-9+.-]*:\/\/[^/]*(\/.*)$/i.exec(address) ?? [];
  if (encoded === undefined) return undefined;
  try {
    if (address.startsWith("file:")) return fileURLToPath(address);
    return decodeURIComponent(encoded);
  } catch {
    // TypeError: of another machine. URIError: a bare percent sign.
    return encoded;
  }
}
