/** Lists the sessions that the picker shows of each scope. */
import { SessionError } from "../../event/session_error.ts";
import type { ScreenSettings } from "../screen.ts";
import { type PickerScope, type ScopeRows, scopeRows } from "./state.ts";

/** Maximum number of remembered sessions: parsing more would keep the first screen waiting. */
const MOST_KNOWN = 500;

/** Lists a scope as the catalogue remembers it; undefined where it remembers nothing. */
export async function knownScope(
  settings: ScreenSettings,
  scope: PickerScope,
): Promise<ScopeRows | undefined> {
  try {
    const { knownInScope } = await import("../../library/scope.ts");
    const { library, cwd } = settings;
    const found = await knownInScope(library, scopeOf(scope), cwd, { limit: MOST_KNOWN });
    if (found.length === 0) return undefined;
    return { ...scopeRows(found.map(({ row }) => row), 0), unchecked: true };
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    // The list itself tells why.
    return undefined;
  }
}

/** Lists a scope. Counts what cannot be read; tells why nothing can be. */
export async function readScope(
  settings: ScreenSettings,
  scope: PickerScope,
): Promise<ScopeRows> {
  let unread = 0;
  try {
    const { listInScope } = await import("../../library/scope.ts");
    const { library, cwd } = settings;
    const options = { onError: () => unread++ };
    const { entries } = await listInScope(library, scopeOf(scope), cwd, options);
    return scopeRows(entries.map(({ row }) => row), unread);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return { ...scopeRows([], unread), failure: error.message };
  }
}

function scopeOf(scope: PickerScope): "here" | "all" {
  return scope === "project" ? "here" : "all";
}
