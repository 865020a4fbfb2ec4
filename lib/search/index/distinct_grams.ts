/**
 * Folds texts and drops repetitions from them before they are indexed. Most of a log repeats itself,
 * and trigrams cost by length. Pure.
 */
import { foldText } from "../fold.ts";

/** Stands between what is left; no term has it. */
export const GRAM_BORDER = "\x1f";

const GRAM = 3;
const ASCII_BITS = 7;
const LAST_ASCII = 0x7f;
const LAST_GRAM = (1 << (GRAM * ASCII_BITS)) - 1;
const [UPPER_A, UPPER_Z, TO_LOWER] = [0x41, 0x5a, 0x20];
const LAST_CALL = 0xff;
/** For each group of three ASCII characters, the last call that had it. */
let seen: Uint8Array | undefined;
let call = 0;

/** A shorter text, folded, in which each group of three characters stands that stands in a text. */
export function distinctGrams(texts: readonly string[]): string {
  const last = lastCalls();
  const parts: string[] = [];
  for (const text of texts) addGrams(text, last, parts);
  // SQLite ends a text at a NUL.
  return foldText(parts.join(GRAM_BORDER)).replaceAll("\0", GRAM_BORDER);
}

function addGrams(text: string, last: Uint8Array, parts: string[]): void {
  let start = -1;
  let [gram, wide] = [0, -1];
  for (let at = 0; at < text.length; at++) {
    let unit = text.charCodeAt(at);
    if (unit >= UPPER_A && unit <= UPPER_Z) unit |= TO_LOWER;
    else if (unit > LAST_ASCII) wide = at;
    gram = ((gram << ASCII_BITS) | unit) & LAST_GRAM;
    const first = at - GRAM + 1;
    if (first < 0) continue;
    // Groups with others than ASCII are few: each is kept, so that no character is cut in two.
    if (wide >= first || last[gram] !== call) {
      if (wide < first) last[gram] = call;
      if (start < 0) start = first;
    } else if (start >= 0) {
      parts.push(text.slice(start, at));
      start = -1;
    }
  }
  if (start >= 0) parts.push(text.slice(start));
}

/** The marks, none of which is that of a call to come. */
function lastCalls(): Uint8Array {
  if (seen === undefined) seen = new Uint8Array(LAST_GRAM + 1);
  else if (call === LAST_CALL) seen.fill(0);
  call = call === LAST_CALL ? 1 : call + 1;
  return seen;
}
