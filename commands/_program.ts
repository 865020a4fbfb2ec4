/** Builds the program's argument parser from the command table. */
import { Command, type CommanderError } from "npm:@commander-js/extra-typings@15.1.0";
import { quoteWord } from "../lib/core/platform/shell_word.ts";
import { detailsOf, HELP_FLAG } from "./_command.ts";
import { fillCommand } from "./_command_parser.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { VERSION_FLAG } from "./_program_help.ts";
import { programTable } from "./_program_table.ts";
import { formerSync } from "./sync/wrong_place.ts";
import { filterMeant, meantFlag } from "./_wrong_flag.ts";

/** Builds the parser with the command that `args` names, or with all commands without `args`. */
export async function buildProgram(context: Context, args?: readonly string[]): Promise<Command> {
  const table = await programTable(args);
  const { [VERSION_FLAG]: version, ...flags } = table.flags ?? {};
  const loaded = Object.entries(table.commands ?? {})
    .filter(([, { run, commands }]) => run !== undefined || commands !== undefined);
  const program = new Command("reprise") as unknown as Command;
  program.version(context.version, VERSION_FLAG, detailsOf(version).help);
  fillCommand(program, { ...table, flags, commands: Object.fromEntries(loaded) }, context);
  equip(program, context);
  return program;
}

function equip(command: Command, context: Context): void {
  command.helpOption(...HELP_FLAG)
    .helpCommand(false)
    .configureHelp({
      optionDescription: ({ description }) => description,
      argumentDescription: ({ description }) => description,
    })
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

/** Patterns of the parser's error messages, with replacements. All are applied, in order. */
const PLAIN: readonly (readonly [found: RegExp, plain: string])[] = [
  [/^error: /, ""],
  [/^unknown option '(-[\d.]+)'/, "Cannot use $1: give a number above 0"],
  [/^unknown option '(.*)'/, "Unknown flag $1"],
  [/^unknown command '(.*)'/, 'Unknown command "$1"'],
  [/\n\(Did you mean (?:one of )?(.*)\?\)$/, ". Did you mean $1?"],
  [/^missing required argument '(.*)'/, "Missing argument: $1"],
  [/^option '(.*)' argument missing/, "Missing value: $1"],
  [/^required option '(.*)' not specified/, "Missing flag: $1"],
  [/^option '(.*)' cannot be used with option '(.*)'/, "$1 cannot be used with $2"],
  [wrongWord("sort <order>"), "Cannot sort by $1. Choose one of these: "],
  [wrongWord("status <status>"), "Cannot filter by status $1. Choose one of these: "],
  [/^option '(.*)' argument '([^]*)' is invalid\. /, 'Cannot use "$2" for $1. '],
  [
    /^command-argument value '([^]*)' is invalid for argument '(.*)'\. /,
    'Cannot use "$1" for $2. ',
  ],
];

function wrongWord(flag: string): RegExp {
  return new RegExp(
    `^option '--${flag}' argument '([^]*)' is invalid\\. (?:Did you mean \\S+ )?Choices: `,
  );
}

/** Rethrows an exit without an error, such as help. Makes other parser errors usage errors. */
function refuse(command: Command, error: CommanderError): never {
  if (error.exitCode === 0 || error.code === "commander.help") throw error;
  const name = fullName(command);
  const [, flag] = /^error: unknown option '(--[^']*)'/.exec(error.message) ?? [];
  const flags = command.options.flatMap(({ long }) => long ?? []);
  const meant = flag === undefined ? undefined : meantFlag(flag, flags);
  const former = name === "reprise sync" ? formerSync(command.args) : undefined;
  if (former !== undefined) throw new UsageError(former);
  const reason = error.code === "commander.excessArguments"
    ? excess(command, name)
    : meant !== undefined
    ? `Unknown flag ${flag}. Did you mean ${meant}?`
    : PLAIN.reduce((text, [found, plain]) => text.replace(found, plain), error.message);
  throw new UsageError(`${reason}\nSee: ${name} --help`);
}

function excess(command: Command, name: string): string {
  const most = command.registeredArguments.length;
  const words = command.args.slice(most).map(quoteWord).join(" ");
  const reason = `${name} takes ${most === 0 ? "no" : `only ${most}`} argument${
    most > 1 ? "s" : ""
  }`;
  const given = command.args.slice(most).join(" ");
  const flags = command.options.flatMap(({ long }) => long ?? []);
  const meant = filterMeant(given, flags);
  const find = meant !== undefined
    ? `. Did you mean: ${name} ${meant}`
    : command.name() === "list"
    ? `. To search: reprise search ${words}`
    : `: ${words}`;
  return `${reason}${find}`;
}

function fullName(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${fullName(parent as Command)} ${command.name()}`;
}
