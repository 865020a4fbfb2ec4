/** Percent codes of URLs: `%41`, and `%2541` where one URL is in another. */
import { type Carrier, characterOf } from "./carrier.ts";

export const PERCENT_CODES: Carrier = {
  starts: "%",
  piece: /%(?:25){0,4}([0-9A-Fa-f]{2})/y,
  decode: ([whole, hex = ""]) => characterOf(parseInt(hex, 16)) ?? whole,
  trigger: "%(?:[2-7][0-9A-Fa-f]|1[bB])",
};
