/** Lists the sessions that the picker shows of each scope. */
import { SessionError } from "../../event/session_error.ts";
import { rowsOf } from "../../library/candidate.ts";
import type { QueryOptions } from "../../library/query.ts";
import type { Summary } from "../../projection/summary_row.ts";
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
    const rows = await rowsIn(settings, scope, { remembered: true, limit: MOST_KNOWN });
    if (rows.length === 0) return undefined;
    return { ...scopeRows(rows, 0), unchecked: true };
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
    const rows = await rowsIn(settings, scope, { rows: true, onError: () => unread++ });
    return scopeRows(rows, unread);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return { ...scopeRows([], unread), failure: error.message };
  }
}

async function rowsIn(
  { library, cwd }: ScreenSettings,
  scope: PickerScope,
  options: QueryOptions,
): Promise<Summary[]> {
  const where = { scope: scope === "project" ? "here" : "all", cwd } as const;
  return await rowsOf((await library.query({ ...options, ...where })).entries);
}
