/** Escapes of JSON and of programs' strings: `\u0041`, `\x41`, `\101`, `\/`, `\"`, `\n`. */

/** A way in which texts encode characters, so that no pattern sees what they say. */
export interface Carrier {
  /** The characters with which its pieces begin. */
  starts: string;
  /** Matches one piece, from `lastIndex` on. Every quantifier is bounded. */
  piece: RegExp;
  /** Returns what a piece stands for; empty for one that is not shown. */
  decode(piece: RegExpExecArray): string;
  /** Source of an expression that finds pieces which may hide a secret, and few others. */
  trigger: string;
}

/** Returns the character with a code; undefined where there is none. */
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

/** A string in a string doubles its backslashes, so several of them are read as one. */
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
  // Quotes and line feeds are everywhere, and patterns know them as they are.
  trigger: [
    "\\\\(?:u(?:00|\\{0{0,4})|x)(?:[2-7][0-9a-fA-F]|1[bB])",
    "\\\\(?:1[0-7]|0?[4-7])[0-7]",
    "\\\\(?:033|e)\\[",
    "(?<=[\\w+=])\\\\{1,8}/(?=[\\w+])",
  ].join("|"),
};

/** Of those with names, the ones that keys and what stands around them hold. */
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
