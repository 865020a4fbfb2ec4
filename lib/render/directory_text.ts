import { sanitizeLine } from "./sanitize.ts";

/** A directory on one line, `~` for the home directory; `-` where it is not known. */
export function directoryText(cwd: string | undefined, home: string | undefined): string {
  if (cwd === undefined) return "-";
  const root = home?.replace(/[\\/]$/, "");
  if (!root || !cwd.startsWith(root)) return sanitizeLine(cwd);
  const rest = cwd.slice(root.length);
  return rest === "" || /^[\\/]/.test(rest) ? `~${sanitizeLine(rest)}` : sanitizeLine(cwd);
}
