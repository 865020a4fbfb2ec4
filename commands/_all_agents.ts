/**
 * Sessions of ours and of other agents in one list. Of a kept copy that says nothing more than its
 * original, only the original is shown.
 */
import type { Summary } from "../lib/projection/summary_row.ts";
import { isMereCopy } from "../lib/session/import/mere_copy.ts";
import { type ListOptions, selectSummaries } from "../lib/session/list_sessions.ts";
import type { SessionStore } from "../lib/session/session_store.ts";
import type { Context } from "./_context.ts";

/** The sessions of all agents, the newest update first. */
export async function listAllAgents(
  context: Context,
  store: SessionStore,
  options: ListOptions,
): Promise<Summary[]> {
  const { listForeign } = await import("./_foreign.ts");
  // Copies that are left out must not count.
  const { limit: _, ...unlimited } = options;
  const foreign = selectSummaries(
    await listForeign(context, "all", store.root, unlimited),
    unlimited,
  );
  const own = withoutMereCopies(await store.list(unlimited), foreign);
  return selectSummaries([...own, ...foreign], options);
}

/** Sessions of ours but those that are shown among the others already. */
export function withoutMereCopies<Session extends { path: string }>(
  own: readonly Session[],
  others: readonly { ref: string }[],
): Session[] {
  const shown = new Set(others.map(({ ref }) => ref));
  return own.filter(({ path }) => !isMereCopy(path, (ref) => shown.has(ref)));
}
