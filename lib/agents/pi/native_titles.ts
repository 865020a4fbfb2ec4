/**
 * Makes the name that `/name` of pi (0.87, `appendSessionInfo`) appends to a session: an entry behind
 * its last one. A client that has the session open goes on from the entry before.
 */
import { hexDigits } from "../engine/handed/written_ids.ts";
import { lastRecords } from "../engine/sources/line_source.ts";
import type { NativeTitles } from "../contract/native_title.ts";

export const piTitles: NativeTitles = {
  lineOf: async ({ path }, title, now) => {
    const { value } = (await lastRecords(path, 1, {})).records.at(-1) ?? {};
    const parentId = value?.type === "session" ? null : value?.id;
    // Without the entry before it, all that was said would be left.
    if (parentId === undefined) return undefined;
    const entry = {
      type: "session_info",
      id: hexDigits(8),
      parentId,
      timestamp: now.toISOString(),
    };
    return { path, line: JSON.stringify({ ...entry, name: title }) };
  },
};
