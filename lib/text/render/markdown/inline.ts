/**
 * Renders inline Markdown as one styled text. Without colour, the marks of Markdown stay, so that
 * no emphasis is lost.
 */
import type { Token, Tokens } from "npm:marked@18.2.1";
import { decodeEntities } from "./lex.ts";
import { sanitizeLine, sanitizeText } from "../sanitize.ts";
import type { Format, Style } from "../style.ts";

const DATA_URL_LIMIT = 80;

/** Renders inline tokens. Each leaf gets all `formats`, because styles do not nest. */
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
      return renderStressed(token, style, formats, "bold");
    case "em":
      return renderStressed(token, style, formats, "italic");
    case "del":
      return renderStressed(token, style, formats, "strikethrough");
    case "codespan":
      return style.color
        ? renderLeaf(token.text, style, [...formats, "cyan"])
        : renderLeaf(token.raw, style);
    case "link":
      return renderLink(token, style, formats);
    case "image":
      return renderImage(token, style, formats);
    case "checkbox":
      return "";
    case "br":
      return "\n";
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw) ? "\n" : renderLeaf(token.raw, style, formats);
    default:
      return token.tokens === undefined
        ? renderLeaf(decodeEntities(token["text"] ?? token.raw), style, formats)
        : renderInline(token.tokens, style, formats);
  }
}

/** Sanitizes text again before it is shown, because the parser decodes character references. */
function renderLeaf(text: string, style: Style, formats: readonly Format[] = []): string {
  return sanitizeText(text).replaceAll("\t", " ").split("\n").map((line) =>
    style.paint(formats, line)
  ).join("\n");
}

function renderStressed(
  token: Tokens.Generic,
  style: Style,
  formats: readonly Format[],
  format: Format,
): string {
  if (style.color) return renderInline(token.tokens, style, [...new Set([...formats, format])]);
  const mark = format === "italic" ? token.raw.slice(0, 1) : token.raw.slice(0, 2);
  return mark + renderInline(token.tokens, style, formats) + mark;
}

/** Renders a link with its address. A person must see the address before following the link. */
function renderLink(token: Tokens.Generic, style: Style, formats: readonly Format[]): string {
  const href: string = token["href"];
  const url = renderUrl(href, style, formats);
  if (href === token["text"] || href === `mailto:${token["text"]}`) return url;
  return `${renderInline(token.tokens, style, formats)} (${url})`;
}

function renderImage(token: Tokens.Generic, style: Style, formats: readonly Format[]): string {
  const label = token["text"] === "" ? "[image]" : `[image: ${token["text"]}]`;
  return `${renderLeaf(label, style, formats)} (${renderUrl(token["href"], style, formats)})`;
}

function renderUrl(url: string, style: Style, formats: readonly Format[]): string {
  const is_long = url.startsWith("data:") && url.length > DATA_URL_LIMIT;
  const shown = is_long ? url.slice(0, DATA_URL_LIMIT) + "…" : url;
  return style.paint([...formats, "underline"], sanitizeLine(shown));
}
