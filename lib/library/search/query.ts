/**
 * Parses queries. A term matches anywhere, also inside a word, in any case. Scan and index share
 * this definition. Pure.
 */

export interface Term {
  type: "term";
  /** The text as written, without quotes. */
  text: string;
  /** The term's regular expression. Its flags are `giu` or come from the query. */
  pattern: RegExp;
  /** Texts without spaces that all matches contain, in any letter case; empty if none are known. */
  cores: readonly string[];
  /** True if matches within a word rank lower; false for prefixes and expressions. */
  is_word: boolean;
}

export type QueryNode =
  | Term
  | { type: "and" | "or"; children: readonly QueryNode[] }
  | { type: "not"; child: QueryNode };

export interface Query {
  root: QueryNode;
  /** The terms that are not negated. Every hit has at least one of them. */
  terms: readonly Term[];
}

const SPECIAL = /[\\^$.*+?()[\]{}|/]/g;
// deno-lint-ignore no-control-regex -- no text that is searched has them in the middle of a line
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;
const WORD_START = "(?<![\\p{L}\\p{N}_])";

const LONGEST_QUERY = 2000;

/** Makes a term of plain text. Case and the amount of white space are ignored. */
export function textTerm(text: string, prefix = false): Term {
  const cores = text.split(/\s+/u).filter((core) => core !== "");
  const source = cores.map((core) => core.replace(SPECIAL, "\\$&")).join("\\s+");
  const pattern = new RegExp(prefix ? WORD_START + source : source, "giu");
  return { type: "term", text, pattern, cores, is_word: !prefix };
}

/**
 * Parses a regular expression, written as `/expression/flags` or `expression`. The second form
 * ignores upper and lower case.
 *
 * @throws {SyntaxError} With the fault in the expression.
 */
export function parseRegex(text: string): Query {
  const [, body = text, flags = "i"] = /^\/(.*)\/([imsuv]*)$/s.exec(text) ?? [];
  if (body === "") throw new SyntaxError("the expression is empty");
  if (body.length > LONGEST_QUERY) throw new SyntaxError("the expression is too long");
  const unicode = /[uv]/.test(flags) ? "" : "u";
  const pattern = new RegExp(body, `g${unicode}${flags}`);
  const term: Term = { type: "term", text, pattern, cores: [], is_word: false };
  return { root: term, terms: [term] };
}

const MOST_TERMS = 64;
const DEEPEST = 32;

/**
 * Parses a query: words (all of them), `"phrases"`, `prefix*`, `OR`, `NOT` or `-`, parentheses.
 *
 * @throws {SyntaxError} With the fault in the query.
 */
export function parseQuery(text: string): Query {
  if (text.length > LONGEST_QUERY) throw new SyntaxError("the query is too long");
  if (CONTROL.test(text)) throw new SyntaxError("the query has control characters");
  const tokens = tokenize(text.toWellFormed());
  if (tokens.length === 0) throw new SyntaxError("the query is empty");
  const parser: Parser = { tokens, at: 0, depth: 0 };
  const root = parseOr(parser);
  if (parser.at < tokens.length) throw new SyntaxError('")" has no matching "("');
  const terms = positiveTerms(root);
  if (terms.length > MOST_TERMS) {
    throw new SyntaxError(`the query has more than ${MOST_TERMS} terms`);
  }
  if (!isAnchored(root)) throw new SyntaxError("all words are excluded; add a word to search for");
  return { root, terms };
}

function positiveTerms(node: QueryNode): Term[] {
  if (node.type === "term") return [node];
  return node.type === "not" ? [] : node.children.flatMap(positiveTerms);
}

/** True if every match of a node contains a term that is not negated. */
function isAnchored(node: QueryNode): boolean {
  if (node.type === "term") return true;
  if (node.type === "not") return false;
  return node.type === "and" ? node.children.some(isAnchored) : node.children.every(isAnchored);
}

/**
 * Splits a query into parts that must all match. Each returned text is one part, followed by all
 * negated parts.
 */
export function queryParts({ root }: Query): string[] {
  const { true: parts = [], false: others = [] } = Object.groupBy(
    conjuncts(root),
    (node) => `${isAnchored(node)}`,
  );
  const negated = others.map(queryText);
  return [...new Set(parts.map((node) => [queryText(node), ...negated].join(" ")))];
}

function conjuncts(node: QueryNode): readonly QueryNode[] {
  return node.type === "and" ? node.children.flatMap(conjuncts) : [node];
}

