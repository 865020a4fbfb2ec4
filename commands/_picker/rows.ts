/**
 * The sessions that the picker shows of each scope.
 */
import { SessionError } from "../../lib/event/session_error.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { type PickerScope, type ScopeRows, scopeRows } from "./state.ts";

/** Lists a scope. Counts what cannot be read; tells why nothing can be. */
export async function readScope(context: Context, scope: PickerScope): Promise<ScopeRows> {
  let unread = 0;
  try {
    const { listInScope } = await import("../../lib/library/scope.ts");
    const library = contextLibrary(context);
    const { entries } = await listInScope(
      library,
      scope === "project" ? "here" : "all",
      context.cwd,
      { onError: () => unread++ },
    );
    return scopeRows(entries.map(({ row }) => row), unread);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return { ...scopeRows([], unread), failure: error.message };
  }
}
