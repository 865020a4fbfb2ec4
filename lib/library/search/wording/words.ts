/**
 * Splits texts into words: runs of letters and digits. Texts without spaces, such as Chinese, are
 * split into pairs of characters. Index and scan share this definition. Pure.
 */
import { foldText } from "../fold.ts";
import type { Query, QueryNode } from "../query.ts";
import { stemOf } from "./stem.ts";
import { americanOf } from "./spelling.ts";

/** Maximum length of a word; a longer run of letters and digits is data. */
const LONGEST_WORD = 40;

const [SEPARATOR, LETTER, SPACELESS] = [1, 2, 3];
/** The kind of each UTF-16 unit; 0 until `kindOf` has computed it. */
const kinds = new Uint8Array(0x10000);
const IS_SPACELESS =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u;
const IS_LETTER = /[\p{L}\p{N}\p{M}]/u;

function kindOf(unit: number): number {
  return kinds[unit] || (kinds[unit] = newKind(String.fromCharCode(unit)));
}

function newKind(character: string): number {
  if (!IS_LETTER.test(character)) return SEPARATOR;
  return IS_SPACELESS.test(character) ? SPACELESS : LETTER;
}

export function forEachWord(text: string, onWord: (word: string, at: number) => void): void {
  forEachSpan(text, (start, end) => onWord(text.slice(start, end), start));
}

export function forEachSpan(text: string, onSpan: (start: number, end: number) => void): void {
  let start = -1;
  let before = SEPARATOR;
  for (let at = 0; at <= text.length; at++) {
    const kind = at < text.length ? kindOf(text.charCodeAt(at)) : SEPARATOR;
    if (kind === LETTER) {
      if (start < 0) start = at;
    } else if (start >= 0) {
      if (at - start <= LONGEST_WORD) onSpan(start, at);
      start = -1;
    }
    if (kind === SPACELESS) {
      const is_followed = kindOf(text.charCodeAt(at + 1) || 0) === SPACELESS;
      if (is_followed) onSpan(at, at + 2);
      else if (before !== SPACELESS) onSpan(at, at + 1);
    }
    before = kind;
  }
}

/** Returns a text that all forms of the word share. */
export function baseOf(word: string): string {
  const folded = foldText(word);
  if (/^[a-z]+$/.test(folded)) return stemOf(americanOf(folded));
  if (/^[a-z0-9]*$/.test(folded)) return folded;
  // Accents are often left out.
  const plain = folded.normalize("NFD").replace(/[\u0300-\u036f]/g, "").normalize("NFC");
  return /^[a-z]+$/.test(plain) ? stemOf(americanOf(plain)) : plain;
}

export const WORD_BITS = 30;

/** Returns a hash of a word's base form. Of a million bases, a few hundred share their hash. */
export function wordNumber(base: string): number {
  let mixed = 0x811c9dc5;
  for (let at = 0; at < base.length; at++) {
    mixed = Math.imul(mixed ^ base.charCodeAt(at), 0x01000193);
    mixed ^= mixed >>> 15;
  }
  return Math.imul(mixed, 0x9e3779b1) >>> (32 - WORD_BITS);
}

const STOP_WORDS: ReadonlySet<string> = new Set(
  ("a about after all also am an and any are around as at be been before being but by can could " +
    "couldn d did didn do does doesn doing don ever for from get gets give had has hasn have haven " +
    "he her him his how i if in into is isn it its just last like ll m made make may me more most " +
    "much my need new no not now of off on once one or other our out over own problem re rid s " +
    "same say seen she should shouldn so some such t take than that the their them then there " +
    "these they thing this those time to too under until up us use ve was wasn way we were weren " +
    "what when where which while who whom why will with without won work works would wouldn yes " +
    "you your again").split(" "),
);

/** Maximum number of a question's words that count: a 32-bit number has one bit per word. */
const MOST_WORDS = 32;

export function isCommonWord(word: string): boolean {
  return STOP_WORDS.has(foldText(word));
}

/** Returns base forms of a query's words, except common ones. Empty if all terms are phrases. */
export function questionWords({ terms }: Query): string[] {
  const bases = new Set<string>();
  if (terms.every(({ cores }) => cores.length > 1)) return [];
  for (const { text } of terms) {
    forEachWord(text, (word) => {
      if (!isCommonWord(word) && bases.size < MOST_WORDS) bases.add(baseOf(word));
    });
  }
  return [...bases];
}

export function excludedParts({ root }: Query): QueryNode[] {
  const parts = (node: QueryNode): QueryNode[] =>
    node.type === "and" ? node.children.flatMap(parts) : node.type === "not" ? [node.child] : [];
  return parts(root);
}
