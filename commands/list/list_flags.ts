/** The flags of `reprise list`. */
import { AGENT_NAMES } from "../../lib/event/agent_name.ts";
import { LIST_COLUMNS, type ListColumn } from "../../lib/render/session_table.ts";
import { type Flags, type FlagsOf, plainFlags } from "../_command.ts";
import type { Context } from "../_context.ts";
import { InvalidArgument, parseCount, parseSince, parseUntil, TIMES } from "../_values.ts";
import { PAGE_FLAGS } from "../_page.ts";
import { BRANCH_FLAG, FILE_FLAG, SCOPE_FLAGS, TAG_FLAG } from "../_scope_flags.ts";

export const LIST_FLAGS = {
  ...SCOPE_FLAGS,
  "--agent <name>": {
    ...SCOPE_FLAGS["--agent <name>"],
    choices: [...AGENT_NAMES, "herdr", "all"] as readonly string[],
  },
  "--since <time>": { help: `updated since: ${TIMES}`, parse: parseSince },
  "--until <time>": {
    help: "updated by then; a day, week or month counts whole",
    parse: parseUntil,
  },
  "--undated": "with --since or --until: sessions without a date, too",
  "--title <text>": "only titles that contain this text",
  ...BRANCH_FLAG,
  "--model <text>": "only sessions with this text in a model's name",
  ...TAG_FLAG,
  "--pinned": "only pinned sessions",
  "--failed": "only sessions that end with an error",
  "--root <folder>": "only those in this folder of an agent, such as ~/.claude-work",
  ...FILE_FLAG,
  "--archived": "archived sessions instead",
  "--gone": "deleted sessions instead, of which an agent's history has the prompts",
  "--exact": "fill in message counts and costs (slower)",
  "-n, --limit <count>": { help: "maximum number of rows", parse: parseCount },
  "--agents": "list the names of all agents instead",
  "--remote": "the team's sessions, from its store; nothing is downloaded",
  "--columns <names>": {
    help: `only these columns, in this order: ${LIST_COLUMNS.join(", ")}`,
    parse: parseColumns,
    conflicts: ["json", "remote"],
  },
  "--json": "one summary a line",
  ...PAGE_FLAGS,
} as const satisfies Flags;

export type ListFlags = FlagsOf<typeof LIST_FLAGS>;

function parseColumns(text: string): readonly ListColumn[] {
  const names = text.split(",").map((name) => name.trim());
  if (names.every((name) => (LIST_COLUMNS as readonly string[]).includes(name))) {
    return names as ListColumn[];
  }
  throw new InvalidArgument(`Give names of columns: ${LIST_COLUMNS.join(",")}.`);
}

/** Reads plain flags; undefined if the parser of arguments is needed. */
export function plainListFlags(
  words: readonly string[],
  context: Context,
): ListFlags | undefined {
  return plainFlags(LIST_FLAGS, words, context) as ListFlags | undefined;
}
