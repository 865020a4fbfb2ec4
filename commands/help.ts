/** `reprise help` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import { UsageError } from "./_failure.ts";

/** Shows the help of a command, or of the program. */
export function helpCommand(): Command {
  return new Command("help")
    .summary("show help of a command")
    .description("Show the help of a command, or of the program.")
    .argument("[command...]", "which command")
    .addHelpText("after", "\nExamples:\n  reprise help show\n  reprise help config set")
    .action((names, _flags, self) => {
      let command = self.parent as unknown as Command;
      for (const name of names) command = subcommand(command, name);
      command.help();
    }) as unknown as Command;
}

function subcommand(command: Command, name: string): Command {
  const found = command.commands.find((candidate) => candidate.name() === name);
  if (found !== undefined) return found as unknown as Command;
  throw new UsageError(`There is no command "${name}"; see: reprise help`);
}
