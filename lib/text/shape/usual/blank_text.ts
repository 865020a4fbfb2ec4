/** Checks for blank text, trims and joins texts. Providers reject blank text like empty text. */

// Besides what JavaScript calls white space, what Python does: that is what the servers strip.
// deno-lint-ignore no-control-regex
const BLANK = /^[\s\x1c-\x1f\x85]*$/;
// deno-lint-ignore no-control-regex
const SPACE = /[\s\x1c-\x1f\x85]/;

export function isBlank(text: string): boolean {
  return BLANK.test(text);
}

export function withoutTrailingSpace(text: string): string {
  let end = text.length;
  // A regular expression anchored at the end takes quadratic time on long runs of spaces.
  while (end > 0 && SPACE.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

export function joined(texts: readonly string[]): string | undefined {
  return texts.length > 0 ? texts.join("\n\n") : undefined;
}
