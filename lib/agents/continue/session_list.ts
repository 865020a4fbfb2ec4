import { dirname, join } from "node:path";

/** Returns the path of the session list in a session's folder. It has the sessions' start times. */
export function sessionList(path: string): string {
  return join(dirname(path), "sessions.json");
}
