/**
 * Inline Markdown as HTML.
 *
 * @module
 */
import type { Token, Tokens } from "npm:marked@18.2.1";
import { decodeEntities } from "../markdown/entities.ts";
import { sanitizeLine } from "../sanitize.ts";
import { joinHtml, NOTHING, safe, type SafeHtml } from "./safe_html.ts";

/** The HTML of inline tokens. */
export function inlineHtml(tokens: readonly Token[] | undefined): SafeHtml {
  return joinHtml((tokens ?? []).map((token) => tokenHtml(token as Tokens.Generic)));
}

function tokenHtml(token: Tokens.Generic): SafeHtml {
  switch (token.type) {
    case "strong":
      return safe`<strong>${inlineHtml(token.tokens)}</strong>`;
    case "em":
      return safe`<em>${inlineHtml(token.tokens)}</em>`;
    case "del":
      return safe`<s>${inlineHtml(token.tokens)}</s>`;
    case "codespan":
      return safe`<code>${token.text}</code>`;
    case "link":
      return linkHtml(decodeEntities(token["href"]), inlineHtml(token.tokens));
    case "image":
      return imageNote(decodeEntities(token["href"]), token["text"]);
    case "checkbox":
      return NOTHING;
    case "br":
      return safe`<br>`;
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw) ? safe`<br>` : safe`${token.raw}`;
    default:
      return token.tokens === undefined
        ? safe`${decodeEntities(token["text"] ?? token.raw)}`
        : inlineHtml(token.tokens);
  }
}

const ALLOWED = /^(?:https?:\/\/|mailto:)[^\s<>"\\]+$/i;
const TAGS = /<[^>]*>/g;

/** Longest address that is shown whole. */
const SHOWN = 300;

/** A link, or its text and its address. */
function linkHtml(href: string, text: SafeHtml): SafeHtml {
  const shown = shownAddress(href);
  const named = text.markup.replaceAll(TAGS, "").trim() === "" ? safe`${shown}` : text;
  if (!ALLOWED.test(href) || sanitizeLine(href) !== href) {
    return named === text ? safe`${text} (<code>${shown}</code>)` : safe`<code>${shown}</code>`;
  }
  return safe`<a href="${href}" rel="noreferrer noopener">${named}</a>`;
}

/** An image that is not loaded: what it shows and where it lies. */
function imageNote(href: string, text: string): SafeHtml {
  const label = text.trim() === "" ? "[image]" : `[image: ${text}]`;
  return safe`${label} (<code>${shownAddress(href)}</code>)`;
}

function shownAddress(href: string): string {
  return sanitizeLine(href.length > SHOWN ? `${href.slice(0, SHOWN).toWellFormed()}…` : href);
}
