/**
 * The sessions that the picker shows of each scope.
 */
import { SessionError } from "../../lib/event/session_error.ts";
import { type ListOptions, selectSummaries } from "../../lib/session/list_sessions.ts";
import { realDirectory, type SessionStore } from "../../lib/session/session_store.ts";
import type { Context } from "../_context.ts";
import { hasAgents, isOfDirectory, type PickerScope, type ScopeRows, scopeRows } from "./state.ts";

/** Reads a scope. What cannot be read is counted; a store or home that cannot be is told. */
export async function readScope(
  context: Context,
  store: SessionStore,
  scope: PickerScope,
): Promise<ScopeRows> {
  let unread = 0;
  const options: ListOptions = {
    ...(isOfDirectory(scope) ? { cwd: realDirectory(context.cwd) } : {}),
    onError: () => unread++,
  };
  try {
    const own = await store.list(options);
    if (!hasAgents(scope)) return scopeRows(own, unread);
    const { listForeign } = await import("../_foreign.ts");
    const foreign = await listForeign(context, "all", store.root, options);
    return scopeRows(selectSummaries([...own, ...foreign], options), unread);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return { ...scopeRows([], unread), failure: error.message };
  }
}
