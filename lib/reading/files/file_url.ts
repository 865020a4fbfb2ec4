/** Turns addresses of files into paths. */

/**
 * Returns the path in an address of a file, also on another machine, such as
 * `vscode-remote://wsl%2Bubuntu/app`. An address of Windows gives a path of Windows on every system.
 * Undefined for any other text.
 */
export function pathInUrl(address: unknown): string | undefined {
  if (typeof address !== "string") return undefined;
  const [, scheme, host = "", encoded] =
    /^([a-z][a-z0-9+.-]*):\/\/([^/]*)(\/.*)$/is.exec(address) ??
      [];
  if (encoded === undefined) return undefined;
  const path = decoded(encoded);
  if (scheme?.toLowerCase() !== "file") return path;
  if (host !== "" && host !== "localhost") return `\\\\${host}${path.replaceAll("/", "\\")}`;
  return /^\/[a-z]:/i.test(path) ? path.slice(1).replaceAll("/", "\\") : path;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A bare percent sign.
    return path;
  }
}