/** Returns a text that is parsed to the same node. */
function queryText(node: QueryNode): string {
  if (node.type === "not") return `NOT ${queryText(node.child)}`;
  if (node.type !== "term") {
    return `(${node.children.map(queryText).join(node.type === "or" ? " OR " : " ")})`;
  }
  // No phrase holds quotation marks, and no word with them holds spaces.
  const text = node.text.includes('"') ? node.text : `"${node.text}"`;
  return node.is_word ? text : `${text}*`;
}

type Token = Term | { type: "(" | ")" | "or" | "and" | "not" };

interface Parser {
  readonly tokens: readonly Token[];
  at: number;
  depth: number;
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    if (/\s/u.test(text[at] as string)) at++;
    else at = readToken(text, at, tokens);
  }
  return tokens;
}

const WORDS: ReadonlyMap<string, Token> = new Map([
  ["OR", { type: "or" }],
  ["AND", { type: "and" }],
  ["NOT", { type: "not" }],
]);

/** Adds the token at `at` to `tokens`. Returns the offset after the token. */
function readToken(text: string, at: number, tokens: Token[]): number {
  const first = text[at];
  if (first === "(" || first === ")") {
    tokens.push({ type: first });
    return at + 1;
  }
  // Two dashes begin a program's option, which is a term.
  if (first === "-" && /[^\s-]/u.test(text[at + 1] ?? " ")) {
    tokens.push({ type: "not" });
    return at + 1;
  }
  if (first === '"') return readPhrase(text, at, tokens);
  const end = wordEnd(text, at);
  const word = text.slice(at, end);
  tokens.push(WORDS.get(word) ?? wordTerm(word));
  return end;
}

function wordTerm(word: string): Term {
  const prefix = word.length > 1 && word.endsWith("*") && !word.endsWith("**");
  return prefix ? textTerm(word.slice(0, -1), true) : textTerm(word);
}

function readPhrase(text: string, at: number, tokens: Token[]): number {
  const end = text.indexOf('"', at + 1);
  if (end < 0) throw new SyntaxError(`the closing quotation mark is missing: ${text.slice(at)}`);
  const phrase = text.slice(at + 1, end);
  if (phrase.trim() === "") throw new SyntaxError("a phrase is empty");
  const prefix = text[end + 1] === "*";
  tokens.push(textTerm(phrase, prefix));
  return end + (prefix ? 2 : 1);
}

/** Returns the offset after a word. Paired parentheses in it, as in `foo.bar()`, belong to it. */
function wordEnd(text: string, start: number): number {
  let depth = 0;
  let at = start;
  for (; at < text.length; at++) {
    const character = text[at] as string;
    if (/\s/u.test(character)) break;
    if (character === "(") depth++;
    else if (character === ")" && --depth < 0) break;
  }
  return at;
}

function parseOr(parser: Parser): QueryNode {
  const children = [parseAnd(parser)];
  while (parser.tokens[parser.at]?.type === "or") {
    parser.at++;
    children.push(parseAnd(parser));
  }
  return children.length === 1 ? children[0] as QueryNode : { type: "or", children };
}

function parseAnd(parser: Parser): QueryNode {
  const children: QueryNode[] = [];
  for (;;) {
    const type = parser.tokens[parser.at]?.type;
    if (type === "and" && children.length > 0) parser.at++;
    else if (type === undefined || type === ")" || type === "or" || type === "and") break;
    children.push(parseNot(parser));
  }
  if (children.length === 0) throw new SyntaxError(missing(parser));
  return children.length === 1 ? children[0] as QueryNode : { type: "and", children };
}

function parseNot(parser: Parser): QueryNode {
  const token = parser.tokens[parser.at];
  if (++parser.depth > DEEPEST) throw new SyntaxError("the query has too many nested parentheses");
  try {
    if (token?.type === "term") {
      parser.at++;
      return token;
    }
    if (token?.type === "not") {
      parser.at++;
      return { type: "not", child: parseNot(parser) };
    }
    if (token?.type === "(") return parseGroup(parser);
    throw new SyntaxError(missing(parser));
  } finally {
    parser.depth--;
  }
}

function parseGroup(parser: Parser): QueryNode {
  parser.at++;
  const node = parseOr(parser);
  if (parser.tokens[parser.at]?.type !== ")") throw new SyntaxError('"(" has no matching ")"');
  parser.at++;
  return node;
}

function missing({ tokens, at }: Parser): string {
  const name = (token: Token | undefined): string => token?.type.toUpperCase() ?? "";
  const [before, here] = [name(tokens[at - 1]), name(tokens[at])];
  if (here === ")") return 'there is nothing before ")"';
  if (here !== "") {
    return `there is nothing before ${here}; to search for the word, write "${here.toLowerCase()}"`;
  }
  return `there is nothing after ${before === "(" ? '"("' : before}`;
}
