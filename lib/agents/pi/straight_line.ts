/**
 * Recognizes unbranched sessions, in which each entry follows the last one and edits no other. Most
 * sessions are unbranched, and need no tree for their messages. The check needs only a line's first
 * bytes, because pi writes fields in one order (0.73 to 1.5).
 */
import { hasBytesAt } from "../../core/event/bytes.ts";
import { lineBlocksInTurns, lineIn } from "../../core/log/line_blocks.ts";
import type { Line } from "../../core/log/line_splitter.ts";
import { asNumber } from "../engine/json.ts";
import { parseRecords, type SourceRecord } from "../engine/records/source_record.ts";
import type { AgentSession } from "../contract/agent.ts";

const encoder = new TextEncoder();
const ID = encoder.encode('","id":"');
const PARENT = encoder.encode('","parentId":');
const NULL = encoder.encode("null,");
type Starts = readonly Uint8Array[];

function startsOf(types: readonly string[]): Starts {
  return types.map((type) => encoder.encode(`{"type":"${type}`));
}

/** Types of entries whose meaning does not depend on other entries. */
const PLAIN = startsOf([
  "message",
  "model_change",
  "thinking_level_change",
  "custom",
  "custom_message",
  "session_info",
  "label",
]);
/** Types of entries that change no earlier entry of a transcript. */
export const UNEDITED: Starts = [
  ...PLAIN,
  ...startsOf(["compaction", "branch_summary", "usage"]),
];
/** The prefix of oh-my-pi's title line before the header. */
const TITLE = encoder.encode('{"type":"title","v":');
const QUOTE = 0x22;
const CLOSING_BRACE = 0x7d;
const CR = 0x0d;
const BYTE_ORDER_MARK = encoder.encode("\ufeff");
/** Maximum bytes of an id. pi's own ids are shorter. */
const LONGEST_ID = 64;

interface Walk {
  /** A buffer with the id of the last entry in its first `length` bytes. */
  readonly last: Uint8Array;
  length: number;
}

/** True if each entry follows the previous one and is of a type in `starts`. False if damaged. */
export async function isStraightLine(
  { path }: AgentSession,
  signal: AbortSignal | undefined,
  starts: Starts = PLAIN,
): Promise<boolean> {
  const walk: Walk = { last: new Uint8Array(LONGEST_ID), length: 0 };
  let headed = false;
  for await (const block of lineBlocksInTurns(path, signal)) {
    const { finder: { bytes }, feeds, terminated } = block;
    if (!terminated || block.oversized) return false;
    let start = 0;
    for (const feed of feeds) {
      const end = bytes[feed - 1] === CR ? feed - 1 : feed;
      if (bytes[end - 1] !== CLOSING_BRACE) return false;
      const from = hasBytesAt(bytes, BYTE_ORDER_MARK, start) ? start + 3 : start;
      if (headed) {
        if (!follows(walk, bytes, from, starts)) return false;
      } else if (!hasBytesAt(bytes, TITLE, from)) {
        if (!isHeader(lineIn(block, start, feed, 1))) return false;
        headed = true;
      }
      start = feed + 1;
    }
  }
  return headed;
}

/** True if a line is the header of a session whose entries have ids. */
function isHeader(line: Line): boolean {
  const records: SourceRecord[] = [];
  parseRecords(line, records);
  const { type, version } = records[0]?.value ?? {};
  return type === "session" && (asNumber(version) ?? 1) >= 2;
}

/** True if the last entry is this entry's parent. If so, stores this entry as the last one. */
function follows(walk: Walk, bytes: Uint8Array, from: number, starts: Starts): boolean {
  const id = idStart(bytes, from, starts);
  if (id < 0) return false;
  let end = id;
  while (bytes[end] !== QUOTE && end - id < LONGEST_ID && end < bytes.length) end++;
  if (end === id || !hasBytesAt(bytes, PARENT, end)) return false;
  if (!isParent(walk, bytes, end + PARENT.length)) return false;
  walk.length = end - id;
  for (let at = id; at < end; at++) walk.last[at - id] = bytes[at] as number;
  return true;
}

/** Returns the offset of an entry's id, or -1 if the line begins with none of `starts`. */
function idStart(bytes: Uint8Array, from: number, starts: Starts): number {
  for (const start of starts) {
    const at = from + start.length;
    if (hasBytesAt(bytes, ID, at) && hasBytesAt(bytes, start, from)) return at + ID.length;
  }
  return -1;
}

function isParent({ last, length }: Walk, bytes: Uint8Array, start: number): boolean {
  if (length === 0) return hasBytesAt(bytes, NULL, start);
  if (bytes[start] !== QUOTE || bytes[start + length + 1] !== QUOTE) return false;
  for (let at = 0; at < length; at++) {
    if (bytes[start + 1 + at] !== last[at]) return false;
  }
  return true;
}
