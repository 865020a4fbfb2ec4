/** Any code point but halves of pairs: fast-check's own unit "binary" takes a second to make. */
import fc from "npm:fast-check@4.10.2";

export const codePoint: fc.Arbitrary<string> = fc.nat(0x10ffff)
  .filter((code) => code < 0xd800 || code > 0xdfff).map((code) => String.fromCodePoint(code));
