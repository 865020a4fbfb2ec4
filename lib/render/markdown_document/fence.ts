/**
 * Text that Markdown must not read: between fences, or in a code span.
 *
 * @module
 */
import { sanitizeLine, sanitizeText } from "../sanitize.ts";

/** A code block whose fence is longer than any run of backticks in the text. */
export function fence(text: string, language = ""): string {
  const clean = sanitizeText(text).replace(/\n+$/, "");
  const mark = "`".repeat(Math.max(3, longestRun(clean) + 1));
  return `${mark}${language}\n${clean}\n${mark}\n`;
}

/** A text of one line as code; empty text gives nothing. */
export function codeSpan(text: string): string {
  const clean = sanitizeLine(text).trim();
  if (clean === "") return "";
  const mark = "`".repeat(longestRun(clean) + 1);
  const gap = clean.startsWith("`") || clean.endsWith("`") ? " " : "";
  return `${mark}${gap}${clean}${gap}${mark}`;
}

function longestRun(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}

/** A text of one line as it is: nothing in it is markup. */
export function plainText(text: string): string {
  // After a mark of emphasis, a blank would make a list of it. Some parsers take a backslash for the
  // end of a bare URL, and so lose what it escapes.
  return sanitizeLine(text).trim().replace(/[\\`*_[\]>|~&!]/g, "\\$&").replaceAll("<", "&lt;");
}
