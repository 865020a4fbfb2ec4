/** Counts the usage of a file of Claude Code: all its responses, on any branch. */
import { textPattern } from "../../log/byte_pattern.ts";
import { lineBlocks } from "../../log/line_blocks.ts";
import type { ResponseUsage } from "../../projection/response_usage.ts";
import { noResponse, usageInLine } from "./usage_line.ts";

const USAGE = textPattern('"usage"');
const BRACE = '"usage":'.length;
const COLON = 0x3a;
const OPEN_OBJECT = 0x7b;
const LF = 0x0a;
const CR = 0x0d;

/** Yields the responses in a file. */
export function* usageIn(path: string): Generator<ResponseUsage[]> {
  for (const { finder, end } of lineBlocks(path)) {
    const { bytes } = finder;
    const found: ResponseUsage[] = [];
    // Records that were given out must not change any more.
    const last_response = noResponse();
    let at = finder.find(USAGE, 0, end);
    while (at >= 0) {
      const start = bytes.lastIndexOf(LF, at) + 1;
      const feed = bytes.indexOf(LF, at);
      const line_end = feed < 0 || feed > end ? end : feed;
      const last = bytes[line_end - 1] === CR ? line_end - 1 : line_end;
      const isPlain = bytes[at + BRACE - 1] === COLON && bytes[at + BRACE] === OPEN_OBJECT;
      const brace = isPlain ? at + BRACE : -1;
      for (const response of usageInLine(bytes, start, last, brace, last_response)) {
        if (isSpent(response)) found.push(response);
        else last_response.record = undefined;
      }
      at = finder.find(USAGE, line_end, end);
    }
    yield found;
  }
}

/** An answer that Claude Code made up itself took nothing. */
function isSpent(
  { usage: { input = 0, output = 0, cache_read = 0, cache_write = 0 } }: ResponseUsage,
): boolean {
  return input + output + cache_read + cache_write > 0;
}
