/** Control sequences of terminals: colours, links, movements. They are not shown. */
import type { Carrier } from "./carrier.ts";

export const TERMINAL_CODES: Carrier = {
  starts: "\x1b\x9b",
  piece: new RegExp(
    [
      "(?:\\x1b\\[|\\x9b)[0-?]{0,32}[ -/]{0,4}[@-~]",
      "\\x1b\\][^\\x07\\x1b]{0,512}(?:\\x07|\\x1b\\\\)",
      "\\x1b(?:[()][0-9A-B]|[=>78])",
    ].join("|"),
    "y",
  ),
  decode: () => "",
  trigger: "[\\x1b\\x9b]",
};
