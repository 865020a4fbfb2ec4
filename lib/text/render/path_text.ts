/** Directories and paths as a person reads them. */
import { sanitizeLine } from "./sanitize.ts";

/** Writes a directory on one line, with `~` for the home directory. `-` if it is unknown. */
export function directoryText(cwd: string | undefined, home: string | undefined): string {
  if (cwd === undefined) return "-";
  const root = home?.replace(/[\\/]$/, "");
  if (!root || !cwd.startsWith(root)) return sanitizeLine(cwd);
  const rest = cwd.slice(root.length);
  return rest === "" || /^[\\/]/.test(rest) ? `~${sanitizeLine(rest)}` : sanitizeLine(cwd);
}

/** Returns the path relative to a directory, or the path itself if it lies elsewhere. */
export function relativePath(path: string, cwd: string | undefined): string {
  const root = cwd?.replace(/(?<![\\/])[\\/]+$/, "");
  if (!root || !path.startsWith(root)) return path;
  const rest = path.slice(root.length);
  if (rest === "") return ".";
  return /^[\\/]./.test(rest) ? rest.slice(1) : path;
}

export function languageOf(path: unknown): string | undefined {
  if (typeof path !== "string") return undefined;
  return /\.([A-Za-z0-9]{1,12})$/.exec(path)?.[1]?.toLowerCase();
}
