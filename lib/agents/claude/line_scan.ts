/**
 * Tells a record of Claude Code by a look at both ends of its line: what stands before its content,
 * and what stands behind it.
 */
import type { Line } from "../../log/line_splitter.ts";
import {
  fieldIs,
  type FieldNames,
  fieldNames,
  type FieldSpans,
  fieldStart,
  findFields,
  findFirstFields,
  findLastFields,
  textField,
} from "../field_scan.ts";
import type { Found } from "./talk_node.ts";
import { SPEAKING_SIDE_TYPES } from "./side_facts.ts";

const RECORD = fieldNames(
  "type",
  "uuid",
  "parentUuid",
  "timestamp",
  "isSidechain",
  "subtype",
  "message",
  "attachment",
);
const [TYPE, UUID, PARENT, TIMESTAMP, SIDECHAIN] = [0, 1, 2, 3, 4];
const [SUBTYPE, MESSAGE, ATTACHMENT] = [5, 6, 7];
/** What every record of the talk says; when it is found, the rest of the line is not looked at. */
const TALK_RECORD = fieldNames("type", "uuid", "parentUuid", "timestamp", "isSidechain");
const MESSAGE_ID = fieldNames("id");
const CONTENT = fieldNames("content");
const BLOCK_TYPE = fieldNames("type");
const OPEN_ARRAY = 0x5b;

const TALK = ["assistant", "user", "progress", "system", "attachment"];
const QUOTED_TALK = TALK.map((type) => `"${type}"`);

/**
 * The record in a whole line; the type of one that is no part of the talk and says nothing of it;
 * undefined where only parsing it tells.
 */
export function scanLine(line: Line, order: number): Found | string | undefined {
  const { bytes } = line;
  findFirstFields(bytes, RECORD);
  const message = fieldStart(RECORD.spans, MESSAGE);
  const attachment = fieldStart(RECORD.spans, ATTACHMENT);
  let spans: FieldSpans = findLastFields(bytes, RECORD);
  let talk = talkType(bytes, spans);
  if (fieldStart(spans, TYPE) < 0 || (talk !== undefined && fieldStart(spans, UUID) < 0)) {
    spans = findFields(bytes, TALK_RECORD);
    talk = talkType(bytes, spans);
  } else if (holdsSecond(bytes)) {
    return undefined;
  }
  if (talk === undefined) {
    const type = textField(bytes, spans, TYPE);
    const leadsOn = fieldStart(spans, UUID) >= 0 && fieldStart(spans, PARENT) >= 0;
    return type === undefined || leadsOn || SPEAKING_SIDE_TYPES.has(type) ? undefined : type;
  }
  const id = textField(bytes, spans, UUID);
  const subtype = textField(bytes, RECORD.spans, SUBTYPE);
  // What it keeps is said in its middle.
  if (id === undefined || subtype === "compact_boundary") return undefined;
  const { offset, length, line: number } = line;
  return {
    id,
    parent_id: fieldIs(bytes, spans, PARENT, "null") ? null : textField(bytes, spans, PARENT),
    type: talk,
    subtype: attachment < 0 ? subtype : nested(bytes, BLOCK_TYPE, attachment),
    results: talk === "user" && message >= 0 && beginsWithResult(bytes, message),
    sidechain: fieldIs(bytes, spans, SIDECHAIN, "true"),
    timestamp: textField(bytes, spans, TIMESTAMP),
    message_id: talk === "assistant" && message >= 0
      ? nested(bytes, MESSAGE_ID, message)
      : undefined,
    order,
    offset,
    length,
    line: number,
  };
}

const SECOND = new TextEncoder().encode('{"parentUuid":');
/** By the byte that stands where its last one might, how far on it can stand next (Horspool). */
const SHIFTS = new Uint8Array(256).fill(SECOND.length);
for (const [at, byte] of SECOND.subarray(0, -1).entries()) SHIFTS[byte] = SECOND.length - 1 - at;

/** Whether another record begins in the line: its start is torn, and both ends tell of two records. */
function holdsSecond(bytes: Uint8Array): boolean {
  const last = SECOND.length - 1;
  let end = last + 1;
  while (end < bytes.length) {
    let back = 0;
    while (back <= last && bytes[end - back] === SECOND[last - back]) back++;
    if (back > last) return true;
    end += SHIFTS[bytes[end] as number] as number;
  }
  return false;
}

/** The type of a record of the talk; undefined when it is none. Not each keeps a text of its own. */
function talkType(bytes: Uint8Array, spans: FieldSpans): string | undefined {
  return TALK[QUOTED_TALK.findIndex((type) => fieldIs(bytes, spans, TYPE, type))];
}

/** Whether the first block of a message's content is the result of a call. */
function beginsWithResult(bytes: Uint8Array, message: number): boolean {
  const content = fieldStart(findFirstFields(bytes, CONTENT, message), 0);
  return bytes[content] === OPEN_ARRAY && nested(bytes, BLOCK_TYPE, content + 1) === "tool_result";
}

function nested(
  bytes: Uint8Array,
  names: FieldNames,
  start: number,
): string | undefined {
  return textField(bytes, findFields(bytes, names, start), 0);
}
