/** The flags of `reprise search`. */
import type { SearchRole } from "../../lib/library/search/searchable_text.ts";
import type { Flags, FlagsOf } from "../_command.ts";
import { PAGE_FLAGS } from "../_page.ts";
import { REVERSE_HELP, SCOPE_FLAGS, WORD_FLAGS } from "../_scope_flags.ts";
import { SESSION_ORDERS } from "../../lib/core/store/session_order.ts";
import { parseCount, parseSince, parseUntil, TIMES } from "../_values.ts";

const ROLES: readonly SearchRole[] = ["user", "assistant", "reasoning", "tool", "context"];
const USUAL_COUNT = 20;

export const SEARCH_FLAGS = {
  ...SCOPE_FLAGS,
  "--since <time>": { help: `only messages since this time: ${TIMES}`, parse: parseSince },
  "--until <time>": {
    help: "only messages up to this time, inclusive (same formats as --since)",
    parse: parseUntil,
  },
  ...WORD_FLAGS,
  "--gone":
    "search the prompts of deleted sessions (some agents keep all prompts in a history file)",
  "--role <role>": { help: "only messages of this kind", choices: ROLES },
  "--regex": "read the query as a regular expression, or /expression/flags",
  "--exact": "only messages that contain all words",
  "--any": {
    help: "find messages with any of the words; messages with the rarest words come first",
    conflicts: ["exact", "regex", "count"],
  },
  "-n, --limit <count>": {
    help: "maximum number of hits",
    parse: parseCount,
    default: USUAL_COUNT,
  },
  "--sort <order>": {
    help:
      "sort hits by relevance, by time, or by a value of their session, such as cost (default: " +
      "relevance)",
    choices: ["relevance", "time", ...SESSION_ORDERS],
  },
  "--reverse": { help: REVERSE_HELP, conflicts: ["maxChars", "cursor"] },
  "-l, --sessions": {
    help: "print one row for each session, with its number of hits",
    conflicts: ["count", "maxChars", "cursor"],
  },
  "--count": {
    help: "count all hits instead of showing them",
    conflicts: ["maxChars", "cursor"],
  },
  "--json": "print each hit as one line of JSON",
  ...PAGE_FLAGS,
} as const satisfies Flags;

export type SearchFlags = FlagsOf<typeof SEARCH_FLAGS>;
