/**
 * Makes foreign Markdown safe for a document: no raw HTML, nothing that loads, no link that runs.
 *
 * @module
 */
import { marked, type Token, type Tokens } from "npm:marked@18.2.1";
import { lexMarkdown, MARKDOWN_LIMIT } from "../markdown/lex.ts";
import { sanitizeText } from "../sanitize.ts";
import { fence } from "./fence.ts";

const FENCE = /^[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*(`{3,}|~{3,})/;
/**
 * A link whose scheme is not safe, whatever stands around it: parsers disagree on what is code and
 * what is quoted, so this looks at the text alone. Entities and escapes may hide a scheme.
 */
const FOREIGN_LINK =
  /\][(:][\s>]*(?:<(?!https?:|mailto:|#)[^>\n]*[:&\\]|(?!<|https?:|mailto:|#)[^\s)]*[:&\\])/i;
/** One between angle brackets; `<std::string>` is none that runs. */
const FOREIGN_AUTOLINK = /<(?!https?:|mailto:)[a-z][a-z0-9+.-]{1,31}:(?!:)[^\s<>]*>/i;
const HEADING = /^([\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)*)(#{1,6})(?=\s|$)/;
const UNDERLINE = /^([\s>]*)((?:=+|-+)\s*)$/;
/** The document's own headings have the levels above. */
const OWN_LEVELS = 3;
const SAFE_LINK = /^(?:https?:|mailto:|#)/i;

/**
 * The text with its markup, where that is harmless: `<` outside code is escaped, and an image
 * becomes a link. Headings are put below the document's own. What still reads as HTML, image or odd link is shown as written, between fences.
 */
export function harmlessMarkdown(text: string): string {
  const clean = sanitizeText(text).trim();
  if (clean === "") return "";
  if (clean.length > MARKDOWN_LIMIT) return fence(clean);
  const escaped = escapeMarkup(clean);
  const isForeign = FOREIGN_LINK.test(escaped) || FOREIGN_AUTOLINK.test(escaped);
  return !isForeign && isHarmless(escaped) ? `${escaped}\n` : fence(clean, "markdown");
}

function escapeMarkup(text: string): string {
  const parts: string[] = [];
  let prose: string[] = [];
  let open: string | undefined;
  for (const line of text.split("\n")) {
    const mark = FENCE.exec(line)?.[1];
    const closes = open !== undefined && mark?.startsWith(open) === true;
    if (open === undefined && mark !== undefined && prose.length > 0) {
      parts.push(escapeProse(prose.join("\n")));
      prose = [];
    }
    if (open === undefined && mark === undefined) prose.push(withoutHeading(line, prose.at(-1)));
    else parts.push(line);
    if (closes) open = undefined;
    else if (open === undefined) open = mark;
  }
  if (prose.length > 0) parts.push(escapeProse(prose.join("\n")));
  // An unclosed fence would swallow what follows in the document.
  if (open !== undefined) parts.push(open);
  return parts.join("\n");
}

/** Puts a heading below the document's own, so that no text looks like another's message. */
function withoutHeading(line: string, before = ""): string {
  const lowered = line.replace(
    HEADING,
    (_, lead: string, marks: string) => lead + "#".repeat(Math.min(6, marks.length + OWN_LEVELS)),
  );
  return before.trim() === "" ? lowered : lowered.replace(UNDERLINE, "$1\\$2");
}

/** Escapes outside code spans, which are told by runs of backticks of one length. */
function escapeProse(text: string): string {
  const runs = [...text.matchAll(/`+/g)];
  const later = new Map<number, number[]>();
  for (const [index, [run]] of runs.entries()) {
    const places = later.get(run.length);
    if (places === undefined) later.set(run.length, [index]);
    else places.push(index);
  }
  let result = "";
  let at = 0;
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index] as RegExpExecArray;
    const places = later.get(run[0].length) ?? [];
    while (places[0] !== undefined && places[0] <= index) places.shift();
    const close = places[0] === undefined ? undefined : runs[places[0]];
    if (close === undefined) continue;
    result += escapeText(text.slice(at, run.index));
    at = close.index + close[0].length;
    result += text.slice(run.index, at);
    index = places[0] as number;
  }
  return result + escapeText(text.slice(at));
}

function escapeText(text: string): string {
  return text.replace(/<(?=[A-Za-z/!?])/g, "&lt;")
    .replace(
      /(\\*)!\[/g,
      (found, slashes: string) => slashes.length % 2 === 1 ? found : `${slashes}\\![`,
    );
}

function isHarmless(text: string): boolean {
  let harmless = true;
  try {
    marked.walkTokens(lexMarkdown(text), (token) => {
      if (harmless) harmless = isHarmlessToken(token);
    });
  } catch (error) {
    // Nested too deep for the stack.
    if (error instanceof RangeError) return false;
    throw error;
  }
  return harmless;
}

function isHarmlessToken(token: Token): boolean {
  switch (token.type) {
    case "html":
    case "image":
      return false;
    case "link":
      return SAFE_LINK.test((token as Tokens.Link).href.trim());
    case "def":
      return SAFE_LINK.test((token as Tokens.Def).href.trim());
    case "text":
      // Text that was too dear to parse may hold anything.
      return (token as Tokens.Text).tokens !== undefined || !/\]\s*[([:]/.test(token.raw);
    default:
      return true;
  }
}
