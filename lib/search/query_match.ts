/** Matches texts against a query, and locates the matches. Pure. */
import type { Query, QueryNode, Term } from "./query.ts";

/** A stretch of a text: from its first character to the one behind its last. */
export type TextRange = readonly [start: number, end: number];

/** What of a query is in some texts. */
export interface Match {
  /** How much of what was asked for is there, up to 1. */
  coverage: number;
  /** The piece with the first match, and where it is. */
  piece: string;
  range: TextRange;
}

/** The match of the pieces of one text; undefined where they do not fit. */
export function matchPieces(query: Query, pieces: readonly string[]): Match | undefined {
  if (!fits(query.root, (term) => findTerm(term, pieces) !== undefined)) return undefined;
  const found = query.terms.map((term) => findTerm(term, pieces));
  const count = found.filter((one) => one !== undefined).length;
  const first = found.find((one) => one !== undefined);
  // Of an expression that matches nothing at all, such as `x*`, there is nothing to show.
  const { piece = "", range = [0, 0] as const } = first ?? {};
  return { coverage: count / query.terms.length, piece, range };
}

/** Whether a query fits, where `has` says which of its terms do. */
export function fits(node: QueryNode, has: (term: Term) => boolean): boolean {
  if (node.type === "term") return has(node);
  if (node.type === "not") return !fits(node.child, has);
  return node.type === "and"
    ? node.children.every((child) => fits(child, has))
    : node.children.some((child) => fits(child, has));
}

/** Whether a query may fit, where `may` says which of its terms can be there: too often, never too rarely. */
export function mayFit(node: QueryNode, may: (term: Term) => boolean): boolean {
  if (node.type === "term") return may(node);
  if (node.type === "not") return true;
  return node.type === "and"
    ? node.children.every((child) => mayFit(child, may))
    : node.children.some((child) => mayFit(child, may));
}

/** The first place of a term. */
function findTerm(
  { pattern }: Term,
  pieces: readonly string[],
): Pick<Match, "piece" | "range"> | undefined {
  for (const piece of pieces) {
    pattern.lastIndex = 0;
    const found = pattern.exec(piece);
    if (found !== null) return { piece, range: [found.index, found.index + found[0].length] };
  }
  return undefined;
}
