/** The flags of `reprise list`. */
import { AGENT_NAMES } from "../../lib/core/event/agent_name.ts";
import { LIST_COLUMNS, type ListColumn } from "../../lib/text/render/session_table.ts";
import { type Flags, type FlagsOf, plainFlags } from "../_command.ts";
import type { Context } from "../_context.ts";
import { InvalidArgument, parseCount, parseSince, parseUntil, TIMES } from "../_values.ts";
import { PAGE_FLAGS } from "../_page.ts";
import { REVERSE_HELP, SCOPE_FLAGS, WORD_FLAGS } from "../_scope_flags.ts";
import { SESSION_ORDERS } from "../../lib/core/store/session_order.ts";

export const LIST_FLAGS = {
  ...SCOPE_FLAGS,
  "--agent <name>": {
    ...SCOPE_FLAGS["--agent <name>"],
    get choices(): readonly string[] {
      return [...AGENT_NAMES, "herdr", "all"];
    },
  },
  "--since <time>": { help: `only sessions updated since this time: ${TIMES}`, parse: parseSince },
  "--until <time>": {
    help: "only sessions last updated at or before this time (same formats as --since)",
    parse: parseUntil,
  },
  "--undated": "with --since or --until: also list sessions without a date",
  ...WORD_FLAGS,
  "--commit <rev>": {
    help: "only sessions that wrote lines which this commit, range or branch added",
    conflicts: ["gone"],
  },
  "--failed":
    "only sessions that end with an error; if there are none, sessions with failed commands",
  "--interrupted": {
    help: "only sessions that stopped in the middle of a turn, with no process still running",
    conflicts: ["status", "failed"],
  },
  "--failed-calls": "only sessions with a failed command or tool call",
  "--root <folder>": "only sessions in this data folder of an agent, such as ~/.claude-work",
  "--archived": "list archived sessions instead",
  "--gone": "list deleted sessions whose prompts are still in an agent's history file",
  "--exact": "read each session in full, to show all message counts and costs (slower)",
  "-n, --limit <count>": { help: "maximum number of rows", parse: parseCount },
  "--sort <order>": {
    help:
      "sort by this value, the largest or newest first, but titles from A to Z (default: updated)",
    choices: SESSION_ORDERS,
    conflicts: ["maxChars", "cursor"],
  },
  "--reverse": {
    help: REVERSE_HELP,
    conflicts: ["maxChars", "cursor"],
  },
  "--agents": "list the names of all agents",
  "--columns <names>": {
    help: `show only these columns, in this order: ${LIST_COLUMNS.join(", ")}`,
    parse: parseColumns,
    conflicts: ["json"],
  },
  "--json": "print each session as one line of JSON",
  ...PAGE_FLAGS,
} as const satisfies Flags;

export type ListFlags = FlagsOf<typeof LIST_FLAGS>;

function parseColumns(text: string): readonly ListColumn[] {
  const names = text.split(",").map((name) => name.trim());
  const wrong = names.find((name) => !(LIST_COLUMNS as readonly string[]).includes(name));
  if (wrong === undefined) return names as ListColumn[];
  throw new InvalidArgument(
    `No column has the name "${wrong}". All columns: ${LIST_COLUMNS.join(",")}.`,
  );
}

export function plainListFlags(
  words: readonly string[],
  context: Context,
): ListFlags | undefined {
  return plainFlags(LIST_FLAGS, words, context) as ListFlags | undefined;
}
