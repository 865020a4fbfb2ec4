/** Tells from the last records whether Claude Code was stopped within a turn, and its last error. */
import { byteSearch } from "../../core/log/json_bytes/byte_search.ts";
import type { Line } from "../../core/log/line_splitter.ts";
import { excerpt } from "../../core/projection/excerpt.ts";
import { asObject, type Json } from "../engine/json.ts";
import { parseRecords, type SourceRecord } from "../engine/records/source_record.ts";
import { blocksOf, plainText } from "../engine/events/anthropic_blocks.ts";
import { noticeOf } from "./notices.ts";
import { INTERRUPTED, isWrapped } from "./user_events.ts";

const MOST_RECORDS = 64;

/** True if the last meaningful record leaves a turn open. `records` runs from last to first. */
export function endsOpen(records: Iterable<Json | undefined>): boolean {
  let looked = 0;
  for (const value of records) {
    const open = value === undefined ? undefined : leavesOpen(value);
    if (open !== undefined) return open;
    if (++looked === MOST_RECORDS) break;
  }
  return false;
}

/**
 * True if the turn continues after a record. Undefined if the record says nothing about the turn.
 */
function leavesOpen(
  { type, message, isMeta, isCompactSummary }: Json,
): boolean | undefined {
  const { content } = asObject(message);
  const has = (kind: string): boolean => blocksOf(content).some(({ type }) => type === kind);
  // A thought without a text after it is the beginning of an answer.
  if (type === "assistant") return has("tool_use") || !has("text");
  if (type !== "user" || isMeta === true || isCompactSummary === true) return undefined;
  return has("tool_result") || !isWrapped(plainText(content)) ? true : undefined;
}

/**
 * Byte searches. Each line with an error, an answer or an interruption matches at least one. The
 * last search finds lines with escaped letters.
 */
const MARKS = [
  ...['"api_error"', '"isApiErrorMessage"', '"assistant"'],
  ...["[Request interrupted by", "\\u00"],
].map(byteSearch);

/** Returns the last error's text in `lines`. Undefined if an answer or interruption follows it. */
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
      if (value.isSidechain === true) continue;
      if (said) return excerpt(said);
      if (said === undefined && settles(value)) return undefined;
    }
  }
  return undefined;
}

function settles({ type, message }: Json): boolean {
  const { content } = asObject(message);
  if (type === "user") return INTERRUPTED.test(plainText(content));
  if (type !== "assistant") return false;
  return plainText(content) !== "" || blocksOf(content).some(({ type }) => type === "tool_use");
}
