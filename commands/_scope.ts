/** `--here`, `--all`, `--cwd` and `--agent`: the scope of a command's sessions. */
import { resolve } from "node:path";
import type { AgentName } from "../lib/event/agent_name.ts";
import type { Library, LibraryListOptions, LocatedEntries } from "../lib/library/library.ts";
import {
  listInScope,
  locateInScope,
  type Scope,
  type ScopedEntries,
} from "../lib/library/scope.ts";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";
import type { ScopeFlags } from "./_scope_flags.ts";
import { present } from "../lib/event/present.ts";

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
export async function listScoped(
  context: Context,
  library: Library,
  flags: ScopeFlags,
  options: Omit<LibraryListOptions, "agents" | "directories"> = {},
): Promise<ScopedEntries> {
  return await inScope(context, flags, options, (...where) => listInScope(library, ...where));
}

/** Locates the sessions of {@linkcode listScoped} without reading rows. */
export async function locateScoped(
  context: Context,
  library: Library,
  flags: ScopeFlags,
  options: Omit<LibraryListOptions, "agents" | "directories"> = {},
): Promise<LocatedEntries & Pick<ScopedEntries, "directories">> {
  return await inScope(context, flags, options, (...where) => locateInScope(library, ...where));
}

async function inScope<Found extends { entries: readonly unknown[]; widened: boolean }>(
  context: Context,
  flags: ScopeFlags,
  options: Omit<LibraryListOptions, "agents" | "directories">,
  find: (scope: Scope, cwd: string, options: LibraryListOptions) => Promise<Found>,
): Promise<Found> {
  const agents = agentsOf(flags.agent);
  const cwd = resolve(context.cwd, flags.cwd ?? ".");
  const found = await find(scopeOf(flags), cwd, present({ ...options, agents }));
  if (found.widened && found.entries.length > 0) {
    await say(
      context,
      `No sessions of this project (${cwd}). Showing all projects. Only this one: --here`,
    );
  }
  return found;
}
