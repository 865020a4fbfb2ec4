/**
 * The sessions that the picker shows of each scope.
 */
import { SessionError } from "../../lib/event/session_error.ts";
import type { ListOptions } from "../../lib/session/list_sessions.ts";
import type { SessionStore } from "../../lib/session/session_store.ts";
import { realDirectory } from "../../lib/workspace/real_directory.ts";
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
    if (!hasAgents(scope)) return scopeRows(await store.list(options), unread);
    const { listAllAgents } = await import("../_all_agents.ts");
    return scopeRows(await listAllAgents(context, store, options), unread);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return { ...scopeRows([], unread), failure: error.message };
  }
}
