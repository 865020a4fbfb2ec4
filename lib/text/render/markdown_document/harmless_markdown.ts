/** Makes foreign Markdown safe for a document: no raw HTML, no loads, no script links. */
import { lexMarkdown, MARKDOWN_LIMIT } from "../markdown/lex.ts";
import { sanitizeLine, sanitizeText } from "../sanitize.ts";
import { hasForeignLink } from "./foreign_link.ts";
import { CONTAINERS, markdownRegions } from "./markdown_region.ts";
import { marked, type Token, type Tokens } from "npm:marked@18.2.1";

/** Matches a link in angle brackets with an unsafe scheme, but not `<std::string>`. */
const FOREIGN_AUTOLINK = /<(?!https?:|mailto:)[a-z][a-z0-9+.-]{1,31}:(?!:)[^ \t\n<>]*>/i;
const HEADING = new RegExp(`^(${CONTAINERS})(#{1,6})(?=\\s|$)`);
const UNDERLINE = /^([\s>]*)((?:=+|-+)\s*)$/;
/** Maximum nesting of quotes. A text with deeper quotes is shown as it is written. */
const DEEPEST_QUOTE = 8;
/** Number of heading levels for the document's own headings. */
const OWN_LEVELS = 3;
const SAFE_LINK = /^(?:https?:|mailto:|#)/i;

/**
 * Keeps the markup of a text if it is harmless. `<` outside code is escaped, and an image becomes a
 * link. Headings move below the document's own levels. Text that still parses as HTML, an image or
 * an unsafe link is fenced as code. So is text that parsers may read differently.
 */
export function harmlessMarkdown(text: string): string {
  const clean = sanitizeText(text).trim();
  if (clean === "") return "";
  if (clean.length > MARKDOWN_LIMIT) return fence(clean);
  const escaped = escapeMarkup(clean.split("\n"))?.join("\n");
  if (escaped === undefined) return fence(clean, "markdown");
  const isForeign = hasForeignLink(escaped) || FOREIGN_AUTOLINK.test(escaped);
  return !isForeign && isHarmless(escaped) ? `${escaped}\n` : fence(clean, "markdown");
}

/**
 * Escapes markup outside code. `undefined` if parsers may disagree on what is code. `before` is the
 * previous line of prose, because a quote may continue it.
 */
function escapeMarkup(
  lines: readonly string[],
  depth = 0,
  before = "",
): string[] | undefined {
  const regions = depth > DEEPEST_QUOTE ? undefined : markdownRegions(lines);
  if (regions === undefined) return undefined;
  const escaped: string[] = [];
  for (const { type, lines } of regions) {
    if (type === "quote") {
      const inner = escapeMarkup(lines, depth + 1, before);
      if (inner === undefined) return undefined;
      for (const line of inner) escaped.push(line === "" ? ">" : `> ${line}`);
    } else if (type === "code") {
      for (const line of lines) escaped.push(line);
    } else {
      for (const line of escapeProse(lines, before)) escaped.push(line);
    }
    before = type === "prose" ? lines.at(-1) ?? "" : "";
  }
  return escaped;
}

/** Escapes prose outside code spans. Escapes all prose if a span may continue in the next line. */
function escapeProse(lines: readonly string[], before: string): string[] {
  const lowered = lines.map((line, index) => withoutHeading(line, lines[index - 1] ?? before));
  const spans = lowered.map(spansOf);
  const certain = spans.every((one) => one !== undefined);
  return lowered.map((line, index) =>
    certain ? escapeAround(line, spans[index] ?? []) : escapeText(line)
  );
}

/** Lowers a heading below the document's own levels, so that it does not look like a message. */
function withoutHeading(line: string, before: string): string {
  const lowered = line.replace(
    HEADING,
    (_, lead: string, marks: string) => lead + "#".repeat(Math.min(6, marks.length + OWN_LEVELS)),
  );
  return /^[ \t]*$/.test(before) ? lowered : lowered.replace(UNDERLINE, "$1\\$2");
}

function spansOf(line: string): [start: number, end: number][] | undefined {
  if (!line.includes("`")) return [];
  if (line.includes("\\`")) return undefined;
  const spans: [number, number][] = [];
  const runs = [...line.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ index, length }));
  for (let open = 0; open < runs.length;) {
    const { index: start, length } = runs[open] ?? { index: 0, length: 0 };
    let close = open + 1;
    while (close < runs.length && runs[close]?.length !== length) close++;
    if (close === runs.length) return undefined;
    spans.push([start, (runs[close]?.index ?? 0) + length]);
    open = close + 1;
  }
  return spans;
}

function escapeAround(line: string, spans: readonly [number, number][]): string {
  let result = "";
  let at = 0;
  for (const [start, end] of spans) {
    const span = line.slice(start, end);
    // In a table, a bar ends the span with its cell.
    result += escapeText(line.slice(at, start)) + (span.includes("|") ? escapeText(span) : span);
    at = end;
  }
  return result + escapeText(line.slice(at));
}

function escapeText(text: string): string {
  return text.replace(/<(?=[A-Za-z/!?])/g, "&lt;")
    .replace(
      /(?<!\\)(\\*)!\[/g,
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
    // The parser cannot read it.
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
    case "heading":
      return (token as Tokens.Heading).depth > OWN_LEVELS;
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

export function fence(text: string, language = ""): string {
  const clean = sanitizeText(text).replace(/(?<!\n)\n+$/, "");
  const mark = "`".repeat(Math.max(3, longestRun(clean) + 1));
  return `${mark}${language}\n${clean}\n${mark}\n`;
}

export function codeSpan(text: string): string {
  const clean = sanitizeLine(text).trim();
  if (clean === "") return "";
  const mark = "`".repeat(longestRun(clean) + 1);
  const gap = clean.startsWith("`") || clean.endsWith("`") ? " " : "";
  return `${mark}${gap}${clean}${gap}${mark}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** Escapes one line, so that nothing in it is markup. */
export function plainText(text: string): string {
  // After a mark of emphasis, a blank would make a list of it. Some parsers take a backslash for the
  // end of a bare URL, and so lose what it escapes.
  return sanitizeLine(text).trim().replace(/[\\`*_[\]>|~&!]/g, "\\$&").replaceAll("<", "&lt;");
}
