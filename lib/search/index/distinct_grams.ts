/**
 * Drops repetitions from a text before it is indexed. Most of a log repeats itself, and trigrams
 * cost by length. Pure.
 */

/** Stands between what is left; no term has it. */
export const GRAM_BORDER = "\x1f";

const GRAM = 3;
const ASCII_BITS = 7;
const LAST_ASCII = 0x7f;
const LAST_GRAM = (1 << (GRAM * ASCII_BITS)) - 1;
/** For each group of three ASCII characters, the last text that had it. */
let seen: Uint32Array | undefined;
let text_count = 0;

/** A shorter text in which each group of three characters stands that stands in `text`. */
export function distinctGrams(text: string): string {
  const last = lastTexts();
  const parts: string[] = [];
  let start = -1;
  let [gram, wide] = [0, -1];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit > LAST_ASCII) wide = at;
    gram = ((gram << ASCII_BITS) | unit) & LAST_GRAM;
    const first = at - GRAM + 1;
    if (first < 0) continue;
    // Groups with others than ASCII are few: each is kept, so that no character is cut in two.
    if (wide >= first || last[gram] !== text_count) {
      if (wide < first) last[gram] = text_count;
      if (start < 0) start = first;
    } else if (start >= 0) {
      parts.push(text.slice(start, at));
      start = -1;
    }
  }
  if (start >= 0) parts.push(text.slice(start));
  return parts.join(GRAM_BORDER);
}

/** The marks, none of which is that of a text to come. */
function lastTexts(): Uint32Array {
  text_count = (text_count + 1) >>> 0;
  if (seen === undefined || text_count === 0) {
    seen = new Uint32Array(LAST_GRAM + 1);
    text_count = 1;
  }
  return seen;
}
