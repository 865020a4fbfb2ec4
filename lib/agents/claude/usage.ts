/** Counts the tokens of all responses in a file of Claude Code, on any branch. */
import type { TokenUsage } from "../../core/event/payload.ts";
import { textPattern } from "../../core/log/byte_pattern.ts";
import {
  clearFields,
  type FieldTable,
  fieldTable,
  walkFields,
} from "../../core/log/json_bytes/object_fields.ts";
import { countAt, textAt } from "../../core/log/json_bytes/values.ts";
import { lineBlocks } from "../../core/log/line_blocks.ts";
import { countedTokens } from "../../core/projection/token_usage.ts";
import type { ResponseUsage } from "../../core/projection/response_usage.ts";
import { MADE_UP_MODEL, parsedUsage } from "./parsed_usage.ts";
import { ResponseNames } from "./response_names.ts";

const USAGE_MARK = textPattern('"usage"');
const BRACE = '"usage":'.length;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Makes a reader for the files of one session. It gives one name to a response in several files.
 */
export function usageReader(): (path: string) => Generator<ResponseUsage[]> {
  const names = new ResponseNames();
  return (path) => usageIn(path, names);
}

function* usageIn(path: string, names: ResponseNames): Generator<ResponseUsage[]> {
  const talk: Talk = { names, between: false };
  for (const { finder, end } of lineBlocks(path)) {
    const { bytes } = finder;
    const found: ResponseUsage[] = [];
    // Records that were given out must not change any more.
    const last_response = noResponse();
    let at = finder.find(USAGE_MARK, 0, end);
    let seen = 0;
    while (at >= 0) {
      const start = bytes.lastIndexOf(LF, at) + 1;
      const feed = bytes.indexOf(LF, at);
      const line_end = feed < 0 || feed > end ? end : feed;
      const last = bytes[line_end - 1] === CR ? line_end - 1 : line_end;
      const isPlain = bytes[at + BRACE - 1] === COLON && bytes[at + BRACE] === OPEN_OBJECT;
      const brace = isPlain ? at + BRACE : -1;
      talk.between ||= names.may_return && hasPrompt(bytes, seen, start);
      for (const response of usageInLine(bytes, { start, end: last, brace }, last_response, talk)) {
        // An answer that Claude Code made up itself took nothing.
        if (countedTokens(response.usage) > 0) found.push(response);
        else last_response.record = undefined;
      }
      seen = line_end;
      at = finder.find(USAGE_MARK, line_end, end);
    }
    talk.between ||= names.may_return && hasPrompt(bytes, seen, end);
    yield found;
  }
}

// The tokens of a response, from the bytes of its record. Claude Code (1.0 to 2.1.330) writes a
// record's message in one order: `"message":{"model":…,"id":…,…,"content":[…],…,"usage":{…}}`. So the
// fields before the content and those from `usage` on are walked, and the content is not looked at.
// The walk must end where the line does: then `usage` was the message's, not a tool's input. Any
// other line is parsed.

const RECORD = fieldTable(
  "message",
  "timestamp",
  "requestId",
  "uuid",
  "isSidechain",
  "costUSD",
);
const [RECORD_MESSAGE, TIMESTAMP, REQUEST, UUID, SIDECHAIN, COST] = [0, 1, 2, 3, 4, 5];
const MESSAGE = fieldTable("id", "model", "usage");
const [ID, MODEL, MESSAGE_USAGE] = [0, 1, 2];
const USAGE = fieldTable(
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "cache_creation",
  "speed",
  "iterations",
);
const [INPUT, OUTPUT, CACHE_READ, CACHE_WRITE, CACHE_CREATION] = [0, 1, 2, 3, 4];
const [SPEED, ITERATIONS] = [5, 6];
const CREATION = fieldTable("ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens");
const [FIVE_MINUTES, HOUR] = [0, 1];

/** The first byte of `true`. */
const TRUE = 0x74;
const EMPTY_LIST = 2;
const decoder = new TextDecoder();

/**
 * The response of the last line. The blocks of a response are in adjacent lines. A line that
 * repeats the response's usage is skipped. A line with more tokens replaces the usage.
 */
interface LastResponse {
  record: ResponseUsage | undefined;
  /** Bytes of the response's message id, followed by its request id. */
  readonly ids: Uint8Array;
  length: number;
}

