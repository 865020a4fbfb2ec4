/** `reprise help` */
import type { Command } from "npm:@commander-js/extra-typings@15.1.0";
import { nearestWord } from "../lib/core/workspace/nearest_word.ts";
import { defineCommand } from "./_command.ts";
import { UsageError } from "./_failure.ts";

export const helpCommand = defineCommand({
  description: "Show the help of a command. Without a command, list the most used commands.\n" +
    "`help all` lists every command.",
  arguments: [["[command...]", "a command, such as config set; or all, to list every command"]],
  examples: ["reprise help show", "reprise help config set", "reprise help all"],
  // The program itself answers `help` and `help all`.
  run: (_, names, _flags, self) => {
    let command = self.parent as unknown as Command;
    for (const name of names) command = subcommand(command, name);
    command.help();
  },
});

function subcommand(command: Command, name: string): Command {
  const found = command.commands.find((candidate) => candidate.name() === name);
  if (found !== undefined) return found as unknown as Command;
  const near = nearestWord(name, command.commands.map((candidate) => candidate.name()));
  const meant = near === undefined ? "" : `. Did you mean ${near}?`;
  throw new UsageError(
    `Unknown command "${command.name()} ${name}"${meant}\nSee: reprise help ${command.name()}`,
  );
}
