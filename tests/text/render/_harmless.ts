const HARMFUL = /(?![\n\t])[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u;

// deno-lint-ignore no-control-regex -- the escapes that Reprise itself writes
const OWN_STYLES = /\x1b\[(?:[12349]|2[23459]|3[0-7]|39)m/g;

/** Whether a terminal only shows this text: no control but line feed and tab, no bidi control. */
export function isHarmless(text: string): boolean {
  return !HARMFUL.test(text);
}

/** The text without the styles that Reprise writes; any other escape stays. */
export function withoutStyles(text: string): string {
  return text.replace(OWN_STYLES, "");
}