/**
 * Maximum number of bytes of a response's ids that are compared here. Longer ids are compared when
 * responses are counted.
 */
const MOST_ID_BYTES = 512;

function noResponse(): LastResponse {
  return { record: undefined, ids: new Uint8Array(MOST_ID_BYTES), length: 0 };
}

/** The state that decides which name the next response of a file gets. */
interface Talk {
  readonly names: ResponseNames;
  /** True if a prompt was between the last response and the next record. */
  between: boolean;
}

const USER = /"role":\s?"user"/;
/** Matches a user's record that is not a prompt. A result of a tool continues the answer. */
const NO_PROMPT = /"tool_result"|"is(?:Meta|Sidechain)":\s?true/;

function hasPrompt(bytes: Uint8Array, from: number, to: number): boolean {
  const lines = decoder.decode(bytes.subarray(from, to)).split("\n");
  return lines.some((line) => USER.test(line) && !NO_PROMPT.test(line));
}

interface Line {
  start: number;
  end: number;
  /** Index of the brace that may open the line's usage. -1 if the line must be parsed. */
  brace: number;
}

/**
 * Returns the responses in a line, except a response that continues the last response.
 *
 * @param last Receives the response of the line.
 */
function usageInLine(
  bytes: Uint8Array,
  { start, end, brace }: Line,
  last: LastResponse,
  talk: Talk,
): readonly ResponseUsage[] {
  const plain = walksWhole(bytes, start, end, brace) ? foundUsage(bytes, last, talk) : undefined;
  if (plain === last.record && plain !== undefined) return NOTHING;
  last.record = plain;
  const text = plain ?? decoder.decode(bytes.subarray(start, end));
  const found = typeof text === "string" ? parsedUsage(text, talk.names, talk.between) : [text];
  if (found.length > 0) talk.between = false;
  if (plain !== undefined) keepIds(bytes, last);
  return found;
}

const NOTHING: readonly ResponseUsage[] = [];

function keepIds(bytes: Uint8Array, last: LastResponse): void {
  const [id, request] = [length(MESSAGE, ID), length(RECORD, REQUEST)];
  last.length = id + request;
  if (last.length > MOST_ID_BYTES || request === 0) {
    last.length = 0;
    return;
  }
  const from = MESSAGE.spans[2 * ID] as number;
  for (let at = 0; at < id; at++) last.ids[at] = bytes[from + at] as number;
  const then = RECORD.spans[2 * REQUEST] as number;
  for (let at = 0; at < request; at++) last.ids[id + at] = bytes[then + at] as number;
}

/** True if the line in `RECORD` and `MESSAGE` belongs to the same response as the last line. */
function goesOn(bytes: Uint8Array, { record, ids, length: wanted }: LastResponse): boolean {
  const [id, request] = [length(MESSAGE, ID), length(RECORD, REQUEST)];
  if (record === undefined || wanted === 0 || id + request !== wanted || request === 0) {
    return false;
  }
  if ((record.sidechain === true) !== isSidechain(bytes)) return false;
  const from = MESSAGE.spans[2 * ID] as number;
  for (let at = 0; at < id; at++) if (ids[at] !== bytes[from + at]) return false;
  const then = RECORD.spans[2 * REQUEST] as number;
  for (let at = 0; at < request; at++) if (ids[id + at] !== bytes[then + at]) return false;
  return true;
}

function isSidechain(bytes: Uint8Array): boolean {
  return has(RECORD, SIDECHAIN) && bytes[RECORD.spans[2 * SIDECHAIN] as number] === TRUE;
}

/** Finds a line's fields without the message's content. False if the line must be parsed. */
function walksWhole(bytes: Uint8Array, start: number, end: number, usage: number): boolean {
  if (usage < 0 || bytes[start] !== OPEN_OBJECT) return false;
  clearFields(RECORD);
  clearFields(MESSAGE);
  clearFields(USAGE);
  const message = walkFields(bytes, RECORD, start + 1, end, "nested");
  if (message < 0 || bytes[message] !== OPEN_OBJECT) return false;
  if (RECORD.spans[2 * RECORD_MESSAGE] !== message) return false;
  const content = walkFields(bytes, MESSAGE, message + 1, end, "nested");
  if (content < 0 || content > usage || has(MESSAGE, MESSAGE_USAGE)) return false;
  const usage_end = walkFields(bytes, USAGE, usage + 1, end, "end");
  const message_end = usage_end < 0 ? -1 : walkFields(bytes, MESSAGE, usage_end, end, "end");
  return message_end >= 0 && walkFields(bytes, RECORD, message_end, end, "end") === end;
}

