/** `reprise sync service`: runs `sync watch` in the background at each login. */
import type { SetupStep } from "../../lib/features/setup/plan_setup.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import { runProgram } from "../_handover/run_program.ts";
import { defineCommand } from "../_command.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { printFitted, say } from "../_message.ts";
import { type Service, type ServiceItem, serviceItem } from "../_service.ts";
import { carryOutStep, printStep } from "../_setup_step.ts";
import { knownSettings, nothingToSync } from "./connection.ts";

const SYNC_SERVICE: Service = {
  name: "sync",
  what: "the sync service",
  description: "Share the sessions of coding agents",
  words: ["sync", "watch"],
  // Names of files and profiles alone.
  variables: [
    ...["PGPASSFILE", "AWS_PROFILE", "AWS_CONFIG_FILE"],
    ...["AWS_SHARED_CREDENTIALS_FILE", "AWS_REGION", "AWS_DEFAULT_REGION"],
  ],
};

/** Environment variables that the service does not get, and the files to use instead. */
const SECRETS = [
  ["PGPASSWORD", "~/.pgpass"],
  ["AWS_SECRET_ACCESS_KEY", "~/.aws/credentials"],
] as const;

export const serviceCommand = defineCommand({
  summary: "run sync watch in the background",
  description: "Run `sync watch` at each login, with systemd on Linux, launchd on macOS, or Task " +
    "Scheduler on Windows.",
  commands: {
    install: defineCommand({
      summary: "install and start the service",
      description: "Install and start the service. If it is already installed, restart it.",
      examples: ["reprise sync service install"],
      run: async (context) => {
        const { readMachineSettings } = await import(
          "../../lib/features/backup/machines/machine_settings.ts"
        );
        // Either of them gives the service something to do.
        const machines = readMachineSettings(contextLibrary(context).root);
        if ((machines ?? await knownSettings(context)) === undefined) {
          throw nothingToSync("install a service");
        }
        for (const [name, place] of SECRETS) {
          if (!context.variable(name)) continue;
          await say(
            context,
            `The service does not receive the environment variable ${name}. Put its value into ${place}`,
          );
        }
        await change(context, false);
      },
    }),
    remove: defineCommand({
      summary: "stop and remove the service",
      description: "Stop and remove the service. Shared sessions stay where they are.",
      examples: ["reprise sync service remove"],
      run: (context) => change(context, true),
    }),
    status: defineCommand({
      summary: "show whether the service is running",
      description:
        "Show whether the service is installed and running. `sync` shows when the last push and " +
        "pull succeeded.",
      examples: ["reprise sync service status"],
      run: status,
    }),
  },
  examples: ["reprise sync service install", "reprise sync service status"],
});

async function neededItem(context: Context): Promise<ServiceItem> {
  const { environment } = contextLibrary(context).place;
  const item = await serviceItem(context, environment, SYNC_SERVICE);
  if (item !== undefined) return item;
  const message =
    "Cannot use a service: the service manager was not found (systemctl, launchctl or schtasks). Instead, start this at " +
    "login in another way: reprise sync watch";
  throw new SessionError("unsupported-source", message);
}

async function change(context: Context, remove: boolean): Promise<void> {
  const item = await neededItem(context);
  const { planStep } = await import("../../lib/features/setup/plan_setup.ts");
  const { readSetupText } = await import("../../lib/features/setup/carry_out.ts");
  const planned = planStep(item, readSetupText, remove);
  const { what, path, starts } = item;
  const is_there = planned.action === "none" && !remove;
  const step: SetupStep = is_there ? { what, path, action: "run", command: starts } : planned;
  await printStep(context, step, "");
  try {
    await carryOutStep(context, step);
  } catch (error) {
    if (!(error instanceof Error) || error instanceof SessionError) throw error;
    const verb = remove ? "remove" : "install";
    throw new SessionError("io", `Cannot ${verb} the service: ${error.message}`, {}, error);
  }
}

async function status(context: Context): Promise<void> {
  const { path, asks } = await neededItem(context);
  const { readSetupText } = await import("../../lib/features/setup/carry_out.ts");
  const { sanitizeLine } = await import("../../lib/text/render/sanitize.ts");
  const is_there = readSetupText(path) !== undefined;
  const runs = is_there && (await runProgram(context, asks, context.cwd)).state === "done";
  const state = runs ? "runs" : is_there ? "does not run" : "is not installed";
  await printFitted(context, sanitizeLine(`The service ${state}: ${path}`));
  if (!runs) await say(context, "To start it: reprise sync service install");
}
