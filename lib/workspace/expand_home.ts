/** Expands the home in a path that a user or a variable names. */

/** Returns a path in which `~` at the start is the home. */
export function expandHome(path: string, home: string): string {
  return path === "~" ? home : path.replace(/^~[/\\]/, `${home}/`);
}