/**
 * Returns the usage in the fields that {@linkcode walksWhole} found. Undefined if the usage has a
 * rare or unknown form.
 */
function foundUsage(
  bytes: Uint8Array,
  last: LastResponse,
  { names, between }: Talk,
): ResponseUsage | undefined {
  if (has(RECORD, COST) || has(USAGE, SPEED) || length(USAGE, ITERATIONS) > EMPTY_LIST) {
    return undefined;
  }
  const input = countOf(bytes, USAGE, INPUT);
  const output = countOf(bytes, USAGE, OUTPUT);
  const cache_read = has(USAGE, CACHE_READ) ? countOf(bytes, USAGE, CACHE_READ) : 0;
  const cache_write = has(USAGE, CACHE_WRITE) ? countOf(bytes, USAGE, CACHE_WRITE) : 0;
  if (input === undefined || output === undefined) return undefined;
  if (cache_read === undefined || cache_write === undefined) return undefined;
  const usage = { input, output, cache_read, cache_write };
  const hour = has(USAGE, CACHE_CREATION) ? takeCreation(bytes, usage) : 0;
  if (hour === undefined) return undefined;
  const isRepeated = goesOn(bytes, last);
  if (isRepeated && countedTokens(usage) <= countedTokens(last.record?.usage ?? {})) {
    return last.record;
  }
  const time = textOf(bytes, RECORD, TIMESTAMP);
  const model = textOf(bytes, MESSAGE, MODEL);
  if (time === undefined || model === undefined || model === MADE_UP_MODEL) return undefined;
  if (isRepeated && last.record !== undefined) {
    const { record } = last;
    Object.assign(record, { time, model, usage });
    setHour(record, hour);
    return record;
  }
  const id = textOf(bytes, MESSAGE, ID);
  if (id === undefined || id === "") return undefined;
  const sidechain = isSidechain(bytes);
  const request = textOf(bytes, RECORD, REQUEST) || undefined;
  const record = request ?? (textOf(bytes, RECORD, UUID) || time);
  const key = names.nameOf({ id, request, record, sidechain }, "", between);
  const found: ResponseUsage = { key, time, model, usage };
  if (sidechain) found.sidechain = true;
  setHour(found, hour);
  return found;
}

function setHour(record: ResponseUsage, hour: number): void {
  if (hour > 0) record.cache_write_1h = hour;
  else delete record.cache_write_1h;
}

/** Sets `usage.cache_write`, and returns the tokens cached for an hour. Undefined if unreadable. */
function takeCreation(bytes: Uint8Array, usage: TokenUsage): number | undefined {
  const start = USAGE.spans[2 * CACHE_CREATION] as number;
  const end = USAGE.spans[2 * CACHE_CREATION + 1] as number;
  if (bytes[start] !== OPEN_OBJECT) return undefined;
  clearFields(CREATION);
  if (walkFields(bytes, CREATION, start + 1, end, "end") !== end) return undefined;
  const hour = countOf(bytes, CREATION, HOUR) ?? 0;
  const sum = hour + (countOf(bytes, CREATION, FIVE_MINUTES) ?? 0);
  if (sum > 0) usage.cache_write = sum;
  return hour;
}

function has({ spans }: FieldTable, index: number): boolean {
  return (spans[2 * index] as number) >= 0;
}

function length({ spans }: FieldTable, index: number): number {
  return (spans[2 * index + 1] as number) - (spans[2 * index] as number);
}

function textOf(bytes: Uint8Array, { spans }: FieldTable, index: number): string | undefined {
  const start = spans[2 * index] as number;
  return start < 0 ? undefined : textAt(bytes, start, spans[2 * index + 1] as number);
}

function countOf(bytes: Uint8Array, { spans }: FieldTable, index: number): number | undefined {
  const start = spans[2 * index] as number;
  return start < 0 ? undefined : countAt(bytes, start, spans[2 * index + 1] as number);
}
