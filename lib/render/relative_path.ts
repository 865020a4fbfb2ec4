/** Writes paths as they are seen from the session's directory. */

/** The path below a directory; the path itself where it lies elsewhere. */
export function relativePath(path: string, cwd: string | undefined): string {
  const root = cwd?.replace(/[\\/]+$/, "");
  if (!root || !path.startsWith(root)) return path;
  const rest = path.slice(root.length);
  if (rest === "") return ".";
  return /^[\\/]./.test(rest) ? rest.slice(1) : path;
}
