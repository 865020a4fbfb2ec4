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
  "--since <time>": { help: `said or done since: ${TIMES}`, parse: parseSince },
  "--until <time>": {
    help: "said or done by then; a day, week or month counts whole",
    parse: parseUntil,
  },
  ...BRANCH_FLAG,
  ...TAG_FLAG,
  ...FILE_FLAG,
  "--remote": {
    help: "the team's store: summaries and redacted copies there; nothing is downloaded",
    conflicts: [
      ...["here", "cwd", "project", "agent", "since", "until", "branch", "tag", "file"],
      ...["gone", "role", "regex", "exact", "sort", "count", "sessions", "maxChars", "cursor"],
    ],
  },
  "--gone": "prompts of deleted sessions instead; see: reprise list --gone",
  "--role <role>": { help: "only texts of this role", choices: ROLES },
  "--regex": "the query is a regular expression, or /expression/flags",
  "--exact": "only messages that have all words",
  "-n, --limit <count>": {
    help: "maximum number of hits",
    parse: parseCount,
    default: USUAL_COUNT,
  },
  "--sort <order>": {
    help: "the order of the hits (default: relevance; without words: time)",
    choices: ["relevance", "time"],
  },
  "-l, --sessions": {
    help: "one row for each session, with its number of hits",
    conflicts: ["count", "maxChars", "cursor"],
  },
  "--count": {
    help: "print the number of all hits; no session is left out",
    conflicts: ["maxChars", "cursor"],
  },
  "--json": "one hit a line",
  ...PAGE_FLAGS,
} as const satisfies Flags;

export type SearchFlags = FlagsOf<typeof SEARCH_FLAGS>;
