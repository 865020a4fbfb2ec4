/** Entities of HTML and XML: `&#65;`, `&#x41;`, `&quot;`, and `&amp;quot;` where they are escaped again. */
import { type Carrier, characterOf } from "./carrier.ts";

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
