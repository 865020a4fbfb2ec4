/** System services that start a command with `--watch` when the user logs in. */
import { join } from "node:path";
import { agentVariables } from "../lib/library/machine/registry.ts";
import { programCommand } from "../lib/core/platform/process.ts";
import { operatingSystem } from "../lib/core/platform/runtime.ts";
import type { ServiceCommands, ServiceManager } from "../lib/features/setup/service_unit.ts";
import type { CommandLine, FileItem } from "../lib/features/setup/setup_item.ts";
import { xdgFolder } from "../lib/core/workspace/xdg_folder.ts";
import type { AgentEnvironment } from "../lib/agents/contract/agent_environment.ts";
import type { Context } from "./_context.ts";
import { contextLibrary } from "./_library.ts";
import { userProgram } from "./_user_program.ts";

export interface Service {
  /** The service's name in file names: `backup` in `reprise-backup.service`. */
  name: string;
  /** The service's name in messages for people. */
  what: string;
  description: string;
  /** The arguments with which the service runs Reprise, such as `backup --watch`. */
  words: readonly string[];
  /**
   * Variables that the service needs, besides those for session folders. No variable may be secret.
   */
  variables: readonly string[];
}

export const BACKUP_SERVICE: Service = {
  name: "backup",
  what: "the backup service",
  description: "Back up the sessions of coding agents",
  words: ["backup", "--watch"],
  variables: [],
};

export type ServiceItem = FileItem & ServiceCommands;

const OWN_VARIABLES = ["REPRISE_HOME", "XDG_STATE_HOME", "REPRISE_CACHE", "XDG_CACHE_HOME"];

export async function serviceText(
  context: Context,
  { name, description, words, variables: more }: Service,
  manager: ServiceManager,
): Promise<string> {
  const { serviceUnit } = await import("../lib/features/setup/service_unit.ts");
  const names = [...new Set([...OWN_VARIABLES, ...agentVariables(), ...more])];
  const variables = Object.fromEntries(names.flatMap((variable) => {
    const value = context.variable(variable);
    return value ? [[variable, value]] : [];
  }));
  const command = [...programCommand(), ...words] as unknown as CommandLine;
  const { home } = contextLibrary(context).place.environment;
  const user = [context.variable("USERDOMAIN"), context.variable("USERNAME")].filter(Boolean);
  return serviceUnit(manager, {
    ...{ name, description, command, variables },
    log: join(home, "Library", "Logs", `reprise.${name}.log`),
    ...user.length === 0 ? {} : { user: user.join("\\") },
  });
}

export function ownManager(): ServiceManager {
  if (operatingSystem === "darwin") return "launchd";
  return operatingSystem === "windows" ? "schtasks" : "systemd";
}

/** The program of each service manager. Without the program, the system has no service manager. */
const PROGRAMS: Readonly<Record<ServiceManager, string>> = {
  ...{ systemd: "systemctl", launchd: "launchctl", schtasks: "schtasks" },
};

/** Returns a service's file. Undefined if the service manager's program is not on `PATH`. */
export async function serviceItem(
  context: Context,
  environment: AgentEnvironment,
  service: Service,
): Promise<ServiceItem | undefined> {
  const { name, what } = service;
  const manager = ownManager();
  if (userProgram(context, PROGRAMS[manager], context.cwd) === undefined) return undefined;
  const { serviceCommands } = await import("../lib/features/setup/service_unit.ts");
  const path = servicePath(context, environment, manager, name);
  const text = await serviceText(context, service, manager);
  return { kind: "file", what, path, text, ...serviceCommands(manager, { name, path }) };
}

function servicePath(
  context: Context,
  environment: AgentEnvironment,
  manager: ServiceManager,
  name: string,
): string {
  const { home } = environment;
  if (manager === "launchd") return join(home, "Library", "LaunchAgents", `reprise.${name}.plist`);
  if (manager === "schtasks") {
    const folder = context.variable("LOCALAPPDATA") ?? join(home, "AppData", "Local");
    return join(folder, "reprise", `reprise-${name}.xml`);
  }
  const config = xdgFolder(environment, "XDG_CONFIG_HOME", ".config");
  return join(config, "systemd", "user", `reprise-${name}.service`);
}
