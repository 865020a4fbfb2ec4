/** `reprise backup service` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import type { ServiceManager } from "../../lib/backup/service_unit.ts";
import { programCommand } from "../../lib/platform/process.ts";
import { operatingSystem } from "../../lib/platform/runtime.ts";
import { AGENT_VARIABLES } from "../../lib/library/registry.ts";
import type { Context } from "../_context.ts";
import { UsageError } from "../_failure.ts";
import { say } from "../_message.ts";

/** Prints what starts --watch at login. */
export function serviceCommand(context: Context): Command {
  return new Command("service")
    .summary("print a service that runs --watch from your login on")
    .description(
      "Print a service that keeps sessions from your login on: a unit for systemd, or a\n" +
        "list for launchd on macOS. Nothing is installed; the lines to do so follow.",
    )
    .option("--systemd", "for systemd")
    .option("--launchd", "for launchd")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise backup service > ~/.config/systemd/user/reprise-backup.service\n" +
        "  reprise backup service --launchd > ~/Library/LaunchAgents/reprise.backup.plist",
    )
    .action((flags) => printService(context, flags)) as unknown as Command;
}

/** Variables that say where sessions and the store are. */
const OWN_VARIABLES = ["REPRISE_HOME", "XDG_STATE_HOME", "REPRISE_CACHE", "XDG_CACHE_HOME"];

async function printService(
  context: Context,
  { systemd, launchd }: { systemd?: true; launchd?: true },
): Promise<void> {
  if (systemd && launchd) throw new UsageError("give one of --systemd and --launchd");
  if (operatingSystem === "windows" && !systemd && !launchd) {
    throw new UsageError(
      "Windows has no such service; run at login, as with Task Scheduler: reprise backup --watch",
    );
  }
  const manager: ServiceManager = launchd || (operatingSystem === "darwin" && !systemd)
    ? "launchd"
    : "systemd";
  const { serviceUnit } = await import("../../lib/backup/service_unit.ts");
  const names = [...new Set([...OWN_VARIABLES, ...AGENT_VARIABLES])];
  const variables = Object.fromEntries(names.flatMap((name) => {
    const value = context.variable(name);
    return value ? [[name, value]] : [];
  }));
  const command = [...programCommand(), "backup", "--watch"] as unknown as [string, ...string[]];
  context.stdout.write(serviceUnit(manager, { command, variables }));
  if (context.stdout.terminal) await say(context, ADVICE[manager]);
}

const ADVICE: Readonly<Record<ServiceManager, string>> = {
  systemd: "\nTo install it:\n" +
    "  mkdir -p ~/.config/systemd/user\n" +
    "  reprise backup service > ~/.config/systemd/user/reprise-backup.service\n" +
    "  systemctl --user enable --now reprise-backup",
  launchd: "\nTo install it:\n" +
    "  reprise backup service > ~/Library/LaunchAgents/reprise.backup.plist\n" +
    "  launchctl load ~/Library/LaunchAgents/reprise.backup.plist",
};
