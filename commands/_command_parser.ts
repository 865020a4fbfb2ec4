/** Makes the parser of arguments, which prints the help too, from the tables of commands. */
import { Argument, Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import { type CommandTable, detailsOf, type WordDetails } from "./_command.ts";
import type { Context } from "./_context.ts";

/** Makes a command, and those below it. */
export function commandParser(name: string, table: CommandTable, context: Context): Command {
  // Positional options let a subcommand have options of the same name.
  const command = new Command(name).summary(table.summary ?? "").description(table.description)
    .addHelpText("after", helpText(table)).enablePositionalOptions() as unknown as Command;
  for (const [word, about] of table.arguments ?? []) {
    const details = detailsOf(about);
    command.addArgument(withValues(new Argument(word, details.help), details, context));
  }
  for (const [flag, about] of Object.entries(table.flags ?? {})) {
    command.addOption(optionOf(flag, detailsOf(about), context));
  }
  for (const [below, its] of Object.entries(table.commands ?? {})) {
    command.addCommand(commandParser(below, its, context));
  }
  const { run } = table;
  if (run !== undefined) command.action((...given: unknown[]) => run(context, ...given as never[]));
  return command;
}

function optionOf(flag: string, details: WordDetails, context: Context): Option {
  const { conflicts = [], implies = {}, preset, required = false, hidden = false } = details;
  const option = withValues(new Option(flag, details.help), details, context)
    .conflicts([...conflicts]).implies(implies).makeOptionMandatory(required).hideHelp(hidden);
  return preset === undefined ? option : option.preset(preset);
}

function withValues<Word extends Argument | Option>(
  word: Word,
  { choices, parse, default: value, default_text }: WordDetails,
  context: Context,
): Word {
  if (choices !== undefined) word.choices(choices);
  if (parse !== undefined) {
    word.argParser((text: string, before: unknown) => parse(text, context, before as never));
  }
  if (value !== undefined) word.default(value, default_text);
  return word;
}

function helpText({ notes = "", examples = [] }: CommandTable): string {
  const list = examples.map((line) => `\n  ${line}`).join("");
  return list === "" ? notes : `${notes}\nExamples:${list}`;
}
