/** `reprise help` */
import type { Command } from "npm:@commander-js/extra-typings@15.1.0";
import { defineCommand } from "./_command.ts";
import { UsageError } from "./_failure.ts";

export const helpCommand = defineCommand({
  summary: "show help of a command",
  description: "Show the help of a command, or of the program.",
  arguments: [["[command...]", "which command"]],
  examples: ["reprise help show", "reprise help config set"],
  run: (_, names, _flags, self) => {
    let command = self.parent as unknown as Command;
    for (const name of names) command = subcommand(command, name);
    command.help();
  },
});

function subcommand(command: Command, name: string): Command {
  const found = command.commands.find((candidate) => candidate.name() === name);
  if (found !== undefined) return found as unknown as Command;
  throw new UsageError(`There is no command "${name}"; see: reprise help`);
}
