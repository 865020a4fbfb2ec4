/**
 * Markdown to tokens, whatever the text: where the parser would need too long or too deep a stack,
 * the text stays plain.
 *
 * @module
 */
import { Lexer, type Token } from "npm:marked@18.2.1";

// The parser's work on a run of inline text can grow with the square of its delimiters: a page of
// "*a_" takes seconds. Ordinary answers stay far below this sum of squares.
const COST_LIMIT = 10_000_000;

const DELIMITERS = /[*_~`[\]<!]/g;

/** Tokens of a text, or `undefined` where its blocks are nested too deep to be parsed. */
export function lexMarkdown(text: string): Token[] | undefined {
  const lexer = new Lexer({ gfm: true });
  try {
    lexer.blockTokens(text, lexer.tokens);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  let cost = 0;
  for (const { src, tokens } of lexer.inlineQueue) {
    cost += countDelimiters(src) ** 2;
    if (cost > COST_LIMIT) tokens.push(plainToken(src));
    else lexInline(lexer, src, tokens);
  }
  return lexer.tokens;
}

function lexInline(lexer: Lexer, text: string, tokens: Token[]): void {
  try {
    lexer.inlineTokens(text, tokens);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    tokens.splice(0, tokens.length, plainToken(text));
  }
}

function countDelimiters(text: string): number {
  let count = 0;
  for (const _ of text.matchAll(DELIMITERS)) count++;
  return count;
}

function plainToken(text: string): Token {
  return { type: "text", raw: text, text, escaped: true };
}
