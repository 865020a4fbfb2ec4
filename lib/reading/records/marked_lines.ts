/** Finds the lines of a file that hold given bytes. All others are passed at reading speed. */
import type { BytePattern } from "../../log/byte_pattern.ts";
import { lineBlocks } from "../../log/line_blocks.ts";

const LF = 0x0a;
const decoder = new TextDecoder();

/**
 * Yields the texts of lines that hold one of some patterns, in their order, a batch a block of bytes.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export function* markedLines(
  path: string,
  patterns: readonly BytePattern[],
): Generator<string[]> {
  for (const { finder, end } of lineBlocks(path)) {
    const { bytes } = finder;
    const texts: string[] = [];
    const places = patterns.map((pattern) => finder.find(pattern, 0, end));
    for (;;) {
      const at = Math.min(...places.filter((place) => place >= 0));
      if (at === Infinity) break;
      const feed = bytes.indexOf(LF, at);
      const line_end = feed < 0 || feed > end ? end : feed;
      texts.push(decoder.decode(bytes.subarray(bytes.lastIndexOf(LF, at) + 1, line_end)));
      for (const [index, pattern] of patterns.entries()) {
        const place = places[index] as number;
        if (place >= 0 && place < line_end) places[index] = finder.find(pattern, line_end, end);
      }
    }
    yield texts;
  }
}
