/**
 * The one place where foreign text becomes harmless on a terminal: what would move the cursor,
 * colour, hide or reorder text is shown instead of obeyed. Nothing is dropped without a trace.
 *
 * @module
 */

/** How to treat a text. */
export interface SanitizeOptions {
  /**
   * Keep line feeds and tabs. Otherwise they are shown like any control character.
   *
   * @default {true}
   */
  keep_newlines?: boolean;
}

// Default_Ignorable_Code_Point holds what takes part in a text without being seen: zero-width
// characters, bidi controls, BOM, variation selectors, tag characters.
const SUSPECT =
  /(?![\n\t])[\p{Cc}\p{Cs}\p{Default_Ignorable_Code_Point}\u2028\u2029\uFFF9-\uFFFB]/u;

// What is ignorable and yet belongs to a script or an emoji: joined emoji, flags of regions,
// joiners inside words that need them, one variation selector after what it varies.
const ENTITLED = [
  /\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]{0,2}\u200D(?=\p{Extended_Pictographic})/u,
  /\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}/u,
  /(?<=(?!\p{Default_Ignorable_Code_Point})[\p{M}\p{Script=Arabic}])[\u200C\u200D]/u,
  /(?<!\p{Default_Ignorable_Code_Point})[\uFE00-\uFE0F]/u,
  /(?<=\p{Script=Han})[\u{E0100}-\u{E01EF}]/u,
].map((pattern) => pattern.source).join("|");

const MULTI_LINE = new RegExp(`(${ENTITLED})|\\r\\n|${SUSPECT.source}`, "gu");
const SINGLE_LINE = new RegExp(`(${ENTITLED})|\\r\\n|[\\n\\t]|${SUSPECT.source}`, "gu");

/**
 * Makes control characters visible and harmless.
 *
 * C0 controls and DEL become control pictures (ESC is `␛`), all else that is not seen becomes
 * `<U+202E>`, a lone surrogate U+FFFD, CRLF a line feed. Linear in the text, whatever it holds.
 *
 * @param text Any text.
 * @param options Whether line feeds and tabs stay.
 * @returns Text that holds no control character but line feeds and tabs.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { sanitizeText } from "./sanitize.ts";
 *
 * assert.equal(sanitizeText("\x1b[2Jhi\r\n"), "␛[2Jhi\n");
 * ```
 */
export function sanitizeText(text: string, options: SanitizeOptions = {}): string {
  if (options.keep_newlines === false) return sanitizeLine(text);
  if (!SUSPECT.test(text)) return text;
  return text.replace(
    MULTI_LINE,
    (found, entitled?: string) => entitled ?? (found === "\r\n" ? "\n" : showCharacter(found)),
  );
}

/**
 * Makes a text that takes one line: like {@linkcode sanitizeText}, and line feeds and tabs are
 * shown too. For titles, paths, ids and names.
 *
 * @param text Any text.
 * @returns Text without any control character.
 *
 * @example
 * ```ts
 * import assert from "node:assert/strict";
 * import { sanitizeLine } from "./sanitize.ts";
 *
 * assert.equal(sanitizeLine("a\nb"), "a␊b");
 * ```
 */
export function sanitizeLine(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(
    SINGLE_LINE,
    (found, entitled?: string) => entitled ?? showCharacter(found === "\r\n" ? "\n" : found),
  );
}

// Nearly all there is on a line; for a list, the other patterns need not even be compiled.
const PLAIN = /^[\x20-\x7e]*$/;
const CONTROL_PICTURES = 0x2400;
const DELETE = 0x7f;
const DELETE_PICTURE = "\u2421";
const REPLACEMENT = "\uFFFD";

function showCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(CONTROL_PICTURES + code);
  if (code === DELETE) return DELETE_PICTURE;
  if (code >= 0xd800 && code <= 0xdfff) return REPLACEMENT;
  return `<U+${code.toString(16).toUpperCase().padStart(4, "0")}>`;
}
