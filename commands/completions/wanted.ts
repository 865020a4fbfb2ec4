/** Finds the words that can end a command line in the command tree, so that nothing is listed twice. */
import type { Argument, Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import { COMMON_FLAGS } from "../_common_flags.ts";

/** A completion. */
export interface Candidate {
  value: string;
  description?: string;
}

/** A source of words outside the command tree. */
type WordSource =
  | "sessions"
  | "trash"
  | "settings"
  | "setting-values"
  | "commands"
  | "files"
  | "directories";

/** The word that is to be completed. */
export interface Wanted {
  /** The text before the value in the same word, such as `--format=`. */
  prefix: string;
  /** The typed beginning of the value. */
  typed: string;
  /** The completions in the command tree. */
  known: readonly Candidate[];
  source?: WordSource;
  /** The argument before it; absent for the first argument and for an option's value. */
  before?: string | undefined;
}

/** Sources by the names of arguments, of options or of their values. */
const SOURCES: Readonly<Record<string, WordSource>> = {
  ref: "sessions",
  refs: "sessions",
  other: "sessions",
  key: "settings",
  value: "setting-values",
  command: "commands",
  file: "files",
  path: "files",
  dir: "directories",
  old: "directories",
  new: "directories",
};

/** The state of a command line before its last word. */
interface Place {
  command: Command;
  /** The number of arguments so far. */
  count: number;
  before?: string;
  /** The option whose value comes next. */
  option?: Option;
  /** Options that were given. */
  given: Set<Option>;
  /** True after `--`. */
  ended: boolean;
}

/**
 * Returns the completions of the last of `words`, which follow the program's name. The last word
 * may be empty.
 */
export function wantedAt(program: Command, words: readonly string[]): Wanted {
  const place: Place = { command: program, count: 0, given: new Set(), ended: false };
  for (const word of words.slice(0, -1)) pass(place, word);
  const typed = words.at(-1) ?? "";
  const { command, option, ended } = place;
  if (option !== undefined) return valueOf(option, "", typed);
  const [, flag, value = ""] = ended ? [] : /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  if (flag !== undefined) {
    const given = findOption(command, flag);
    return given === undefined ? nothing(typed) : valueOf(given, `${flag}=`, value);
  }
  if (!ended && typed.startsWith("-")) return { prefix: "", typed, known: optionsOf(place) };
  if (command.commands.length > 0 && place.count === 0) {
    return { prefix: "", typed, known: commandsOf(command) };
  }
  const { registeredArguments: all } = command;
  const last = all.at(-1);
  const argument = all[place.count] ?? (last?.variadic ? last : undefined);
  if (argument === undefined) return nothing(typed);
  const wanted: Wanted = { ...argumentOf(argument, typed), before: place.before };
  const removed = wanted.source === "sessions" && command.parent?.name() === "trash";
  return removed ? { ...wanted, source: "trash" } : wanted;
}

/** Advances by a complete word. */
function pass(place: Place, word: string): void {
  const { command, option, ended } = place;
  if (option !== undefined) {
    delete place.option;
  } else if (!ended && word === "--") {
    place.ended = true;
  } else if (!ended && word.startsWith("-") && word !== "-") {
    passOption(place, word);
  } else {
    const below = place.count === 0 ? findCommand(command, word) : undefined;
    if (below === undefined) {
      place.count++;
      place.before = word;
    } else Object.assign(place, { command: below, given: new Set() });
  }
}

function passOption(place: Place, word: string): void {
  const [flag = ""] = word.split("=", 1);
  const option = findOption(place.command, flag);
  if (option === undefined) return;
  place.given.add(option);
  if (flag === word && (option.required || option.optional)) place.option = option;
}

function findCommand(command: Command, name: string): Command | undefined {
  return command.commands.find((below) => below.name() === name) as Command | undefined;
}

function findOption(command: Command, flag: string): Option | undefined {
  return command.options.find(({ long, short }) => flag === long || flag === short);
}

/** Returns the options that can still be given, in their long form, common ones included. */
function optionsOf({ command, given }: Place): Candidate[] {
  const { parent } = command;
  const common = parent === null ? [] : commonOptions(parent as Command);
  return [...command.createHelp().visibleOptions(command), ...common]
    .filter((option) => option.variadic || !given.has(option))
    .flatMap(({ long, short, description }) => {
      const value = long ?? short;
      return value === undefined ? [] : [{ value, description }];
    });
}

function commonOptions(command: Command): Option[] {
  const { parent, options } = command;
  if (parent !== null) return commonOptions(parent as Command);
  return options.filter(({ long, hidden }) => !hidden && COMMON_FLAGS.includes(long ?? ""));
}

/** Returns the visible subcommands of a command. */
export function commandsOf(command: Command): Candidate[] {
  return command.createHelp().visibleCommands(command)
    .map((below) => ({ value: below.name(), description: below.summary() || below.description() }));
}

function valueOf(option: Option, prefix: string, typed: string): Wanted {
  const [, placeholder = ""] = /[<[]([\w-]+)/.exec(option.flags) ?? [];
  const source = SOURCES[option.name()] ?? SOURCES[placeholder];
  return withSource({ prefix, typed, known: choices(option.argChoices) }, source);
}

function argumentOf(argument: Argument, typed: string): Wanted {
  const known = choices(argument.argChoices);
  return withSource({ prefix: "", typed, known }, SOURCES[argument.name()]);
}

function choices(values: readonly string[] = []): Candidate[] {
  return values.map((value) => ({ value }));
}

function withSource(wanted: Wanted, source: WordSource | undefined): Wanted {
  return source === undefined || wanted.known.length > 0 ? wanted : { ...wanted, source };
}

function nothing(typed: string): Wanted {
  return { prefix: "", typed, known: [] };
}
