import { operatingSystem } from "../lib/platform/runtime.ts";
import { openSessionStore } from "../lib/session/open_store.ts";
import type { SessionStore } from "../lib/session/session_store.ts";
import { dataRoot } from "../lib/workspace/data_root.ts";
import type { Context } from "./_context.ts";

/** The store of a command's environment. */
export function contextStore({ now, variable }: Context): SessionStore {
  const root = dataRoot(variable, operatingSystem === "windows");
  return openSessionStore(root === undefined ? { now } : { now, root });
}
