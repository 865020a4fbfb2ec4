/** Prints a step of a setup, and carries it out. */
import type { SetupStep } from "../lib/features/setup/plan_setup.ts";
import type { CommandLine } from "../lib/features/setup/setup_item.ts";
import { runProgram } from "./_handover/run_program.ts";
import { shellCommand } from "../lib/core/platform/shell_word.ts";
import type { Context } from "./_context.ts";
import { printFitted } from "./_message.ts";

export async function printStep(context: Context, step: SetupStep, before: string): Promise<void> {
  const { sanitizeLine } = await import("../lib/text/render/sanitize.ts");
  await printFitted(context, sanitizeLine(`${step.what}: ${deed(step, before)}`));
}

export function deed(step: SetupStep, before: string): string {
  const { action, path } = step;
  const run = "command" in step && step.command !== undefined
    ? `run ${shellCommand(step.command)}`
    : "";
  switch (action) {
    case "none":
      if (step.why === "other") {
        return `left unchanged, because you added this entry yourself: ${path}`;
      }
      return step.why === "there" ? `already done: ${path}` : "not installed";
    case "refuse":
      return `unchanged: ${step.why}: ${path}`;
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

/**
 * Carries out a step.
 *
 * @throws {Error} Where the step is refused, or its command fails.
 */
export async function carryOutStep(context: Context, step: SetupStep): Promise<void> {
  const { carryOut } = await import("../lib/features/setup/carry_out.ts");
  if (step.action === "refuse") throw new Error(step.why);
  await carryOut(step, (command) => runOrFail(context, command));
}

async function runOrFail(context: Context, command: CommandLine): Promise<void> {
  const outcome = await runProgram(context, command, context.cwd);
  if (outcome.state === "done") return;
  const why = outcome.state === "missing" ? "the program is not installed" : outcome.why;
  throw new Error(`Cannot run ${command[0]}: ${why}`);
}
