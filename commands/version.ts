/** `reprise version` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import type { Context } from "./_context.ts";

/** Prints the version of the program. */
export function versionCommand(context: Context): Command {
  return new Command("version")
    .summary("print the version")
    .description("Print the version of Reprise.")
    .addHelpText("after", "\nExamples:\n  reprise version\n  reprise --version")
    .action(() => context.stdout.write(`${context.version}\n`)) as unknown as Command;
}
