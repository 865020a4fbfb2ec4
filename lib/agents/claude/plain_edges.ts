/**
 * Summarizes a session with plain edges: a prompt at the start, one chain to the end. Nearly all
 * are plain and need a few lines. For all others {@linkcode summarizeSession} reads every line.
 */
import type { LogEvent } from "../../event/envelope.ts";
import { SUMMARY_KINDS } from "../../event/policy.ts";
import { byteSearch } from "../../log/json_bytes/byte_search.ts";
import type { Line } from "../../log/line_splitter.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { asObject } from "../../reading/json_value.ts";
import type { FileEdges } from "../../reading/records/file_edges.ts";
import { parseRecords, type SourceRecord } from "../../reading/records/source_record.ts";
import { indexLines } from "../../reading/tree/index_file.ts";
import { hasFlag, LINK, ROOT, rowOf } from "../../reading/tree/record_index.ts";
import type { AgentSession } from "../../source/agent.ts";
import { claudeFormat } from "./claude_format.ts";
import { blocksOf, toPart } from "../../reading/events/anthropic_blocks.ts";
import { emitStarted, isTitled, promptTitle, titleBeside, toStarted } from "./header.ts";
import { type ClaudeIndex, SIDECHAIN, timeOf } from "./index/claude_record.ts";
import { endOfChain } from "./plain_chain.ts";
import { endsOpen } from "./session_end.ts";
import { addSide, type SideFacts, SPEAKING_SIDE_TYPES } from "./side_facts.ts";
import { userContent } from "./user_events.ts";

const encoder = new TextEncoder();
const RECORD = encoder.encode('{"parentUuid":');
const SIDE = encoder.encode('{"type":"');
const SPEAKING = [...SPEAKING_SIDE_TYPES].map((type) => encoder.encode(`${type}"`));
const LAST_PROMPT = [...SPEAKING_SIDE_TYPES].indexOf("last-prompt");
const DIALOGUE = ["user", "assistant", "system", "attachment"].map((type) =>
  encoder.encode(`${type}"`)
);
const USER = '"type":"user","message":{"role":"user","content":';
const findUser = byteSearch(USER);
const findText = byteSearch('"text":"');
const TEXT_LENGTH = '"text":"'.length;
const RESULT = encoder.encode('[{"tool_use_id":');
const findLeaf = byteSearch('"leafUuid":"');
const findAsked = byteSearch('"lastPrompt":"');
const findQueued = byteSearch('"queued_command"');
/** Marks of records that are no plain prompt. */
const NO_PROMPT = [
  '"isMeta":true',
  '"isSidechain":true',
  '"isCompactSummary":true',
  '"tool_result"',
  '"forkedFrom"',
].map(byteSearch);
/** Starts of texts that may not be the user's, as JSON: wraps and marks. */
const NO_ONES = [
  "<",
  " ",
  "\\n",
  "\\t",
  "[Request",
  "Caveat: The messages",
  "This session is being",
]
  .map((text) => encoder.encode(text));
const QUOTE = 0x22;
const OPEN_ARRAY = 0x5b;
/** Before a message stand a few short fields. */
const FRONT_BYTES = 800;

/** The events that a list needs. */
export interface EdgeEvents {
  events: LogEvent[];
  /** The file says what the session is called: its first prompt does not count. */
  titled: boolean;
  /** The last turn was left open. */
  open: boolean;
}

/** Returns the events that a list needs; undefined if the edges are not plain. */
export function plainEvents(session: AgentSession, edges: FileEdges): EdgeEvents | undefined {
  const { head, tail, whole } = edges;
  if (whole) return undefined;
  const first = head.findIndex(isUser);
  const last = tail.findLastIndex(isUser);
  const prompts = [head[first], tail[last]].map((line) =>
    line !== undefined && isPrompt(line) ? recordIn(line) : undefined
  );
  const [asked, again] = prompts;
  const sides = sideLines([...head, ...tail]);
  if (asked === undefined || again === undefined || sides === undefined) return undefined;
  const end = endOf(sides, tail.slice(last));
  if (end === undefined) return undefined;
  const writer = new EventWriter(session, SUMMARY_KINDS);
  const start = head.find(({ bytes }) => beginsWith(bytes, RECORD));
  const record = start === undefined ? undefined : recordIn(start);
  if (record === undefined || record.value.type === "progress") return undefined;
  const started = toStarted(
    session,
    end.side,
    [record, asked].map((found) => ({ row: 0, record: found })),
  );
  emitStarted(writer, end.side, started, () => titleBeside(end.side) ?? promptTitle(asked));
  for (const { value } of [asked, again]) {
    const parts = blocksOf(asObject(value.message).content).flatMap((block) => toPart(block) ?? []);
    const content = userContent(parts, false);
    writer.emit("user_message", { content }, { time: value.timestamp });
  }
  writer.emit("extension", { agent: "claude", type: "last", data: {} }, { time: end.time });
  return { events: writer.take(), titled: isTitled(end.side), open: endsOpen(backwards(tail)) };
}

/** The end of a plain session, and the facts beside its records. */
interface PlainEnd {
  side: SideFacts;
  time: string | undefined;
}

