/** A log that is not written any more: its events are in the conversation alone. */
import type { OpenLog } from "./session_parts.ts";

/** Returns a log that keeps no line. */
export function detachedLog({ id, path }: Pick<OpenLog, "id" | "path">): OpenLog {
  const done = Promise.resolve();
  return {
    id,
    path,
    writer: { write: () => {}, sync: () => done, close: () => done },
    lock: { release: () => {} },
    named: done,
  };
}
