/**
 * Recognizes records of iFlow CLI (0.5). In these records, a prompt is the parent of all its
 * answers.
 */
import {
  fieldIs,
  fieldNames,
  type FieldSpans,
  fieldStart,
  findFields,
} from "../../../core/log/json_bytes/find_fields.ts";
import { asObject, asText } from "../../engine/json.ts";
import { blocksOf, plainText } from "../../engine/events/anthropic_blocks.ts";
import type { SourceRecord } from "../../engine/records/source_record.ts";
import { LINK } from "../../engine/tree/record_index.ts";
import type { ClaudeIndex } from "./claude_record.ts";

/** Prefix of a session id in the records of iFlow CLI. */
const FLAT_ID = "session-";
/**
 * First bytes of a session id of iFlow CLI in JSON, as a quick test. Session ids of Claude Code
 * begin with a hex digit.
 */
const FLAT_MARK = '"s';
const ESCAPED = '"\\';
const SESSION_ID = fieldNames("sessionId");

/** True for a record that iFlow CLI wrote. Its session id begins with `FLAT_ID`. */
export function isFlat({ sessionId, isSidechain }: SourceRecord["value"]): boolean {
  return isSidechain !== true && asText(sessionId)?.startsWith(FLAT_ID) === true;
}

/**
 * True if a line may be a record of iFlow CLI.
 *
 * @param spans Fields of the line.
 * @param at Index of the field `sessionId` in `spans`.
 */
export function mayBeFlat(bytes: Uint8Array, spans: FieldSpans, at: number): boolean {
  const [found, id] = fieldStart(spans, at) >= 0 ? [spans, at] : [findFields(bytes, SESSION_ID), 0];
  return fieldIs(bytes, found, id, FLAT_MARK) || fieldIs(bytes, found, id, ESCAPED);
}

/**
 * Flags the previous record with `LINK` if the new record repeats its text. iFlow CLI writes a
 * growing answer again.
 */
export function linkGrown(
  { head, count, flags }: ClaudeIndex,
  { type, message }: SourceRecord["value"],
): void {
  const blocks = blocksOf(asObject(message).content);
  const text = plainText(blocks);
  const { grown } = head;
  const is_more = type === "assistant" && grown?.row === count - 1 && text.startsWith(grown.text);
  if (is_more) flags[grown.row] = (flags[grown.row] as number) | LINK;
  const is_text = type === "assistant" && text !== "" && blocks.every((one) => one.type === "text");
  head.grown = is_text ? { row: count, text } : undefined;
}
