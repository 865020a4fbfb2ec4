/** Creates the argument parser from the command tables. The parser also prints the help. */
import { Argument, Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import { nearestWord } from "../lib/core/workspace/nearest_word.ts";
import {
  type CommandTable,
  detailsOf,
  helpOf,
  helpText,
  type WordDetails,
  wrongPart,
} from "./_command.ts";
import type { Context } from "./_context.ts";
import { InvalidArgument } from "./_values.ts";

export function commandParser(name: string, table: CommandTable, context: Context): Command {
  const command = new Command(name) as unknown as Command;
  fillCommand(command, table, context);
  return command;
}

export function fillCommand(command: Command, table: CommandTable, context: Context): void {
  // Positional options let a subcommand have options of the same name.
  command.summary(table.summary ?? "").description(table.description)
    .addHelpText("after", helpText(table)).enablePositionalOptions();
  for (const [word, about] of table.arguments ?? []) {
    const details = detailsOf(about);
    command.addArgument(withValues(new Argument(word, helpOf(details)), details, context));
  }
  for (const [flag, about] of Object.entries(table.flags ?? {})) {
    command.addOption(optionOf(flag, detailsOf(about), context));
  }
  for (const [below, its] of Object.entries(table.commands ?? {})) {
    command.addCommand(commandParser(below, its, context), { hidden: its.hidden ?? false });
  }
  const { run } = table;
  if (run !== undefined) command.action((...given: unknown[]) => run(context, ...given as never[]));
}

function optionOf(flag: string, details: WordDetails, context: Context): Option {
  const { conflicts = [], implies = {}, preset, required = false, hidden = false } = details;
  const option = withValues(new Option(flag, helpOf(details)), details, context)
    .conflicts([...conflicts]).implies(implies).makeOptionMandatory(required).hideHelp(hidden);
  return preset === undefined ? option : option.preset(preset);
}

function withValues<Word extends Argument | Option>(
  word: Word,
  details: WordDetails,
  context: Context,
): Word {
  const { choices, see, default: value } = details;
  const { parse = choices === undefined ? undefined : (text: string) => text } = details;
  if (parse !== undefined) {
    word.argParser((text: string, before: unknown) => {
      const wrong = wrongPart(details, text);
      if (wrong !== undefined) throw wrongChoice(wrong, choices ?? [], see);
      return parse(text, context, before as never);
    });
  }
  if (value !== undefined) word.default(value);
  return word;
}

function wrongChoice(text: string, choices: readonly string[], see?: string): InvalidArgument {
  const near = nearestWord(text, choices);
  const meant = near === undefined ? "" : `Did you mean ${near}? `;
  const all = see === undefined ? `Choices: ${choices.join(", ")}` : `All choices: ${see}`;
  return new InvalidArgument(`${meant}${all}.`);
}
