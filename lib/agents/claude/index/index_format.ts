/** Indexes records of Claude Code, from the bytes of their lines or from parsed records. */
import { byteSearch } from "../../../core/log/json_bytes/byte_search.ts";
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
} from "../../../core/log/json_bytes/find_fields.ts";
import { asName, asObject, asText } from "../../engine/json.ts";
import type { SourceRecord } from "../../engine/records/source_record.ts";
import type { Indexed, IndexFormat, LineScanner, Scanned } from "../../engine/tree/path_format.ts";
import {
  hasFlag,
  LINK,
  LOST,
  type NewRecord,
  REPEATED,
  ROOT,
} from "../../engine/tree/record_index.ts";
import { blocksOf } from "../../engine/events/anthropic_blocks.ts";
import {
  addSide,
  isLastPrompt,
  keepLastPrompt,
  type LastPrompts,
  SPEAKING_SIDE_TYPES,
  takeLastPrompts,
} from "../side_facts.ts";
import {
  AGENT_PROGRESS,
  ASSISTANT,
  ATTACHMENT,
  boundaryOf,
  type ClaudeHead,
  type ClaudeIndex,
  emptyQueue,
  isOneSidechain,
  PASSING,
  RECORD_TYPES,
  RESULTS,
  SIDECHAIN,
  SUMMARY,
  SYSTEM,
  USER,
} from "./claude_record.ts";
import {
  addQueued,
  noteRecorded,
  QUEUE_OPERATION,
  QUEUED_COMMAND,
  takeOperation,
} from "./prompt_queue.ts";
import { isFlat, linkGrown, mayBeFlat } from "./flat_record.ts";
import { blockMarks, findSummary, type LineMarks, lineMarks } from "./line_marks.ts";
import { readMessageLine, responseOf, responseOfId } from "./message_line.ts";

export const claudeIndex: IndexFormat<ClaudeHead> = {
  repeated: "last",
  types: RECORD_TYPES,
  head: () => ({ side: {}, boundaries: new Map(), queue: emptyQueue() }),
  index: indexRecord,
  idOf: ({ value }) => asName(value.uuid),
  scanner,
  looksUp: ({ head: { side, boundaries } }) => boundaries.size > 0 || side.leaf !== undefined,
  finish(index): void {
    joinLost(index);
    addQueued(index);
  },
};

function scanner(): LineScanner<ClaudeHead> {
  const prompts: LastPrompts = {};
  let marks: LineMarks = lineMarks(new Uint8Array(0));
  return {
    begin(bytes, end, finder): void {
      marks = finder === undefined ? lineMarks(bytes) : blockMarks(finder, end);
    },
    scan(index, found, bytes, start, end): Scanned {
      if (readMessageLine(index, found, bytes, start, end, marks)) return "record";
      if (isLastPrompt(bytes, start, end) && marks.second(start, end) < 0) {
        keepLastPrompt(prompts, bytes.slice(start, end), index.count);
        return "head";
      }
      return scanRecord(bytes.subarray(start, end), found);
    },
    rescue: (_index, found, bytes) => scanRecord(bytes, found) === "record",
    end: ({ head }) => takeLastPrompts(head.side, prompts),
  };
}

function indexRecord(record: SourceRecord, index: ClaudeIndex): Indexed {
  const { value, position } = record;
  const { head, count } = index;
  const type = asText(value.type) ?? "unknown";
  const known = (RECORD_TYPES as readonly string[]).indexOf(type);
  if (known < 0 && !leadsOn(value)) {
    if (type === QUEUE_OPERATION) takeOperation(head.queue, record, count);
    else addSide(head.side, value, count, position.offset);
    return { beside: type };
  }
  const message = asObject(value.message);
  const message_id = type === "assistant" ? asName(message.id) : undefined;
  if (value.subtype === "compact_boundary") head.boundaries.set(count, boundaryOf(value));
  if (isFlat(value)) linkGrown(index, value);
  const attachment = asObject(value.attachment);
  if (attachment.type === QUEUED_COMMAND) noteRecorded(head.queue, attachment);
  return {
    id: asName(value.uuid) ?? `#${count + 1}`,
    // The records of iFlow CLI follow each other in the file's order.
    parent_id: value.parentUuid === null
      ? undefined
      : isFlat(value)
      ? null
      : asName(value.parentUuid) ?? null,
    type,
    subtype: asName(value.subtype) ?? asName(attachment.type) ??
      (asObject(value.data).type === AGENT_PROGRESS ? AGENT_PROGRESS : undefined),
    flags: (value.isSidechain === true ? SIDECHAIN : 0) |
      (type === "user" && holdsResult(message.content) ? RESULTS : 0) |
      (value.isCompactSummary === true ? SUMMARY : 0) |
      (known < 0 || known >= PASSING ? LINK : 0),
    time: Date.parse(asName(value.timestamp) ?? ""),
    answer: message_id === undefined ? 0 : responseOfId(message_id),
  };
}

function holdsResult(content: unknown): boolean {
  return typeof content !== "string" &&
    blocksOf(content).some(({ type }) => type === "tool_result");
}

