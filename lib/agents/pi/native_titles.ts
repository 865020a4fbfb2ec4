/**
 * Makes the entry that pi's `/name` appends to a session (0.87, `appendSessionInfo`). Its parent is
 * the session's last entry. A client with the session open continues from that parent instead.
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
