/** Matches texts against a query, and locates the matches. Pure. */
import type { Query, QueryNode, Term } from "./query.ts";

/** A range of a text. The end is exclusive. */
export type TextRange = readonly [start: number, end: number];

export interface Match {
  /** Share of the query's terms that match, from 0 to 1. */
  coverage: number;
  /** Share of the matching terms that are whole words, from 0 to 1. */
  whole: number;
  /** One of `pieces`, with the first match, preferably of a whole word; `range` is in `piece`. */
  piece: string;
  range: TextRange;
}

export function matchPieces(query: Query, pieces: readonly string[]): Match | undefined {
  const found = new Map<Term, TermMatch | undefined>();
  const matchOf = (term: Term): TermMatch | undefined => {
    if (!found.has(term)) found.set(term, findTerm(term, pieces));
    return found.get(term);
  };
  if (!fits(query.root, (term) => matchOf(term) !== undefined)) return undefined;
  const matches = query.terms.flatMap((term) => matchOf(term) ?? []);
  const wholes = matches.filter(({ is_whole }) => is_whole);
  // An expression that matches nothing, such as `x*`, has nothing to show.
  const { piece = "", range = [0, 0] as const } = wholes[0] ?? matches[0] ?? {};
  const whole = matches.length === 0 ? 0 : wholes.length / matches.length;
  return { coverage: matches.length / query.terms.length, whole, piece, range };
}

export function fits(node: QueryNode, has: (term: Term) => boolean): boolean {
  if (node.type === "term") return has(node);
  if (node.type === "not") return !fits(node.child, has);
  return node.type === "and"
    ? node.children.every((child) => fits(child, has))
    : node.children.some((child) => fits(child, has));
}

/** True if a node may match. `may` is true for each term that may match. */
export function mayFit(node: QueryNode, may: (term: Term) => boolean): boolean {
  if (node.type === "term") return may(node);
  if (node.type === "not") return true;
  return node.type === "and"
    ? node.children.every((child) => mayFit(child, may))
    : node.children.some((child) => mayFit(child, may));
}

interface TermMatch extends Pick<Match, "piece" | "range"> {
  is_whole: boolean;
}

/** Returns the first match of a term as a whole word; if there is none, the first match. */
function findTerm({ pattern, is_word }: Term, pieces: readonly string[]): TermMatch | undefined {
  let first: TermMatch | undefined;
  for (const piece of pieces) {
    pattern.lastIndex = 0;
    for (let found = pattern.exec(piece); found !== null; found = pattern.exec(piece)) {
      const range = [found.index, found.index + found[0].length] as const;
      if (!is_word || isWholeWord(piece, range)) return { piece, range, is_whole: true };
      first ??= { piece, range, is_whole: false };
    }
  }
  return first;
}

const ASCII_WORD = /^[0-9A-Za-z_]$/;
const ASCII = 0x7f;
let wordPattern: RegExp | undefined;
let spacelessPattern: RegExp | undefined;

function isWholeWord(text: string, [start, end]: readonly [number, number]): boolean {
  return !isWithinWord(text, start) && !isWithinWord(text, end);
}

/** Always false in scripts without spaces, because they have no word borders. */
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
