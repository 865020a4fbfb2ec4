/** Builds the parser of the program's arguments from its table. */
import { Command, type CommanderError } from "npm:@commander-js/extra-typings@15.1.0";
import { detailsOf, HELP_FLAG } from "./_command.ts";
import { fillCommand } from "./_command_parser.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { programTable, VERSION_FLAG } from "./_program_table.ts";

/** Builds the program with the commands that a command line needs. */
export async function buildProgram(context: Context, args: readonly string[]): Promise<Command> {
  const table = await programTable(args);
  const { [VERSION_FLAG]: version, ...flags } = table.flags ?? {};
  const program = new Command("reprise") as unknown as Command;
  program.version(context.version, VERSION_FLAG, detailsOf(version).help);
  fillCommand(program, { ...table, flags }, context);
  equip(program, context);
  return program;
}

/** Adds help and error handling to a command and to its subcommands. */
function equip(command: Command, context: Context): void {
  command.helpOption(...HELP_FLAG)
    .helpCommand(false)
    .showSuggestionAfterError()
    .exitOverride((error) => refuse(command, error))
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      // `run` prints the error, like every other error.
      outputError: () => {},
      getOutHelpWidth: () => context.stdout.width,
      getErrHelpWidth: () => context.stderr.width,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const child of command.commands) equip(child as unknown as Command, context);
}

/** Rethrows a regular end, such as help. Turns every other parser error into a usage error. */
function refuse(command: Command, error: CommanderError): never {
  if (error.exitCode === 0 || error.code === "commander.help") throw error;
  const reason = error.message.replace(/^error: /, "");
  throw new UsageError(`${reason}\nSee: ${fullName(command)} --help`);
}

function fullName(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${fullName(parent as Command)} ${command.name()}`;
}
