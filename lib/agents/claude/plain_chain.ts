/**
 * Follows messages from line to line, each of which answers the one before it. Their ids are
 * compared where they stand, so the last lines of a file need no index.
 */
import { byteSearch } from "../../log/json_bytes/byte_search.ts";
import { ISO_LENGTH, isoDigits } from "../../log/json_bytes/iso_digits.ts";
import { standsAt } from "../../log/json_bytes/values.ts";
import type { Line } from "../../log/line_splitter.ts";
import { UUID_LENGTH } from "../../reading/tree/record_ids.ts";
import { IDS_LENGTH, idsEnd, messageEnd, UUID_KEY } from "./index/line_marks.ts";
import { frontAt } from "./index/message_line.ts";

/** The last message of a chain. */
interface ChainEnd {
  id: string;
  /** Milliseconds since 1970. */
  time: number;
}

const encoder = new TextEncoder();
const RECORD = encoder.encode('{"parentUuid":');
const PARENT = encoder.encode('{"parentUuid":"');
const MAIN = encoder.encode('","isSidechain":false');
const PROMPT_ID = encoder.encode(',"promptId":"');
const findRecord = byteSearch('{"parentUuid":');
const CLOSE_OBJECT = 0x7d;
const HASHED_BYTES = 8;

/**
 * Returns the end of the chain that the records of some lines form. Undefined where there is none,
 * or only an index tells. Other lines are skipped.
 */
export function endOfChain(lines: readonly Line[]): ChainEnd | undefined {
  const hashes: number[] = [];
  let last: Uint8Array | undefined;
  let id = -1;
  for (const { bytes, terminated } of lines) {
    if (!standsAt(bytes, 0, RECORD)) {
      // A torn line with the next one glued to it.
      if (findRecord(bytes) >= 0) return undefined;
      continue;
    }
    if (last !== undefined && !isSameId(bytes, PARENT.length, last, id)) return undefined;
    id = terminated ? idIn(bytes) : -1;
    if (id < 0) return undefined;
    const hash = hashOf(bytes, id);
    // Of records with one id the later counts: what follows the other follows it.
    if (hashes.includes(hash)) return undefined;
    hashes.push(hash);
    last = bytes;
  }
  if (last === undefined) return undefined;
  const time = isoDigits(last, id + IDS_LENGTH - UUID_KEY.length - 1 - ISO_LENGTH);
  return Number.isNaN(time) ? undefined : { id: textOf(last, id), time };
}

/** Returns the offset of a non-root message's id; -1 if only an index tells. */
function idIn(bytes: Uint8Array): number {
  const end = bytes.length;
  if (bytes[end - 1] !== CLOSE_OBJECT || !standsAt(bytes, 0, PARENT)) return -1;
  let at = PARENT.length + UUID_LENGTH;
  if (!standsAt(bytes, at, MAIN)) return -1;
  at += MAIN.length;
  if (standsAt(bytes, at, PROMPT_ID)) at += PROMPT_ID.length + UUID_LENGTH + 1;
  const front = frontAt(bytes, 0, at, end);
  if (front === undefined) return -1;
  const start = at + front.bytes.length;
  const cut = idsEnd(bytes, start, end, NO_MARKS);
  if (cut < 0 || messageEnd(bytes, start, cut - IDS_LENGTH, front.type) === 0) return -1;
  return findRecord(bytes, 1) >= 0 ? -1 : cut - IDS_LENGTH + UUID_KEY.length;
}

const nowhere = (): number => -1;
/** Ids that stand before what a person saw are left to the index. */
const NO_MARKS = { second: nowhere, shown: nowhere, interrupted: nowhere, result: nowhere };

function isSameId(one: Uint8Array, from: number, other: Uint8Array, start: number): boolean {
  for (let at = 0; at < UUID_LENGTH; at++) if (one[from + at] !== other[start + at]) return false;
  return true;
}

function hashOf(bytes: Uint8Array, start: number): number {
  let hash = 0;
  for (let at = start; at < start + HASHED_BYTES; at++) {
    hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0;
  }
  return hash;
}

function textOf(bytes: Uint8Array, start: number): string {
  return String.fromCharCode(...bytes.subarray(start, start + UUID_LENGTH));
}
