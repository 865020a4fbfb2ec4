/** Parses Markdown to tokens, in bounded time. */
import { Lexer, type Token } from "npm:marked@18.2.1";

/** Maximum UTF-16 units of a text to parse. A longer one is shown as it is written. */
export const MARKDOWN_LIMIT = 256 * 1024;

/** Maximum nesting of blocks. Deeper blocks are shown as they are written. */
export const MAX_DEPTH = 24;

// The parser's work on a run of inline text can grow with the square of its delimiters: a page of
// "*a_" takes seconds. Ordinary answers stay far below this sum of squares.
const COST_LIMIT = 10_000_000;

const DELIMITERS = /[*_~`[\]<!]/g;

/**
 * Parses a text.
 *
 * @throws {RangeError} if the parser fails, for example on nesting too deep for the stack.
 */
export function lexMarkdown(text: string): Token[] {
  try {
    return tokensOf(text);
  } catch (error) {
    // marked 18.2.1 fails where a quote in a list ends with an empty item: "- a\n  >2)\nb".
    if (!(error instanceof TypeError)) throw error;
    throw new RangeError("Cannot read Markdown: the parser failed", { cause: error });
  }
}

function tokensOf(text: string): Token[] {
  const lexer = new Lexer({ gfm: true });
  lexer.blockTokens(text, lexer.tokens);
  let cost = 0;
  for (const { src, tokens } of lexer.inlineQueue) {
    cost += countDelimiters(src) ** 2;
    if (cost > COST_LIMIT) tokens.push({ type: "text", raw: src, text: src, escaped: true });
    else lexer.inlineTokens(src, tokens);
  }
  return lexer.tokens;
}

function countDelimiters(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(DELIMITERS)) count++;
  return count;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": "\u00a0",
};

/** Decodes the character references that the parser leaves. The parser decodes numeric ones. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|nbsp|#39);/g, (entity) => ENTITIES[entity] ?? entity);
}
