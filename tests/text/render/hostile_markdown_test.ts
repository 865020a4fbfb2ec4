/**
 * Random hostile texts, exported as Markdown and read by two parsers that disagree on much: marked,
 * and the reference implementation of CommonMark. `REPRISE_MARKDOWN_DOCUMENTS` and
 * `REPRISE_MARKDOWN_SEED` ask for more of them, and for others.
 */
import assert from "node:assert/strict";
import { Parser } from "npm:commonmark@0.31.2";
import { marked, type Token, type Tokens } from "npm:marked@18.2.1";
import type { TranscriptItem } from "../../../lib/core/projection/transcript/item.ts";
import { markdownDocument } from "../../../lib/text/render/markdown_document.ts";
import { mulberry32 } from "../../_support/mulberry32.ts";
import { hostileMarkdown } from "./_markdown_grammar.ts";
import { itemsWith } from "./_sample_items.ts";
import { itemsInto } from "./_document_items.ts";
import { ALL_TORTURE } from "../../_support/torture.ts";

const DOCUMENTS = Number(Deno.env.get("REPRISE_MARKDOWN_DOCUMENTS") ?? (ALL_TORTURE ? 2000 : 500));
const SEED = Number(Deno.env.get("REPRISE_MARKDOWN_SEED") ?? 20_261_122);
const BASE = { seq: 7, integrity: "verified" } as const;
/** Levels of the document's own headings. */
const OWN_LEVELS = 3;

/** Of so many texts, one is read as it is. */
const EACH = 10;

/** What a parser sees that matters. */
interface Reading {
  /** Raw HTML, images, and links of foreign schemes. */
  dangers: string[];
  /** Headings of the levels that are the document's own. */
  headings: number;
}

/** The part of the reference parser that is used; it comes without types. */
interface CommonMarkNode {
  type: string;
  destination: string | null;
  level: number | null;
  literal: string | null;
}

const parser = new Parser() as unknown as {
  parse(text: string): {
    walker(): { next(): { entering: boolean; node: CommonMarkNode } | null };
  };
};

function isForeign(destination: string): boolean {
  return !/^(?:https?:|mailto:|#)/i.test(destination) && /^[^/?#]*(?::|%3a)/i.test(destination);
}

function readByCommonMark(text: string): Reading {
  const reading: Reading = { dangers: [], headings: 0 };
  const walker = parser.parse(text).walker();
  for (let step = walker.next(); step !== null; step = walker.next()) {
    const { entering, node: { type, destination, level, literal } } = step;
    if (!entering) continue;
    if (type === "html_inline" || type === "html_block") reading.dangers.push(literal ?? type);
    if (type === "image") reading.dangers.push(`image ${destination}`);
    if (type === "link" && isForeign(destination ?? "")) reading.dangers.push(destination ?? "");
    if (type === "heading" && (level ?? 0) <= OWN_LEVELS) reading.headings++;
  }
  return reading;
}

function readByMarked(text: string): Reading {
  const reading: Reading = { dangers: [], headings: 0 };
  marked.walkTokens(marked.lexer(text), (token: Token) => {
    if (token.type === "html") reading.dangers.push(token.raw);
    if (token.type === "image") reading.dangers.push(`image ${(token as Tokens.Image).href}`);
    const { href = "" } = token as Tokens.Link;
    if (token.type === "link" && isForeign(href)) reading.dangers.push(href);
    if (token.type === "heading" && (token as Tokens.Heading).depth <= OWN_LEVELS) {
      reading.headings++;
    }
  });
  return reading;
}

const PARSERS = { readByCommonMark, readByMarked };

/** A document around a text, and how many headings of its own it has. */
interface Exported {
  markdown: string;
  headings: number;
}

function exported(text: string, next: string, kind: number): Exported {
  const take = itemsInto(markdownDocument());
  const message: TranscriptItem = { type: "message", role: "user", content: text, ...BASE };
  const first = [message, message, ...itemsWith(text)];
  const item = { ...BASE, ...first[kind % first.length] ?? message };
  const items = [item, { ...message, content: next }];
  return {
    markdown: items.map(take).join(""),
    headings: items.filter(({ type }) => type === "message").length,
  };
}

function isHostile(read: (text: string) => Reading, text: string): boolean {
  try {
    const { dangers, headings } = read(text);
    return dangers.length > 0 || headings > 0;
  } catch (error) {
    // marked fails on a few texts.
    if (error instanceof TypeError) return true;
    throw error;
  }
}

Deno.test("no random text becomes HTML, an image, a foreign link or a heading of the document's own", () => {
  const random = mulberry32(SEED);
  let hostile = 0;
  let linked = 0;
  for (let index = 0; index < DOCUMENTS; index++) {
    const [text, next] = [hostileMarkdown(random), hostileMarkdown(random)];
    const { markdown, headings } = exported(text, next, index);
    for (const [name, read] of Object.entries(PARSERS)) {
      const reading = read(markdown);
      const at = `seed ${SEED}, document ${index}, ${name}: ${JSON.stringify([text, next])}`;
      assert.deepEqual(reading, { dangers: [], headings }, `${at}\n${markdown}`);
      if (index % EACH > 0) continue;
      if (isHostile(read, text)) hostile++;
    }
    if (/^#{2,3} .*\n\n(?!```markdown\n)/.test(markdown)) linked++;
  }
  assert.ok(hostile > DOCUMENTS / EACH, `${hostile} readings of the texts are hostile`);
  assert.ok(linked > 0.1 * DOCUMENTS, `${linked} documents keep their markup`);
});
