/** `reprise setup` */
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import type { CommandLine, FileItem, SetupItem } from "../lib/features/setup/setup_item.ts";
import type { SetupStep } from "../lib/features/setup/plan_setup.ts";
import { counted } from "../lib/core/event/counted.ts";
import { embeddedText } from "../lib/core/platform/embedded_file.ts";
import { realPathSync } from "../lib/core/platform/files.ts";
import { programCommand } from "../lib/core/platform/process.ts";
import { xdgFolder } from "../lib/core/workspace/xdg_folder.ts";
import { readCaps } from "../lib/core/workspace/caps_file.ts";
import type { AgentEnvironment } from "../lib/agents/contract/agent_environment.ts";
import { COMPLETION_SCRIPTS } from "./completions/scripts.ts";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { contextLibrary } from "./_library.ts";
import { say } from "./_message.ts";
import { isConfirmed } from "./_question.ts";
import { shellCommand } from "../lib/core/platform/shell_word.ts";
import { BACKUP_SERVICE, serviceItem } from "./_service.ts";
import { carryOutStep, deed, printStep } from "./_setup_step.ts";
import { SKILL } from "./setup/skill.ts";
import { userProgram } from "./_user_program.ts";

export const setupCommand = defineCommand({
  description:
    "Install the skill, the MCP server and two hooks for each agent on this machine, the " +
    "status line of Claude Code, the completions of your shells, the manual page, and the " +
    "backup service. If you have set a cap (see reprise cap), Claude Code also gets a hook " +
    "that checks it. The command first shows what it would do. At a terminal, it then asks " +
    "about each step. If an agent has a command to change its settings, setup runs it. " +
    "Otherwise setup adds one entry to the settings file, and keeps a copy: " +
    "FILE.reprise-backup. Your own entries are not changed.",
  flags: {
    "--write": "do all steps without asking",
    "--dry-run": { help: "only show what setup would do", conflicts: ["write"] },
    "--remove": "remove everything that setup installed",
    "--print-skill": {
      help: "print the skill file (SKILL.md); install nothing",
      conflicts: ["write", "dryRun", "remove"],
    },
  },
  examples: [
    "reprise setup",
    "reprise setup --write",
    "reprise setup --remove --write",
    "reprise setup --print-skill > ~/.claude/skills/past-sessions/SKILL.md",
  ],
  run: async (context, { write = false, dryRun = false, remove = false, printSkill }) => {
    if (printSkill) return context.stdout.write(SKILL);
    const { planStep } = await import("../lib/features/setup/plan_setup.ts");
    const { readSetupText } = await import("../lib/features/setup/carry_out.ts");
    const items = await setupItems(context, remove);
    // Entries of one file are taken back from the last one, so that its copies fit.
    const plans = (remove ? items.toReversed() : items).map((item): Plan => () =>
      planStep(item, readSetupText, remove)
    );
    const steps = plans.map((plan) => plan());
    for (const step of steps) await printStep(context, step, write ? "to " : "would ");
    const due = plans.filter((_, index) => !/none|refuse/.test(steps[index]?.action ?? ""));
    const asks = !write && !dryRun && context.stdin_terminal && context.stderr.terminal;
    const failed = steps.filter(({ action }) => action === "refuse").length;
    if (due.length === 0) await say(context, "Nothing to do");
    else if (write || asks) await carryOutAll(context, due, asks, failed);
    else {
      const flags = remove ? "--remove --write" : "--write";
      await say(context, `Nothing was changed. To make these changes: reprise setup ${flags}`);
    }
    if (failed > 0) throw new CommandExit(STATUS.failed);
  },
});

async function setupItems(context: Context, remove: boolean): Promise<SetupItem[]> {
  const { cwd } = context;
  const { environment } = contextLibrary(context).place;
  if (environment.home === "") throw new UsageError("set HOME to your home directory");
  const isProgram = (name: string): boolean => userProgram(context, name, cwd) !== undefined;
  // The installed program stays where it is when its version changes.
  const found = userProgram(context, "reprise", cwd);
  const own = (found === undefined ? programCommand() : [found]) as unknown as CommandLine;
  // Agents start hooks by a shell of their own, on Windows that of Git.
  const line = (...words: string[]): string => shellCommand([...own, ...words], "posix");
  const service = await serviceItem(context, environment, BACKUP_SERVICE);
  const { agentItems } = await import("../lib/features/setup/setup_item.ts");
  return [
    ...agentItems({
      ...{ environment, isProgram, command: [...own, "mcp"], skill: SKILL },
      status_line: line("statusline"),
      hooks: {
        ...{ start: line("hook", "start"), compact: line("hook", "compact") },
        ...remove || hasCaps(context) ? { call: line("cap", "check") } : {},
      },
    }),
    ...completionItems(environment, isProgram),
    ...await manualItems(environment, own.at(-1) ?? ""),
    ...service === undefined ? [] : [service],
  ];
}

/** True if a cap is set. Without a cap, setup does not install the hook that checks it. */
function hasCaps(context: Context): boolean {
  try {
    return readCaps(contextLibrary(context).root).length > 0;
  } catch {
    // `reprise cap` reports the error.
    return false;
  }
}

/**
 * Paths below the data folder at which shells look for a user's completions. The install script
 * uses the same paths.
 */
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

/** Returns the step that installs the manual page. Empty if the page's file is not found. */
async function manualItems(environment: AgentEnvironment, program: string): Promise<FileItem[]> {
  const { readSetupText } = await import("../lib/features/setup/carry_out.ts");
  const folder = existsSync(program) ? [dirname(realPathSync(program))] : [];
  const places = folder.flatMap((one) => [one, join(one, "..", "share", "man", "man1")]);
  const text = places.map((place) => readSetupText(join(place, "reprise.1")))
    .find((found) => found !== undefined) ?? await embeddedText("reprise.1", import.meta.url);
  const path = join(dataFolder(environment), "man", "man1", "reprise.1");
  return text === undefined ? [] : [{ kind: "file", what: "the manual page", path, text }];
}

/** Returns the step that is due now. Agents may change their files between two calls. */
type Plan = () => SetupStep;

async function carryOutAll(
  context: Context,
  plans: readonly Plan[],
  asks: boolean,
  refused: number,
): Promise<void> {
  let [done, failed] = [0, refused];
  for (const plan of plans) {
    let step = plan();
    if (asks && !await isConfirmed(context, `${step.what}: ${deed(step, "")}?`)) continue;
    try {
      step = plan();
      await carryOutStep(context, step);
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
