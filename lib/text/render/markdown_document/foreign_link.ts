/** Finds links whose scheme is not safe, in time linear in the text. */

/** Matches what precedes a link's address: `](` or `]:`, then blanks and `>` of quotes. */
const OPENING = /\][(:]([\s>]*)/g;
const SAFE_SCHEME = /https?:|mailto:|#/iy;
/** Matches a scheme's colon, or the start of an entity or escape that may hide a colon. */
const SCHEME = /[:&\\]/g;
/** Matches the end of an address. Only ASCII blanks end an address. */
const END = /[ \t\n)]/g;
const ANGLE_END = /[>\n]/g;

/**
 * True if an address may have an unsafe scheme. Code and quotes are searched, too, because parsers
 * disagree on them.
 */
export function hasForeignLink(text: string): boolean {
  const scheme = nextOf(SCHEME, text);
  const end = nextOf(END, text);
  const angleEnd = nextOf(ANGLE_END, text);
  for (const { 0: opening, 1: blanks = "", index } of text.matchAll(OPENING)) {
    const start = index + opening.length;
    const is_angle = text[start] === "<";
    SAFE_SCHEME.lastIndex = is_angle ? start + 1 : start;
    const is_safe = SAFE_SCHEME.test(text);
    if (!is_safe && scheme(start) < (is_angle ? angleEnd : end)(start)) return true;
    // Not every parser skips such a character before an address.
    if (/[^ \t\n]$/.test(blanks) && scheme(start) < end(start)) return true;
  }
  return false;
}

/** Returns a function that finds the next match from an offset on. Offsets must not decrease. */
function nextOf(pattern: RegExp, text: string): (from: number) => number {
  let found = -1;
  return (from) => {
    if (found < from) {
      pattern.lastIndex = from;
      found = pattern.exec(text)?.index ?? Infinity;
    }
    return found;
  };
}
