/** Finds the last error in the last lines of a session, without reading what is before them. */
import { byteSearch } from "../../log/json_bytes/byte_search.ts";
import type { Line } from "../../log/line_splitter.ts";
import { excerpt } from "../../projection/summary.ts";
import { asObject } from "../../reading/json_value.ts";
import { parseRecords, type SourceRecord } from "../../reading/records/source_record.ts";
import { plainText } from "./content.ts";
import { noticeOf } from "./notices.ts";

const MARKS = ['"api_error"', '"isApiErrorMessage"'].map(byteSearch);

/** The text of the last error; undefined where these lines hold none. */
export function lastErrorIn(lines: readonly Line[]): string | undefined {
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] as Line;
    const { bytes } = line;
    if (!MARKS.some((find) => find(bytes, 0, bytes.length) >= 0)) continue;
    const records: SourceRecord[] = [];
    parseRecords(line, records);
    for (const { value } of records.reverse()) {
      const said = value.isApiErrorMessage === true
        ? plainText(asObject(value.message).content)
        : noticeOf(value)?.level === "error"
        ? noticeOf(value)?.text
        : undefined;
      if (said && value.isSidechain !== true) return excerpt(said);
    }
  }
  return undefined;
}
