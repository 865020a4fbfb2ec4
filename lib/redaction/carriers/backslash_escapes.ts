/** Escapes of JSON and of programs' strings: `\u0041`, `\x41`, `\101`, `\/`, `\"`, `\n`. */
import { type Carrier, characterOf } from "./carrier.ts";

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
