/** Writes words as a POSIX shell reads them. */

/** Control characters, and all that shows nothing or changes how the rest is shown. */
const UNSEEN = /[[\p{C}\p{Z}]--[ ]]/v;
const EVERY_UNSEEN = new RegExp(UNSEEN, "gv");

const encoder = new TextEncoder();

/** Quotes a word for a shell, if it needs that. What cannot be seen is written as escapes. */
export function quoteWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  if (!UNSEEN.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  const escaped = word.replace(/[\\']/g, "\\$&").replace(EVERY_UNSEEN, octal);
  return `$'${escaped}'`;
}

function octal(character: string): string {
  return Array.from(encoder.encode(character), (byte) => `\\${byte.toString(8).padStart(3, "0")}`)
    .join("");
}
