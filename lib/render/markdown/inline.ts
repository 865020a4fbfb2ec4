/**
 * Inline Markdown as one styled text. Without colour its marks stay, so that nothing that was
 * stressed is lost.
 *
 * @module
 */
import type { Token, Tokens } from "npm:marked@18.2.1";
import type { Format, Style } from "../style.ts";

const ENTITIES: Record<string, string> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": "\u00a0",
};

/** Longest data URL that is shown whole. */
const DATA_URL_LIMIT = 80;

/** The text of inline tokens. Formats are put on each leaf, since styles do not nest. */
export function renderInline(
  tokens: readonly Token[] | undefined,
  style: Style,
  formats: readonly Format[] = [],
): string {
  return (tokens ?? []).map((token) => renderToken(token as Tokens.Generic, style, formats)).join(
    "",
  );
}

function renderToken(token: Tokens.Generic, style: Style, formats: readonly Format[]): string {
  switch (token.type) {
    case "strong":
      return renderMarked(token, style, formats, "bold");
    case "em":
      return renderMarked(token, style, formats, "italic");
    case "del":
      return renderMarked(token, style, formats, "strikethrough");
    case "codespan":
      return style.color ? style.paint([...formats, "cyan"], token.text) : token.raw;
    case "link":
      return renderLink(token, style, formats);
    case "image":
      return renderImage(token, style, formats);
    case "checkbox":
      return "";
    case "br":
      return "\n";
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw) ? "\n" : style.paint(formats, token.raw);
    default:
      return renderText(token, style, formats);
  }
}

function renderText(token: Tokens.Generic, style: Style, formats: readonly Format[]): string {
  if (token.tokens !== undefined) return renderInline(token.tokens, style, formats);
  return paintLines(decodeEntities(token["text"] ?? token.raw), style, formats);
}

function renderMarked(
  token: Tokens.Generic,
  style: Style,
  formats: readonly Format[],
  format: Format,
): string {
  if (style.color) return renderInline(token.tokens, style, [...formats, format]);
  const mark = format === "italic" ? token.raw.slice(0, 1) : token.raw.slice(0, 2);
  return mark + renderInline(token.tokens, style, formats) + mark;
}

/** The text, and where it leads: a person has to see that before following it. */
function renderLink(token: Tokens.Generic, style: Style, formats: readonly Format[]): string {
  const href: string = token["href"];
  const url = style.paint([...formats, "underline"], shortUrl(href));
  if (href === token["text"] || href === `mailto:${token["text"]}`) return url;
  return `${renderInline(token.tokens, style, formats)} (${url})`;
}

function renderImage(token: Tokens.Generic, style: Style, formats: readonly Format[]): string {
  const label = token["text"] === "" ? "[image]" : `[image: ${token["text"]}]`;
  const url = style.paint([...formats, "underline"], shortUrl(token["href"]));
  return `${paintLines(label, style, formats)} (${url})`;
}

function shortUrl(url: string): string {
  if (!url.startsWith("data:") || url.length <= DATA_URL_LIMIT) return url;
  return url.slice(0, DATA_URL_LIMIT) + "…";
}

function paintLines(text: string, style: Style, formats: readonly Format[]): string {
  return text.split("\n").map((line) => style.paint(formats, line)).join("\n");
}

// Numeric ones are left as they are: decoded, they could be control characters.
function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity);
}
