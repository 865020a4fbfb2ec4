/** Returns the path of the facts beside a session: what it was forked from, its task. */
export function metaBeside(path: string): string {
  return path.replace(/\.jsonl$/, "") + ".meta.json";
}
