/** The service that keeps sessions from the user's login on. */
import type { ServiceManager } from "../lib/backup/service_unit.ts";
import { AGENT_VARIABLES } from "../lib/library/registry.ts";
import { programCommand } from "../lib/platform/process.ts";
import type { Context } from "./_context.ts";

/** Variables that name the places of sessions and of the store. */
const OWN_VARIABLES = ["REPRISE_HOME", "XDG_STATE_HOME", "REPRISE_CACHE", "XDG_CACHE_HOME"];

/** Returns the text of the service, with the variables that move sessions. */
export async function backupService(context: Context, manager: ServiceManager): Promise<string> {
  const { serviceUnit } = await import("../lib/backup/service_unit.ts");
  const names = [...new Set([...OWN_VARIABLES, ...AGENT_VARIABLES])];
  const variables = Object.fromEntries(names.flatMap((name) => {
    const value = context.variable(name);
    return value ? [[name, value]] : [];
  }));
  const command = [...programCommand(), "backup", "--watch"] as unknown as [string, ...string[]];
  return serviceUnit(manager, { command, variables });
}
