/**
 * Whether a file is a log of ours, from its head.
 */
import type { LogEvent } from "../event/envelope.ts";
import { parseLine } from "../log/line_parser.ts";
import { splitChunk, splitRest, startSplit } from "../log/line_splitter.ts";
import { emptyTally } from "../log/parse_state.ts";
import type { FileHead } from "../log/read_head.ts";

/** An event that is longer than the head: its first bytes tell. */
const EVENT_PREFIX = /^\s*\{"(?:v":\d+,"seq|seq)":\d+,"kind":"/;

/** Whether the head holds an event of ours; an empty file may become a log. */
export function isOwnLog({ bytes, whole }: FileHead): boolean {
  if (bytes.length === 0) return whole;
  if (EVENT_PREFIX.test(new TextDecoder().decode(bytes.subarray(0, 256)))) return true;
  const split = startSplit();
  const lines = splitChunk(split, bytes);
  const rest = splitRest(split);
  if (whole && rest !== undefined) lines.push(rest);
  const events: LogEvent[] = [];
  const tally = emptyTally();
  for (const line of lines) {
    parseLine({ last_seq: undefined, kinds: undefined, report: ignore, tally }, line, events);
    if (events.length > 0) return true;
  }
  return false;
}

function ignore(): void {}
