/** Tells whole words from parts of words. Pure. */

const ASCII_WORD = /^[0-9A-Za-z_]$/;
const ASCII = 0x7f;
let wordPattern: RegExp | undefined;
let spacelessPattern: RegExp | undefined;

/** True if a stretch of a text neither begins nor ends within a word. */
export function isWholeWord(text: string, [start, end]: readonly [number, number]): boolean {
  return !isWithinWord(text, start) && !isWithinWord(text, end);
}

/** True if one word is on both sides of a place. Without spaces between words, nobody can tell. */
function isWithinWord(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const [before, behind] = [
    characterBefore(text, at),
    String.fromCodePoint(text.codePointAt(at) ?? 0),
  ];
  return isWord(before) && isWord(behind) && !isSpaceless(before) && !isSpaceless(behind);
}

function characterBefore(text: string, at: number): string {
  return text.slice(Math.max(0, at - 2), at).match(/[^]$/u)?.[0] ?? "";
}

function isWord(character: string): boolean {
  if (character.charCodeAt(0) <= ASCII) return ASCII_WORD.test(character);
  wordPattern ??= /[\p{L}\p{M}\p{N}]/u;
  return wordPattern.test(character);
}

function isSpaceless(character: string): boolean {
  if (character.charCodeAt(0) <= ASCII) return false;
  spacelessPattern ??=
    /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
  return spacelessPattern.test(character);
}