/** Finds the end of a session in the lines that name it and those from its last prompt on. */
function endOf(sides: readonly Line[], lines: readonly Line[]): PlainEnd | undefined {
  const chain = endOfChain(lines);
  const side = chain === undefined ? undefined : factsIn(sides);
  if (chain !== undefined && side !== undefined && (side.leaf?.id ?? chain.id) === chain.id) {
    return { side, time: new Date(chain.time).toISOString() };
  }
  const index = indexLines(claudeFormat, [...sides, ...lines]);
  const last = lastOfChain(index);
  if (last < 0 || lines.slice(1).some(isQueued) || index.head.side.summaries !== undefined) {
    return undefined;
  }
  return { side: index.head.side, time: timeOf(index, last) };
}

/** Reads the facts in lines beside the records; undefined if a line may be something else. */
function factsIn(lines: readonly Line[]): SideFacts | undefined {
  const side: SideFacts = {};
  for (const line of lines) {
    const records: SourceRecord[] = [];
    parseRecords(line, records);
    const [record] = records;
    if (record === undefined || records.length > 1 || record.salvaged) return undefined;
    const { type, uuid } = record.value;
    if (typeof type !== "string" || !NAMING.has(type) || uuid !== undefined) return undefined;
    addSide(side, record.value, 0);
  }
  return side;
}

/** A summary names the dialogue of any record: only an index tells which is meant. */
const NAMING = new Set([...SPEAKING_SIDE_TYPES].filter((type) => type !== "summary"));

/** Yields the records of the dialogue, last one first. */
function* backwards(lines: readonly Line[]): Generator<SourceRecord["value"] | undefined> {
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] as Line;
    if (beginsWith(line.bytes, RECORD)) yield recordIn(line)?.value;
  }
}

function recordIn(line: Line): SourceRecord | undefined {
  const records: SourceRecord[] = [];
  parseRecords(line, records);
  return records[0];
}

/** Returns the last row, if all from the last prompt on form one chain. */
function lastOfChain(index: ClaudeIndex): number {
  let last = -1;
  for (let row = 0; row < index.count; row++) {
    const parent = index.parent[row] as number;
    if (hasFlag(index, row, SIDECHAIN) || parent === ROOT || (row > 0 && parent !== row - 1)) {
      return -1;
    }
    if (!hasFlag(index, row, LINK)) last = row;
  }
  const { side: { leaf }, boundaries } = index.head;
  const pointed = leaf === undefined ? last : rowOf(index, leaf.id);
  return pointed === last && boundaries.size === 0 ? last : -1;
}

/**
 * Picks the last line of each kind that names the session. Undefined if a line has an unknown form.
 */
function sideLines(lines: readonly Line[]): Line[] | undefined {
  const sides: (Line | undefined)[] = SPEAKING.map(() => undefined);
  let pointer: Line | undefined;
  for (const line of lines) {
    const { bytes } = line;
    if (beginsWith(bytes, RECORD)) continue;
    if (!beginsWith(bytes, SIDE) || bytes[bytes.length - 1] !== 0x7d) return undefined;
    const name = bytes.subarray(SIDE.length);
    if (DIALOGUE.some((type) => beginsWith(name, type))) return undefined;
    const kind = SPEAKING.findIndex((type) => beginsWith(name, type));
    if (kind < 0) continue;
    // One that keeps only where the session stands does not take the place of what was asked.
    if (kind === LAST_PROMPT && findAsked(bytes, 0, bytes.length) < 0) return undefined;
    sides[kind] = line;
    if (findLeaf(bytes, 0, bytes.length) >= 0) pointer = line;
  }
  // A later prompt need not say where the session stands.
  const kept = [pointer, ...sides].filter((line) => line !== undefined);
  return [...new Set(kept)].sort((one, other) => one.offset - other.offset);
}

/** True for a record in the user's name that holds no results of calls. */
function isUser({ bytes }: Line): boolean {
  const at = contentAt(bytes);
  return at >= 0 && !beginsWith(bytes.subarray(at), RESULT);
}

function contentAt(bytes: Uint8Array): number {
  if (!beginsWith(bytes, RECORD)) return -1;
  const user = findUser(bytes, RECORD.length, Math.min(bytes.length, FRONT_BYTES));
  return user < 0 ? -1 : user + USER.length;
}

function isQueued({ bytes }: Line): boolean {
  return findQueued(bytes, 0, Math.min(bytes.length, FRONT_BYTES)) >= 0;
}

/** True for what is surely a prompt that a person wrote. */
function isPrompt({ bytes }: Line): boolean {
  if (NO_PROMPT.some((find) => find(bytes, RECORD.length, bytes.length) >= 0)) return false;
  let at = contentAt(bytes);
  if (bytes[at] === OPEN_ARRAY) {
    const text = findText(bytes, at, bytes.length);
    if (text < 0) return false;
    at = text + TEXT_LENGTH;
  } else if (bytes[at++] !== QUOTE) return false;
  at = behindBlanks(bytes, at);
  if (bytes[at] === QUOTE) return false;
  const text = bytes.subarray(at);
  return !NO_ONES.some((beginning) => beginsWith(text, beginning));
}

/** Skips spaces, and line feeds and tabs as JSON writes them. */
function behindBlanks(bytes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    if (bytes[at] === 0x20) at++;
    else if (bytes[at] === 0x5c && BLANKS.has(bytes[at + 1] as number)) at += 2;
    else return at;
  }
}

const BLANKS = new Set([..."nrt"].map((letter) => letter.charCodeAt(0)));

function beginsWith(bytes: Uint8Array, text: Uint8Array): boolean {
  for (let at = 0; at < text.length; at++) if (bytes[at] !== text[at]) return false;
  return true;
}
