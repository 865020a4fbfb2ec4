/** `--here`, `--all`, `--cwd` and `--agent`: the scope of a command's sessions. */
import type { AgentName } from "../lib/event/agent_name.ts";
import type { Library } from "../lib/library/library.ts";
import type { FoundSessions, QueryOptions, Scope } from "../lib/library/query.ts";
import { leftOutUndated } from "../lib/render/counted.ts";
import { namedPath } from "../lib/workspace/session_directory.ts";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";
import type { ScopeFlags } from "./_scope_flags.ts";

/** Returns the agents of `--agent`; undefined for all. */
export function agentsOf(agent: string | undefined): AgentName[] | undefined {
  return agent === undefined || agent === "all" ? undefined : [agent as AgentName];
}

function scopeOf({ all, here, cwd }: ScopeFlags): Scope {
  if (all) return "all";
  return here || cwd !== undefined ? "here" : "project";
}

/**
 * Lists the sessions in the flags' scope. Says on stderr if the project has none and all are
 * listed.
 */
export async function findScoped(
  context: Context,
  library: Library,
  flags: ScopeFlags,
  options: Omit<QueryOptions, "agents" | "scope" | "cwd"> = {},
): Promise<FoundSessions> {
  const cwd = namedPath(context.cwd, flags.cwd ?? ".");
  const where = { agents: agentsOf(flags.agent), scope: scopeOf(flags), cwd };
  const found = await library.query({ ...options, ...where });
  if (found.widened && found.entries.length > 0) {
    await say(
      context,
      `No sessions of this project (${cwd}). Showing all projects. Only this one: --here`,
    );
  }
  await tellUndated(context, found);
  return found;
}

/** Says how many sessions a date leaves out because they have none. */
export async function tellUndated(
  context: Context,
  { undated }: Pick<FoundSessions, "undated">,
): Promise<void> {
  if (undated === 0) return;
  const left_out = leftOutUndated(undated);
  await say(context, `reprise: ${left_out}; to list them, too: reprise list --undated`);
}
