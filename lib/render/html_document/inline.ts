/**
 * Inline Markdown as HTML.
 *
 * @module
 */
import type { Token, Tokens } from "npm:marked@18.2.1";
import { decodeEntities } from "../markdown/entities.ts";
import { imageNote, linkHtml } from "./link.ts";
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
