/** Recognizes a Claude Code record by both ends of its line, in any order of fields. */
import { byteSearch } from "../../../log/json_bytes/byte_search.ts";
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
} from "../../../log/json_bytes/find_fields.ts";
import type { Scanned } from "../../../reading/tree/path_format.ts";
import { LINK, LOST, type NewRecord, ROOT } from "../../../reading/tree/record_index.ts";
import { SPEAKING_SIDE_TYPES } from "../side_facts.ts";
import {
  AGENT_PROGRESS,
  ASSISTANT,
  ATTACHMENT,
  PASSING,
  RECORD_TYPES,
  RESULTS,
  SIDECHAIN,
  SUMMARY,
  SYSTEM,
  USER,
} from "./claude_record.ts";
import { findSummary } from "./line_marks.ts";
import { responseOf } from "./response_number.ts";

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
const [TYPE, UUID, PARENT, TIMESTAMP, IS_SIDECHAIN] = [0, 1, 2, 3, 4];
const [SUBTYPE, MESSAGE, ATTACHED] = [5, 6, 7];
/** What every record of a dialogue says; once it is found, the rest of the line is not looked at. */
const DIALOGUE_RECORD = fieldNames("type", "uuid", "parentUuid", "timestamp", "isSidechain");
const CONTENT = fieldNames("content");
const INNER_TYPE = fieldNames("type");
const OPEN_ARRAY = 0x5b;
const QUOTED_TYPES = RECORD_TYPES.map((type) => `"${type}"`);

/** Finds what only progress of sub-agents holds, unless it is quoted in a record of another kind. */
const findAgentProgress = byteSearch(`"${AGENT_PROGRESS}"`);
const findSecond = byteSearch('{"parentUuid":');
const findResult = byteSearch('"type":"tool_result"');
/** The type of a result with a space before it or with an escape in it. */
const ODD_RESULTS = [byteSearch('"tool_result"'), byteSearch("\\u00")];

/**
 * Reads the record in a line into `found`: "record"; or gives the type of one that is no part of the
 * dialogue and says nothing of it; or undefined where only parsing tells. A parent is `ROOT`, or
 * `LOST` with its id, which is absent where the line does not name one.
 */
export function scanRecord(bytes: Uint8Array, found: NewRecord): Scanned {
  findFirstFields(bytes, RECORD);
  const message = fieldStart(RECORD.spans, MESSAGE);
  const attachment = fieldStart(RECORD.spans, ATTACHED);
  let spans: FieldSpans = findLastFields(bytes, RECORD);
  let type = recordType(bytes, spans);
  if (fieldStart(spans, TYPE) < 0 || !namesBoth(spans, type)) {
    spans = findFields(bytes, DIALOGUE_RECORD);
    type = recordType(bytes, spans);
  } else if (findSecond(bytes, 1, bytes.length) >= 0) {
    // Its start is torn, and both ends tell of two records.
    return undefined;
  }
  if (type < 0) {
    const side = textField(bytes, spans, TYPE);
    const leadsOn = fieldStart(spans, UUID) >= 0 && fieldStart(spans, PARENT) >= 0;
    const isSaid = side === undefined || leadsOn || SPEAKING_SIDE_TYPES.has(side) ||
      (RECORD_TYPES as readonly string[]).includes(side);
    return isSaid ? undefined : { beside: side };
  }
  const id = textField(bytes, spans, UUID);
  const subtype = textField(bytes, RECORD.spans, SUBTYPE);
  // What it keeps is said in its middle.
  if (id === undefined || subtype === "compact_boundary") return undefined;
  // Another field's object stands before what says more of the record.
  if (type === SYSTEM && subtype === undefined) return undefined;
  if (type === ATTACHMENT && attachment < 0) return undefined;
  if (type <= ASSISTANT && message < 0) return undefined;
  const root = fieldIs(bytes, spans, PARENT, "null");
  found.id = id;
  found.parent = root ? ROOT : LOST;
  found.parent_id = root ? undefined : textField(bytes, spans, PARENT);
  found.type = type;
  found.flags = fieldIs(bytes, spans, IS_SIDECHAIN, "true") ? SIDECHAIN : 0;
  if (type === PASSING) found.flags |= LINK;
  const results = type === USER && holdsResult(bytes, message);
  if (results === undefined) return undefined;
  if (results) found.flags |= RESULTS;
  if (type === USER && findSummary(bytes, 0, bytes.length) >= 0) found.flags |= SUMMARY;
  found.subtype = attachment < 0 ? subtype : nested(bytes, INNER_TYPE, attachment);
  if (type === PASSING && findAgentProgress(bytes) >= 0) found.subtype = AGENT_PROGRESS;
  found.time = Date.parse(textField(bytes, spans, TIMESTAMP) ?? "");
  found.answer = type === ASSISTANT && message >= 0 ? responseOf(bytes, message) : 0;
  found.body = found.body_length = 0;
  return "record";
}

/** True if both ids of a record were found, or it has neither and is no part of the dialogue. */
function namesBoth(spans: FieldSpans, type: number): boolean {
  const [own, parent] = [fieldStart(spans, UUID) >= 0, fieldStart(spans, PARENT) >= 0];
  return type >= 0 ? own && parent : own === parent;
}

/** The type of a record of a dialogue, or -1. */
function recordType(bytes: Uint8Array, spans: FieldSpans): number {
  return QUOTED_TYPES.findIndex((type) => fieldIs(bytes, spans, TYPE, type));
}

/**
 * True where a message's content, or, where it is not found, something holds results of calls.
 * Undefined where only parsing tells, because the line is not written as Claude Code writes it.
 */
function holdsResult(bytes: Uint8Array, message: number): boolean | undefined {
  const content = message < 0 ? 0 : fieldStart(findFirstFields(bytes, CONTENT, message), 0);
  if (message >= 0 && bytes[content] !== OPEN_ARRAY) return false;
  if (findResult(bytes, content, bytes.length) >= 0) return true;
  return ODD_RESULTS.some((find) => find(bytes, content, bytes.length) >= 0) ? undefined : false;
}

function nested(
  bytes: Uint8Array,
  names: FieldNames,
  start: number,
): string | undefined {
  return textField(bytes, findFields(bytes, names, start), 0);
}
