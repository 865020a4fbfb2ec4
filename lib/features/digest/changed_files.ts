/** Finds the files that sessions changed in a timespan. */
import type { SessionEntry } from "../../library/query/query.ts";
import type { RecordedEdit } from "../../library/touches/edit.ts";
import { placeOf } from "../../library/touches/find_touches.ts";
import {
  changesOf,
  type ChangesOptions,
  readEdits,
} from "../../library/touches/session_changes.ts";
import { isWithin, type Timespan } from "./timespan.ts";

/** Returns the paths of each session's changed files, sorted. Sessions without any are absent. */
export async function changedFiles(
  entries: readonly SessionEntry[],
  timespan: Timespan,
  options: ChangesOptions,
): Promise<Map<SessionEntry, string[]>> {
  const found = new Map<SessionEntry, string[]>();
  const real = new Map<string, string>();
  const end = timespan.until?.getTime() ?? Infinity;
  for await (const { entry, touches, edits } of changesOf(entries, { names: [] }, options)) {
    if (touches.every(({ last = 0 }) => last < timespan.since.getTime())) continue;
    // A file that was changed after the end may have been changed before it, too.
    const is_later = touches.some(({ last = 0 }) => last > end);
    const changes: readonly Pick<RecordedEdit, "path" | "cwd">[] = is_later
      ? (edits ?? await readEdits(entry.session)).filter(({ time }) => isWithin(timespan, time))
      : touches.filter(({ last = 0 }) => isWithin(timespan, last));
    const files = new Set(
      changes.map((change) => placeOf(change, entry.cwd, real) ?? change.path),
    );
    if (files.size > 0) found.set(entry, [...files].sort());
  }
  return found;
}
