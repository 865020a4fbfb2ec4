/**
 * Makes the title that `/rename` of Claude Code (2.1.330) appends to a session. A client repeats the
 * title that it knows, so one that has the session open would write over another.
 */
import type { NativeTitles } from "../contract/native_title.ts";

export const claudeTitles: NativeTitles = {
  lineOf: ({ path, id }, title) => {
    const record = { type: "custom-title", customTitle: title, sessionId: id };
    return Promise.resolve({ path, line: JSON.stringify(record) });
  },
};
