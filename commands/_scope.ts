/** `--here`, `--all`, `--cwd` and `--agent`: whose sessions a command is about. */
import { resolve } from "node:path";
import { Option } from "npm:@commander-js/extra-typings@15.1.0";
import { AGENT_NAMES, type AgentName } from "../lib/event/agent_name.ts";
import type { Library, LibraryListOptions } from "../lib/library/library.ts";
import type { Scope, ScopedEntries } from "../lib/library/scope.ts";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";

/** What the command line says. */
export interface ScopeFlags {
  all?: true;
  here?: true;
  cwd?: string;
  agent?: string;
}

/** The options of a scope, in the order of the help. */
export function scopeOptions(): {
  here: Option<"--here">;
  all: Option<"-a, --all">;
  cwd: Option<"--cwd <dir>">;
  agent: Option<"--agent <name>">;
} {
  return {
    here: new Option("--here", "of this project alone, also where it has none").conflicts("all"),
    all: new Option("-a, --all", "of all directories"),
    cwd: new Option("--cwd <dir>", "of the project around another directory").conflicts("all"),
    agent: new Option("--agent <name>", "of one agent (default: all)")
      .choices([...AGENT_NAMES, "all"]),
  };
}

/** The agents that `--agent` names; undefined for all. */
export function agentsOf(agent: string | undefined): AgentName[] | undefined {
  return agent === undefined || agent === "all" ? undefined : [agent as AgentName];
}

function scopeOf({ all, here, cwd }: ScopeFlags): Scope {
  if (all) return "all";
  return here || cwd !== undefined ? "here" : "project";
}

/**
 * Lists the sessions that the flags name. Says so on stderr where the project has none and all are
 * taken.
 */
export async function listScoped(
  context: Context,
  library: Library,
  flags: ScopeFlags,
  options: Omit<LibraryListOptions, "agents" | "directories"> = {},
): Promise<ScopedEntries> {
  const { listInScope } = await import("../lib/library/scope.ts");
  const agents = agentsOf(flags.agent);
  const cwd = resolve(context.cwd, flags.cwd ?? ".");
  const found = await listInScope(library, scopeOf(flags), cwd, {
    ...options,
    ...(agents === undefined ? {} : { agents }),
  });
  if (found.widened && found.entries.length > 0) {
    await say(context, `No sessions of this project (${cwd}): these are all; only its own: --here`);
  }
  return found;
}
