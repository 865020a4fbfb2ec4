/** Recognizes a Reprise log from the head of a file. */
import { parseLineAlone } from "../log/line_parser.ts";
import { splitChunk, splitRest, startSplit } from "../log/line_splitter.ts";
import type { FileHead } from "../log/read_whole.ts";

/** Matches the start of an event whose line is longer than the bytes read from the file. */
const EVENT_PREFIX = /^\s*\{"(?:v":\d+,"seq|seq)":\d+,"kind":"/;

/** Matches events of Keen Code, in which the event's kind is the name of the payload's member. */
const KEEN_PREFIX = /^\s*\{"seq":\d+,"kind":"(\w+)","\1":/;

/** Matches the start of a file of `export --format json`, which has event lines but is no log. */
const DOCUMENT_PREFIX = /^\{"summary":\{"/;

/** True if the head has an event of Reprise, or the file is empty and may become a log. */
export function isOwnLog(head: FileHead): boolean {
  const { bytes, whole } = head;
  if (bytes.length === 0) return whole;
  if (isJsonDocument(head)) return false;
  const text = beginning(bytes);
  if (EVENT_PREFIX.test(text)) return !KEEN_PREFIX.test(text);
  const split = startSplit();
  const lines = splitChunk(split, bytes);
  const rest = splitRest(split);
  if (whole && rest !== undefined) lines.push(rest);
  for (const line of lines) {
    if (KEEN_PREFIX.test(beginning(line.bytes))) return false;
    if (parseLineAlone(line, {}).length > 0) return true;
  }
  return false;
}

/** True for a session that was exported as one JSON document. */
export function isJsonDocument({ bytes }: FileHead): boolean {
  return DOCUMENT_PREFIX.test(beginning(bytes));
}

function beginning(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(0, 256));
}
