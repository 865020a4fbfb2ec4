/** Tells lines that hold a text from those that do not, at the speed of the byte finder. */
import { type ByteFinder, makeByteFinder } from "./byte_finder.ts";
import { textPattern } from "./byte_pattern.ts";

const BLOCK_BYTES = 64 * 1024;

let shared: ByteFinder | undefined;

/** Makes the test for a short text in ASCII. */
export function lineMark(text: string): (line: Uint8Array) => boolean {
  const pattern = textPattern(text);
  const step = BLOCK_BYTES - text.length;
  return (line) => {
    const finder = shared ??= makeByteFinder(BLOCK_BYTES);
    for (let from = 0; from < line.length; from += step) {
      const block = line.subarray(from, from + BLOCK_BYTES);
      finder.bytes.set(block);
      if (finder.find(pattern, 0, block.length) >= 0) return true;
    }
    return false;
  };
}
