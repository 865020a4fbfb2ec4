/** Cuts texts for rows of lists. */

/** Maximum length of an excerpt, in UTF-16 units. */
const EXCERPT_LENGTH = 300;

export function excerpt(text: string): string {
  const line = text.slice(0, 8 * EXCERPT_LENGTH).replace(/\s+/g, " ").trim();
  return line.length <= EXCERPT_LENGTH
    ? line
    : line.slice(0, EXCERPT_LENGTH - 1).toWellFormed().replace(/\ufffd$/, "") + "\u2026";
}
