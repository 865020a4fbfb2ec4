/** `reprise setup` */
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { CommandLine, FileItem, SetupItem } from "../lib/setup/setup_item.ts";
import type { SetupStep } from "../lib/setup/plan_setup.ts";
import { counted } from "../lib/render/counted.ts";
import { realPathSync } from "../lib/platform/files.ts";
import { programCommand } from "../lib/platform/process.ts";
import { operatingSystem } from "../lib/platform/runtime.ts";
import type { AgentEnvironment } from "../lib/source/agent_environment.ts";
import { quoteWord, runProgram } from "./_handover/run_program.ts";
import { backupService } from "./_backup_service.ts";
import { COMPLETION_SCRIPTS } from "./completions/scripts.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { say } from "./_message.ts";
import { isConfirmed } from "./_question.ts";
import { SKILL } from "./skill.ts";
import { userProgram } from "./_user_program.ts";

export const setupCommand = defineCommand({
  summary: "install the skill and the MCP server for your agents",
  description: "Install the skill and the MCP server for each agent that is found here, the\n" +
    "status line of Claude Code, the completions of your shells, the manual page, and\n" +
    "the service that backs up.\n" +
    "First it shows what it would do. On a terminal it then asks about each step.\n" +
    "Settings are changed by the agent's own command, where it has one. Elsewhere one\n" +
    "entry is added, and a copy of the settings lies beside: FILE.reprise-backup.",
  flags: {
    "--write": "do all of it, without asking",
    "--dry-run": { help: "only show what would be done", conflicts: ["write"] },
    "--remove": "take all of it away again",
  },
  examples: ["reprise setup", "reprise setup --write", "reprise setup --remove --write"],
  run: async (context, { write = false, dryRun = false, remove = false }) => {
    const { planStep } = await import("../lib/setup/plan_setup.ts");
    const { readSetupText } = await import("../lib/setup/carry_out.ts");
    const plans = (await setupItems(context)).map((item): Plan => () =>
      planStep(item, readSetupText, remove)
    );
    const steps = plans.map((plan) => plan());
    for (const step of steps) await print(context, step, write ? "to " : "would ");
    const due = plans.filter((_, index) => !/none|refuse/.test(steps[index]?.action ?? ""));
    const asks = !write && !dryRun && context.stdin_terminal && context.stderr.terminal;
    const failed = steps.filter(({ action }) => action === "refuse").length;
    if (due.length === 0) await say(context, "Nothing to do");
    else if (write || asks) await carryOutAll(context, due, asks, failed);
    else {
      const flags = remove ? "--remove --write" : "--write";
      await say(context, `Nothing was changed. To do it: reprise setup ${flags}`);
    }
    if (failed > 0) throw new CommandExit(STATUS.failed);
  },
});

async function setupItems(context: Context): Promise<SetupItem[]> {
  const { cwd } = context;
  const { environment } = contextLibrary(context).place;
  if (environment.home === "") throw new UsageError("set HOME to your home directory");
  const isProgram = (name: string): boolean => userProgram(context, name, cwd) !== undefined;
  // The installed program stays where it is when its version changes.
  const found = userProgram(context, "reprise", cwd);
  const own = (found === undefined ? programCommand() : [found]) as unknown as CommandLine;
  const { agentItems } = await import("../lib/setup/setup_item.ts");
  return [
    ...agentItems({
      ...{ environment, isProgram, command: [...own, "mcp"], skill: SKILL },
      status_line: [...own, "statusline"].map(quoteWord).join(" "),
    }),
    ...completionItems(environment, isProgram),
    ...await manualItems(environment, own.at(-1) ?? ""),
    ...await serviceItems(context, environment, isProgram),
  ];
}

/** The places where shells look for a user's completions. The install script uses them too. */
const COMPLETION_FILES = {
  bash: "bash-completion/completions/reprise",
  zsh: "zsh/site-functions/_reprise",
  fish: "fish/vendor_completions.d/reprise.fish",
} as const;

function completionItems(
  environment: AgentEnvironment,
  isProgram: (name: string) => boolean,
): FileItem[] {
  const shells = Object.entries(COMPLETION_FILES) as [keyof typeof COMPLETION_FILES, string][];
  return shells.filter(([shell]) => isProgram(shell)).map(([shell, file]) => ({
    ...{ kind: "file", what: `completions for ${shell}`, text: COMPLETION_SCRIPTS[shell] },
    path: join(dataFolder(environment), file),
  }));
}

