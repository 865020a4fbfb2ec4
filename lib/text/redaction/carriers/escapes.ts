/**
 * Decodes escapes: `\u0041`, `\x41`, `\101`, `\/`, `\n` of JSON and programs, and entities of HTML
 * and XML.
 */

/** An encoding of characters that hides secrets from patterns. */
export interface Carrier {
  starts: string;
  /** Matches one encoded piece, from `lastIndex` on. Every quantifier is bounded. */
  piece: RegExp;
  /** Returns the decoded characters; empty for invisible ones. */
  decode(piece: RegExpExecArray): string;
  /** Source of a regular expression for encoded pieces that may be part of a secret. */
  trigger: string;
}

export function characterOf(code: number): string | undefined {
  return code >= 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}

const LETTERS: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\x1b",
  a: "\x07",
};

/** Backslash escapes. Nested strings double backslashes, so several backslashes count as one. */
export const BACKSLASH_ESCAPES: Carrier = {
  starts: "\\",
  piece:
    /\\{1,16}(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([0-3]?[0-7]{2})(?=\[|\\|[^0-9]|$)|([nrtbfvea"'`\/]))/y,
  decode([whole, braced, unicode, byte, octal, letter = ""]): string {
    const hex = braced ?? unicode ?? byte;
    if (hex !== undefined) return characterOf(parseInt(hex, 16)) ?? whole;
    if (octal !== undefined) return characterOf(parseInt(octal, 8)) ?? whole;
    return LETTERS[letter] ?? letter;
  },
  // Quotes and line feeds are everywhere, and the patterns accept them encoded.
  trigger: [
    "\\\\(?:u(?:00|\\{0{0,4})|x)(?:[2-7][0-9a-fA-F]|1[bB])",
    "\\\\(?:1[0-7]|0?[4-7])[0-7]",
    "\\\\(?:033|e)\\[",
    "(?<=[\\w+=])\\\\{1,8}/(?=[\\w+])",
  ].join("|"),
};

const NAMES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  sol: "/",
  equals: "=",
  plus: "+",
  colon: ":",
  lowbar: "_",
  hyphen: "-",
  period: ".",
  dollar: "$",
  percnt: "%",
  commat: "@",
  excl: "!",
  num: "#",
};

export const HTML_ENTITIES: Carrier = {
  starts: "&",
  piece: /&(?:amp;){0,4}(?:#(\d{1,7});?|#[xX]([0-9a-fA-F]{1,6});?|([a-z]{2,6});)/y,
  decode([whole, decimal, hex, name = ""]): string {
    if (decimal !== undefined) return characterOf(Number(decimal)) ?? whole;
    if (hex !== undefined) return characterOf(parseInt(hex, 16)) ?? whole;
    return Object.hasOwn(NAMES, name) ? NAMES[name] ?? whole : whole;
  },
  trigger: `&(?:#[xX]?[0-9a-fA-F]{2}|(?:${Object.keys(NAMES).join("|")});)`,
};
