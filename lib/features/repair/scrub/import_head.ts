/** Updates an import's first event, which names the size and hash of the imported source. */
import { basename, dirname } from "node:path";
import { isObject } from "../../../core/event/guard.ts";
import { sha256 } from "../../../core/event/sha256.ts";
import { LOG_FILE } from "../../../core/store/session_folder.ts";
import type { ScrubbedBytes, ScrubbedFile } from "../../../library/machine/kept/scrubbed_copies.ts";
import type { ScrubValue } from "./scrub_bytes.ts";

export function isImportLog({ path, group }: ScrubbedFile): boolean {
  return basename(path) === LOG_FILE && dirname(path) === group;
}

/**
 * Returns a function that updates the source's size and hash in the first event of an import. With
 * the old values, lists would show both the import and its source. A first event that describes
 * another version of the source stays as it is.
 */
export function describeSource(before: Uint8Array, after: ScrubbedBytes): ScrubValue {
  return (event) => {
    if (!isObject(event) || event.kind !== "session_started") return event;
    const { payload } = event;
    const origin = isObject(payload) ? payload.imported_from : undefined;
    if (!isObject(payload) || !isObject(origin)) return event;
    const { bytes } = origin;
    const is_same = typeof bytes === "number" && bytes <= before.length &&
      origin.sha256 === sha256(before.subarray(0, bytes));
    if (!is_same) return event;
    const length = after.offset(bytes);
    const hash = sha256(after.bytes.subarray(0, length));
    const imported_from = { ...origin, bytes: length, sha256: hash };
    return { ...event, payload: { ...payload, imported_from } };
  };
}