function dataFolder(environment: AgentEnvironment): string {
  return xdgFolder(environment, "XDG_DATA_HOME", ".local/share");
}

/** Returns a folder that a variable names. A relative one counts as unset. */
function xdgFolder({ home, variable }: AgentEnvironment, name: string, usual: string): string {
  const folder = variable(name) ?? "";
  return isAbsolute(folder) ? folder : join(home, usual);
}

/** Finds the manual page beside the program. */
async function manualItems(environment: AgentEnvironment, program: string): Promise<FileItem[]> {
  const { readSetupText } = await import("../lib/setup/carry_out.ts");
  if (!existsSync(program)) return [];
  const folder = dirname(realPathSync(program));
  const places = [folder, join(folder, "..", "share", "man", "man1")];
  const text = places.map((place) => readSetupText(join(place, "reprise.1")))
    .find((found) => found !== undefined);
  const path = join(dataFolder(environment), "man", "man1", "reprise.1");
  return text === undefined ? [] : [{ kind: "file", what: "the manual page", path, text }];
}

async function serviceItems(
  context: Context,
  environment: AgentEnvironment,
  isProgram: (name: string) => boolean,
): Promise<FileItem[]> {
  const service = { kind: "file", what: "the service that backs up" } as const;
  if (operatingSystem === "darwin" && isProgram("launchctl")) {
    const path = join(environment.home, "Library", "LaunchAgents", "reprise.backup.plist");
    return [{
      ...{ ...service, path, text: await backupService(context, "launchd") },
      ...{ starts: ["launchctl", "load", path], stops: ["launchctl", "unload", path] },
    }];
  }
  if (operatingSystem !== "linux" || !isProgram("systemctl")) return [];
  const config = xdgFolder(environment, "XDG_CONFIG_HOME", ".config");
  const systemctl = (verb: string): CommandLine => {
    return ["systemctl", "--user", verb, "--now", "reprise-backup"];
  };
  return [{
    ...{ ...service, path: join(config, "systemd", "user", "reprise-backup.service") },
    text: await backupService(context, "systemd"),
    ...{ starts: systemctl("enable"), stops: systemctl("disable") },
  }];
}

async function print(context: Context, step: SetupStep, before: string): Promise<void> {
  const { sanitizeLine } = await import("../lib/render/sanitize.ts");
  context.stdout.write(`${sanitizeLine(`${step.what}: ${deed(step, before)}`)}\n`);
}

/** Says what is to be done, or that nothing is. */
function deed(step: SetupStep, before: string): string {
  const { action, path } = step;
  const run = "command" in step && step.command !== undefined
    ? `run ${step.command.map(quoteWord).join(" ")}`
    : "";
  switch (action) {
    case "none":
      if (step.why === "other") return `left alone, because you have another one: ${path}`;
      return step.why === "there" ? `is there: ${path}` : "is not there";
    case "refuse":
      return `left alone: ${step.why}: ${path}`;
    case "run":
      return before + run;
    case "write":
      return [`${before}${step.copy ? "change" : "write"} ${path}`, run].filter(Boolean).join(", ");
    case "restore":
      return `${before}restore ${path}`;
    case "delete":
      return before + [run, `delete ${path}`].filter(Boolean).join(", ");
  }
}

/** Returns a step, as the files are now: agents may write between two calls. */
type Plan = () => SetupStep;

/** Carries out steps. One that fails is told, and the others go on. */
async function carryOutAll(
  context: Context,
  plans: readonly Plan[],
  asks: boolean,
  refused: number,
): Promise<void> {
  const { carryOut } = await import("../lib/setup/carry_out.ts");
  let [done, failed] = [0, refused];
  for (const plan of plans) {
    let step = plan();
    if (asks && !await isConfirmed(context, `${step.what}: ${deed(step, "")}?`)) continue;
    try {
      step = plan();
      if (step.action === "refuse") throw new Error(step.why);
      await carryOut(step, (command) => runOrFail(context, command));
      done++;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      failed++;
      await say(context, `${step.what}: ${error.message}`);
    }
  }
  await say(context, `Done: ${done} of ${counted(plans.length, "step")}`);
  if (failed > 0) throw new CommandExit(STATUS.failed);
}

async function runOrFail(context: Context, command: CommandLine): Promise<void> {
  const outcome = await runProgram(context, command, context.cwd);
  if (outcome.state === "done") return;
  const why = outcome.state === "missing" ? "it is not installed" : outcome.why;
  throw new Error(`Cannot run ${command[0]}: ${why}`);
}