/** True if a record may link two records. Even a record of unknown type may do so. */
function leadsOn({ uuid, parentUuid }: SourceRecord["value"]): boolean {
  return asName(uuid) !== undefined && (parentUuid === null || asName(parentUuid) !== undefined);
}

/**
 * Gives new parents to records of a sub-agent's file whose parents are not in the file. The new
 * parent is the last earlier record that no record follows. Most missing parents are hook records,
 * which Claude Code 2.0.74 omits.
 */
function joinLost(index: ClaudeIndex): void {
  const { lost, parent, count } = index;
  if (lost.size === 0 || !isOneSidechain(index)) return;
  const followed = new Uint8Array(count);
  for (const before of parent.subarray(0, count)) if (before >= 0) followed[before] = 1;
  const ends: number[] = [];
  for (let row = 0; row < count; row++) {
    if (hasFlag(index, row, REPEATED)) continue;
    if (lost.has(row)) {
      while (ends.length > 0 && followed[ends.at(-1) as number] === 1) ends.pop();
      parent[row] = ends.pop() ?? parent[row] as number;
    }
    ends.push(row);
  }
}

const RECORD = fieldNames(
  "type",
  "uuid",
  "parentUuid",
  "timestamp",
  "isSidechain",
  "subtype",
  "message",
  "attachment",
  "sessionId",
);
const [TYPE, UUID, PARENT, TIMESTAMP, IS_SIDECHAIN] = [0, 1, 2, 3, 4];
const [SUBTYPE, MESSAGE, ATTACHED, SESSION] = [5, 6, 7, 8];
/**
 * The fields of every dialogue record. Once they are found, the rest of the line is not searched.
 */
const DIALOGUE_RECORD = fieldNames("type", "uuid", "parentUuid", "timestamp", "isSidechain");
const CONTENT = fieldNames("content");
const INNER_TYPE = fieldNames("type");
const OPEN_ARRAY = 0x5b;
const QUOTED_TYPES = RECORD_TYPES.map((type) => `"${type}"`);

/**
 * Searches for the subtype of a sub-agent's progress. Text in other records does not match, as JSON
 * escapes its quotes.
 */
const findAgentProgress = byteSearch(`"${AGENT_PROGRESS}"`);
const findSecond = byteSearch('{"parentUuid":');
const findResult = byteSearch('"type":"tool_result"');
/** Byte searches for a result's type in unusual spelling: after a space, or with an escape. */
const ODD_RESULTS = [byteSearch('"tool_result"'), byteSearch("\\u00")];

/**
 * Reads the record in a line into `found`. `found.parent` becomes `ROOT` if the record has no
 * parent, else `LOST`. With `LOST`, `found.parent_id` is the parent's id, if known.
 */
function scanRecord(bytes: Uint8Array, found: NewRecord): Scanned {
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
    if (findSecond(bytes, 1, bytes.length) >= 0) return undefined;
    const side = textField(bytes, spans, TYPE);
    const leadsOn = fieldStart(spans, UUID) >= 0 && fieldStart(spans, PARENT) >= 0;
    const isSaid = side === undefined || leadsOn || SPEAKING_SIDE_TYPES.has(side) ||
      (RECORD_TYPES as readonly string[]).includes(side);
    return isSaid ? undefined : { beside: side };
  }
  // What iFlow CLI's records follow is told by parsing alone.
  if (mayBeFlat(bytes, RECORD.spans, SESSION)) return undefined;
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
  const results = type === USER && mayHoldResult(bytes, message);
  if (results === undefined) return undefined;
  if (results) found.flags |= RESULTS;
  if (type === USER && findSummary(bytes, 0, bytes.length) >= 0) found.flags |= SUMMARY;
  found.subtype = attachment < 0 ? subtype : nested(bytes, INNER_TYPE, attachment);
  if (found.subtype === QUEUED_COMMAND) return undefined;
  if (type === PASSING && findAgentProgress(bytes) >= 0) found.subtype = AGENT_PROGRESS;
  found.time = Date.parse(textField(bytes, spans, TIMESTAMP) ?? "");
  found.answer = type === ASSISTANT && message >= 0 ? responseOf(bytes, message) : 0;
  found.body = found.body_length = 0;
  return "record";
}

/** True if a line has `uuid` and `parentUuid`. A line outside the dialogue may also lack both. */
function namesBoth(spans: FieldSpans, type: number): boolean {
  const [own, parent] = [fieldStart(spans, UUID) >= 0, fieldStart(spans, PARENT) >= 0];
  return type >= 0 ? own && parent : own === parent;
}

function recordType(bytes: Uint8Array, spans: FieldSpans): number {
  return QUOTED_TYPES.findIndex((type) => fieldIs(bytes, spans, TYPE, type));
}

/**
 * True if a message's content may hold results of calls. If `message` is negative, the whole line
 * is searched. Undefined if the line must be parsed.
 */
function mayHoldResult(bytes: Uint8Array, message: number): boolean | undefined {
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
