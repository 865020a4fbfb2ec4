/**
 * The only way to write HTML. Every value in a template is escaped, except output of another
 * template.
 */
import { sanitizeText } from "../sanitize.ts";

/** HTML that is safe to write. It is a class, so that parsed data cannot be mistaken for it. */
export class SafeHtml {
  readonly markup: string;

  /** Creates HTML without escaping. Only this file calls it. Other files use {@linkcode safe}. */
  constructor(markup: string) {
    this.markup = markup;
  }
}

/** A value in a template. Text is escaped, and `undefined` becomes empty text. */
type Insert = string | number | undefined | SafeHtml | readonly SafeHtml[];

export const NOTHING = new SafeHtml("");

const SPECIAL = /[&<>"']/;
const EVERY_SPECIAL = /[&<>"']/g;
const REFERENCES: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/**
 * Renders a template as HTML. Inserted text is escaped, and its control characters are made
 * visible. The template must quote attributes. The name is not `html`, because formatters change
 * white space in templates of that name.
 */
export function safe(strings: TemplateStringsArray, ...inserts: readonly Insert[]): SafeHtml {
  let markup = strings[0] ?? "";
  for (const [index, insert] of inserts.entries()) {
    markup += insertMarkup(insert) + (strings[index + 1] ?? "");
  }
  return new SafeHtml(markup);
}

export function joinHtml(pieces: readonly SafeHtml[], separator = ""): SafeHtml {
  return new SafeHtml(pieces.map(markupOf).join(escapeText(separator)));
}

/** Returns HTML with every `<details>` element open. Escaped text cannot contain this tag. */
export function openedHtml({ markup }: SafeHtml): SafeHtml {
  return new SafeHtml(markup.replaceAll("<details class=", "<details open class="));
}

/** Returns HTML from a constant text of this program, without escaping. Never use it for data. */
export function trustedHtml(markup: string): SafeHtml {
  return new SafeHtml(markup);
}

function insertMarkup(insert: Insert): string {
  if (insert === undefined) return "";
  if (typeof insert === "string") return escapeText(insert);
  if (typeof insert === "number") return String(insert);
  return Array.isArray(insert) ? joinHtml(insert).markup : markupOf(insert as SafeHtml);
}

/** Throws if the piece is no {@linkcode SafeHtml}, because types may be wrong at run time. */
function markupOf(piece: SafeHtml): string {
  if (!(piece instanceof SafeHtml)) {
    throw new TypeError("Cannot write HTML: internal error: a value was not escaped");
  }
  return piece.markup;
}

function escapeText(text: string): string {
  const clean = sanitizeText(text);
  if (!SPECIAL.test(clean)) return clean;
  return clean.replace(EVERY_SPECIAL, (character) => REFERENCES[character] ?? "");
}
