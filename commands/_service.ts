/** Services that run a watch from the user's login on. */
import { join } from "node:path";
import { agentVariables } from "../lib/library/machine/registry.ts";
import { programCommand } from "../lib/core/platform/process.ts";
import { operatingSystem } from "../lib/core/platform/runtime.ts";
import type { ServiceManager } from "../lib/features/setup/service_unit.ts";
import type { CommandLine, FileItem } from "../lib/features/setup/setup_item.ts";
import { xdgFolder } from "../lib/core/workspace/xdg_folder.ts";
import type { AgentEnvironment } from "../lib/agents/contract/agent_environment.ts";
import type { Context } from "./_context.ts";
import { userProgram } from "./_user_program.ts";

export interface Service {
  /** Part of the service's file names, such as `reprise-backup.service`. */
  name: string;
  /** The service's name in messages for people. */
  what: string;
  /** The service's description in the list of the service manager. */
  description: string;
  /** The arguments of the program. */
  words: readonly string[];
  /** Variables that the service needs, besides those for session folders. None may be secret. */
  variables: readonly string[];
}

export const BACKUP_SERVICE: Service = {
  name: "backup",
  what: "the backup service",
  description: "Back up the sessions of coding agents",
  words: ["backup", "--watch"],
  variables: [],
};

/** A service's file, start and stop commands, and a command that succeeds while it runs. */
export type ServiceItem = FileItem & Required<Pick<FileItem, "starts" | "stops">> & {
  asks: CommandLine;
};

/** Variables that name the places of sessions and of the store. */
const OWN_VARIABLES = ["REPRISE_HOME", "XDG_STATE_HOME", "REPRISE_CACHE", "XDG_CACHE_HOME"];

/** Returns the text of a service, with the variables that move sessions. */
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
  return serviceUnit(manager, { name, description, command, variables });
}

/** Returns the file of a service; undefined without a known service manager. */
export async function serviceItem(
  context: Context,
  environment: AgentEnvironment,
  service: Service,
): Promise<ServiceItem | undefined> {
  const { name, what } = service;
  const isProgram = (program: string): boolean =>
    userProgram(context, program, context.cwd) !== undefined;
  if (operatingSystem === "darwin" && isProgram("launchctl")) {
    const path = join(environment.home, "Library", "LaunchAgents", `reprise.${name}.plist`);
    return {
      ...{ kind: "file", what, path, text: await serviceText(context, service, "launchd") },
      ...{ starts: ["launchctl", "load", path], stops: ["launchctl", "unload", path] },
      asks: ["launchctl", "list", `reprise.${name}`],
    };
  }
  if (operatingSystem !== "linux" || !isProgram("systemctl")) return undefined;
  const config = xdgFolder(environment, "XDG_CONFIG_HOME", ".config");
  const systemctl = (...verb: string[]): CommandLine => {
    return ["systemctl", "--user", ...verb, `reprise-${name}`];
  };
  return {
    ...{ kind: "file", what, path: join(config, "systemd", "user", `reprise-${name}.service`) },
    text: await serviceText(context, service, "systemd"),
    ...{ starts: systemctl("enable", "--now"), stops: systemctl("disable", "--now") },
    asks: systemctl("is-active", "--quiet"),
  };
}
