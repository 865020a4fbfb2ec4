/**
 * Returns the path of a session's metadata file. It names the parent of a fork and a sub-agent's
 * task.
 */
export function metaBeside(path: string): string {
  return path.replace(/\.jsonl$/, "") + ".meta.json";
}
