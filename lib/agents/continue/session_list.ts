import { dirname, join } from "node:path";

/** Returns the path of the list of sessions beside one. It has the times when they began. */
export function sessionList(path: string): string {
  return join(dirname(path), "sessions.json");
}
