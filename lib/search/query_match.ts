/** Matches texts against a query, and locates the matches. Pure. */
import type { Query, QueryNode, Term } from "./query.ts";
import { isWholeWord } from "./whole_word.ts";

/** A stretch of a text: from its first character to the one behind its last. */
export type TextRange = readonly [start: number, end: number];

/** What of a query is in some texts. */
export interface Match {
  /** How much of what was asked for is there, up to 1. */
  coverage: number;
  /** How much of what is there stands as whole words, up to 1. */
  whole: number;
  /** The piece with the first match, and where it is: a whole word before a part of one. */
  piece: string;
  range: TextRange;
}

/** The match of the pieces of one text; undefined where they do not fit. */
export function matchPieces(query: Query, pieces: readonly string[]): Match | undefined {
  const found = new Map<Term, TermMatch | undefined>();
  const matchOf = (term: Term): TermMatch | undefined => {
    if (!found.has(term)) found.set(term, findTerm(term, pieces));
    return found.get(term);
  };
  if (!fits(query.root, (term) => matchOf(term) !== undefined)) return undefined;
  const matches = query.terms.flatMap((term) => matchOf(term) ?? []);
  const wholes = matches.filter(({ is_whole }) => is_whole);
  // Of an expression that matches nothing at all, such as `x*`, there is nothing to show.
  const { piece = "", range = [0, 0] as const } = wholes[0] ?? matches[0] ?? {};
  const whole = matches.length === 0 ? 0 : wholes.length / matches.length;
  return { coverage: matches.length / query.terms.length, whole, piece, range };
}

/** True if a query fits, where `has` says which of its terms do. */
export function fits(node: QueryNode, has: (term: Term) => boolean): boolean {
  if (node.type === "term") return has(node);
  if (node.type === "not") return !fits(node.child, has);
  return node.type === "and"
    ? node.children.every((child) => fits(child, has))
    : node.children.some((child) => fits(child, has));
}

/** True if a query may fit, where `may` says which of its terms can be there: too often, never too rarely. */
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

/** The first place of a term where it is a whole word, else its first place. */
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
