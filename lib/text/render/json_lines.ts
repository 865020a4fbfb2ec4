/** Writes JSON Lines that are harmless on a terminal. */

// JSON.stringify escapes C0 and lone surrogates; these it leaves as they are.
const UNSAFE = /[\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
/** Matches characters that may be unsafe on a terminal. One range is tested faster than many. */
const NOT_PLAIN = /[\x7f-\uffff]/;

/**
 * Writes a value as one line of JSON, or `null` if JSON cannot hold it. Control, bidi and line
 * separator characters are escaped, so that the line is harmless on a terminal.
 */
export function toJsonLine(value: unknown): string {
  return `${toJsonText(value)}\n`;
}

/** Writes a value as {@linkcode toJsonLine} does, without the line feed. */
export function toJsonText(value: unknown): string {
  const json: string | undefined = JSON.stringify(value);
  if (json === undefined) return "null";
  return NOT_PLAIN.test(json) ? json.replace(UNSAFE, escapeCharacter) : json;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
