/**
 * Makes the title record that `/rename` of Claude Code (2.1.330) appends to a session. A client
 * that has the session open writes the title that it knows again. This title would override any
 * other.
 */
import type { NativeTitles } from "../contract/native_title.ts";

export const claudeTitles: NativeTitles = {
  lineOf: ({ path, id }, title) => {
    const record = { type: "custom-title", customTitle: title, sessionId: id };
    return Promise.resolve({ path, line: JSON.stringify(record) });
  },
};
