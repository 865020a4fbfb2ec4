import { dirname, join } from "node:path";

/** Returns the path of the list of sessions beside a session. It has their start times. */
export function sessionList(path: string): string {
  return join(dirname(path), "sessions.json");
}
