/**
 * Code in colours, as long as the page can bear it.
 *
 * @module
 */
import hljs from "npm:highlight.js@11.12.0/lib/common";
import { sanitizeText } from "../sanitize.ts";
import { joinHtml, safe, type SafeHtml } from "./safe_html.ts";

/** Code as HTML: in colours where its language is known, else as plain text. */
export type Highlight = (code: string, language: string | undefined) => SafeHtml;

/** A longer text stays plain. In UTF-16 units, which are bytes in nearly all code. */
const TEXT_LIMIT = 16 * 1024;
/** After so much in one document all stays plain. */
const DOCUMENT_LIMIT = 2 * 1024 * 1024;

// Patterns of some languages take the square of a stretch without punctuation: 16 KB of one word
// would take seconds. Code stays far below this sum of squares; data in one line does not.
const COST_LIMIT = 8_000_000;
const PUNCTUATION = /[(){};="'<>,:]/g;

/** What the highlighter's scopes have in common, by the first word of their names. */
const CLASSES: Readonly<Record<string, string>> = {
  comment: "comment",
  quote: "comment",
  meta: "comment",
  keyword: "keyword",
  "selector-tag": "keyword",
  doctag: "keyword",
  string: "string",
  regexp: "string",
  char: "string",
  addition: "string",
  number: "number",
  literal: "number",
  symbol: "number",
  bullet: "number",
  title: "title",
  section: "title",
  name: "title",
  link: "title",
  type: "type",
  class: "type",
  built_in: "type",
  "selector-id": "type",
  "selector-class": "type",
  attr: "attr",
  attribute: "attr",
  property: "attr",
  variable: "attr",
  "template-variable": "attr",
  deletion: "attr",
};

/** The highlighter's own tree: its HTML is not used, so that all text passes our escaping. */
interface ScopeNode {
  scope?: string;
  children: readonly (ScopeNode | string)[];
}

/** Makes a highlighter for one document. */
export function createHighlight(): Highlight {
  let room = DOCUMENT_LIMIT;
  return (code, language) => {
    if (language === undefined || code.length > TEXT_LIMIT || code.length > room) {
      return safe`${code}`;
    }
    const tree = parseCode(sanitizeText(code), language);
    if (tree === undefined) return safe`${code}`;
    room -= code.length;
    return nodeHtml(tree);
  };
}

/** The language that a path's name tells; one that is not known does no harm. */
export function languageOf(path: unknown): string | undefined {
  if (typeof path !== "string") return undefined;
  return /\.([A-Za-z0-9]{1,12})$/.exec(path)?.[1]?.toLowerCase();
}

function parseCode(code: string, language: string): ScopeNode | undefined {
  if (hljs.getLanguage(language) === undefined || costOf(code) > COST_LIMIT) return undefined;
  const result = hljs.highlight(code, { language, ignoreIllegals: true });
  if (result.errorRaised !== undefined) return undefined;
  return (result._emitter as unknown as { rootNode: ScopeNode }).rootNode;
}

function costOf(code: string): number {
  let cost = 0;
  let start = 0;
  for (const { index } of code.matchAll(PUNCTUATION)) {
    cost += (index - start) ** 2;
    start = index;
  }
  return cost + (code.length - start) ** 2;
}

function nodeHtml(node: ScopeNode): SafeHtml {
  const inner = joinHtml(
    node.children.map((child) => typeof child === "string" ? safe`${child}` : nodeHtml(child)),
  );
  const [scope = ""] = (node.scope ?? "").split(".");
  const name = Object.hasOwn(CLASSES, scope) ? CLASSES[scope] : undefined;
  return name === undefined ? inner : safe`<span class="c-${name}">${inner}</span>`;
}
