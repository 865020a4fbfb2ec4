/** The flags of `reprise search`. */
import type { SearchRole } from "../../lib/search/searchable_text.ts";
import type { Flags, FlagsOf } from "../_command.ts";
import { PAGE_FLAGS } from "../_page.ts";
import { BRANCH_FLAG, FILE_FLAG, SCOPE_FLAGS, TAG_FLAG } from "../_scope_flags.ts";
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
  ...BRANCH_FLAG,
  ...TAG_FLAG,
  ...FILE_FLAG,
  "--remote": {
    help: "search the summaries and redacted copies in the team's store, without downloading them",
    conflicts: [
      ...["here", "cwd", "project", "agent", "since", "until", "branch", "tag", "file"],
      ...["gone", "role", "regex", "exact", "sort", "count", "sessions", "maxChars", "cursor"],
    ],
  },
  "--gone": "search prompts of deleted sessions; see: reprise list --gone",
  "--role <role>": { help: "only messages of this kind", choices: ROLES },
  "--regex": "read the query as a regular expression, or /expression/flags",
  "--exact": "only messages that contain all words",
  "-n, --limit <count>": {
    help: "maximum number of hits",
    parse: parseCount,
    default: USUAL_COUNT,
  },
  "--sort <order>": {
    help: "sort the hits by this order (default: relevance, or time if no words are given)",
    choices: ["relevance", "time"],
  },
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
