/** The flags of `reprise list`. */
import { AGENT_NAMES } from "../../lib/event/agent_name.ts";
import { type Flags, type FlagsOf, plainFlags } from "../_command.ts";
import type { Context } from "../_context.ts";
import { parseCount, parseSince } from "../_values.ts";
import { PAGE_FLAGS } from "../_page.ts";
import { FILE_FLAG, SCOPE_FLAGS, TAG_FLAG } from "../_scope_flags.ts";

export const LIST_FLAGS = {
  ...SCOPE_FLAGS,
  "--agent <name>": {
    ...SCOPE_FLAGS["--agent <name>"],
    choices: [...AGENT_NAMES, "herdr", "all"] as readonly string[],
  },
  "--since <time>": { help: "updated since: 30m, 12h, 7d, 2w, or a date", parse: parseSince },
  "--title <text>": "only titles that contain this text",
  ...TAG_FLAG,
  "--pinned": "only pinned sessions",
  "--root <folder>": "only those in this folder of an agent, such as ~/.claude-work",
  ...FILE_FLAG,
  "--archived": "archived sessions instead",
  "--gone": "deleted sessions instead, of which an agent's history has the prompts",
  "--exact": "fill in message counts and costs (slower)",
  "-n, --number <count>": { help: "maximum number of rows", parse: parseCount },
  "--remote": "the team's sessions, from its store; nothing is downloaded",
  "--json": "one summary a line",
  ...PAGE_FLAGS,
} as const satisfies Flags;

export type ListFlags = FlagsOf<typeof LIST_FLAGS>;

/** Reads plain flags; undefined if the parser of arguments is needed. */
export function plainListFlags(
  words: readonly string[],
  context: Context,
): ListFlags | undefined {
  return plainFlags(LIST_FLAGS, words, context) as ListFlags | undefined;
}
