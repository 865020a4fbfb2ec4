/** Flags that several commands share: the scope, the choice of sessions, and `--identity`. */
import { AGENT_NAMES, isAgentName, REPRISE } from "../lib/core/event/agent_name.ts";
import { UsageError } from "./_failure.ts";
import { SESSION_STATES } from "../lib/core/store/session_words.ts";
import { collected, type Flags, type FlagsOf } from "./_command.ts";

export const AGENTS_LINE = "reprise list --agents";

export const otherAgents = (): readonly string[] => [
  ...AGENT_NAMES.filter((name) => name !== REPRISE),
  "all",
];

export const AGENT_FLAG = {
  "--agent <name>": {
    help: "only sessions of this agent",
    // Agents with a reader of the user's own are added when the program starts.
    get choices(): readonly string[] {
      return [...AGENT_NAMES, "all"];
    },
    see: AGENTS_LINE,
  },
} as const satisfies Flags;

export const LATEST_FLAG = {
  "--agent <name>": {
    help: "without REF: use this agent's latest session",
    choices: AGENT_NAMES,
    see: AGENTS_LINE,
  },
} as const satisfies Flags;

/**
 * Throws if both REF and `--agent` are given, or if REF is the name of an agent.
 *
 * @param latest Returns the command line for an agent's latest session.
 * @throws {UsageError}
 */
export function assertOneSession(
  ref: string | undefined,
  agent: string | undefined,
  latest: (agent: string) => string,
): void {
  if (ref === undefined) return;
  if (agent !== undefined) {
    throw new UsageError(
      "Give either REF or --agent, not both. --agent uses that agent's latest session",
    );
  }
  const name = ref.toLowerCase();
  if (!isAgentName(name)) return;
  throw new UsageError(`"${ref}" is an agent. To use its latest session: ${latest(name)}`);
}

export const SCOPE_FLAGS = {
  "-a, --all": "include the sessions of all projects",
  "--here": {
    help: "use only this project, even if nothing is found in it",
    conflicts: ["all"],
  },
  "--cwd <dir>": { help: "use the project that contains this directory", conflicts: ["all"] },
  "--project <project>": {
    help: "use the project with this name or directory",
    conflicts: ["all", "here", "cwd"],
  },
  ...AGENT_FLAG,
} as const satisfies Flags;

export type ScopeFlags = FlagsOf<typeof SCOPE_FLAGS>;

export const WORD_FLAGS = {
  "--title <text>": "only sessions whose title contains this text",
  "--branch <name>": "only sessions started on a git branch whose name contains this text",
  "--model <text>": "only sessions with a model whose name contains this text",
  "--status <status>": {
    help: "only sessions with this status",
    choices: SESSION_STATES,
  },
  "--failed": "only sessions that end with an error",
  "--tag <tag>": "only sessions with this tag",
  "--pinned": "only pinned sessions",
  "--file <path>":
    "only sessions that changed this file, or a file in this folder; a name without a folder, " +
    "such as app.ts, matches in every folder",
} as const satisfies Flags;

export const REVERSE_HELP = "reverse the order; sessions without a value to sort by stay last";

export const IDENTITY_FLAG = {
  "--identity <file>": {
    help: "decrypt with the private keys (age identities) in this file (default: " +
      "$REPRISE_IDENTITY)",
    parse: collected,
  },
} as const satisfies Flags;

export type IdentityFlags = FlagsOf<typeof IDENTITY_FLAG>;
