/**
 * The table that defines a command. The argument parser, the help, the completions and the manual
 * page are built from such tables. `list` parses plain flags with its table alone.
 */
import type { Command } from "npm:@commander-js/extra-typings@15.1.0";
import type { Context } from "./_context.ts";

export interface WordDetails {
  help?: string;
  choices?: readonly string[];
  /** True if a value may name several choices, separated by commas. */
  several?: boolean;
  /** A command that lists the allowed values. Present if they are too many for the help. */
  see?: string;
  /** Property names, such as `olderThan`, of the flags that conflict with this flag. */
  conflicts?: readonly string[];
  /** Values that this flag also sets for other flags, by their property names. */
  implies?: Readonly<Record<string, unknown>>;
  /** The value of a flag that is given without a value. */
  preset?: string;
  default?: unknown;
  default_text?: string;
  required?: true;
  hidden?: true;
  /** Parses the flag's value. `before` is the value of an earlier use of the same flag. */
  parse?(text: string, context: Context, before: never): unknown;
}

/** Flags in the order of the help. A key holds names and value: `-n, --number <count>`. */
export type Flags = Readonly<Record<`-${string}`, string | WordDetails>>;

/** Arguments, such as `<ref>`, `[ref]` or `<refs...>`. */
type Arguments = readonly (readonly [name: string, about?: string | WordDetails])[];

export const HELP_FLAG = ["-h, --help", "show help"] as const;

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
type Property<Key> = Key extends `${string}--no-${infer Name}` ? Camel<Name>
  : Key extends `${string}--${infer Name} ${string}` ? Camel<Name>
  : Key extends `${string}--${infer Name}` ? Camel<Name>
  : never;
type Value<Key, About> = About extends { parse(...given: never[]): infer Parsed } ? Parsed
  : About extends { choices: readonly (infer Choice)[] } ? Choice
  : Key extends `${string}...${string}` ? string[]
  : Key extends `${string}[${string}`
    ? Key extends `-${string}` ? string | true : string | undefined
  : Key extends `${string}<${string}` ? string
  : Key extends `--no-${string}` ? boolean
  : true;
/** Names of flags that always have a value, such as `--no-color` in a table without `--color`. */
type Always<Table> = {
  [Name in keyof Table]: Table[Name] extends { default: unknown } | { required: true } ? Name
    : Name extends `--no-${infer Other}` ? `--${Other}` extends keyof Table ? never : Name
    : never;
}[keyof Table];

export type FlagsOf<Table> =
  & { [Key in Always<Table> as Property<Key>]: Value<Key, Table[Key]> }
  & {
    [Key in Exclude<keyof Table, Always<Table>> as Property<Key>]?: Value<Key, Table[Key]>;
  };

type ArgumentsOf<Table extends Arguments> = {
  [At in keyof Table]: Value<Table[At][0], Table[At][1]>;
};

export interface CommandTable {
  group?: string | undefined;
  /** The command's line in the parent command's list. Defaults to the description. */
  summary?: string;
  description: string;
  arguments?: Arguments;
  flags?: Flags;
  commands?: Readonly<Record<string, CommandTable>>;
  hidden?: true;
  /** The help text that stands after the lists of arguments and flags, before the examples. */
  notes?: string;
  examples?: readonly string[];
  /** Runs the command. `given` holds the arguments, then the flags, then the parser's `Command`. */
  run?(context: Context, ...given: never[]): void | Promise<void>;
}

/** Returns `table` unchanged. The types check that `run` takes the table's arguments and flags. */
export function defineCommand<
  const Args extends Arguments = [],
  const Table extends Flags = Record<never, never>,
>(
  table: Omit<CommandTable, "arguments" | "flags" | "run"> & {
    arguments?: Args;
    flags?: Table;
    run?: (
      context: Context,
      ...given: [...ArgumentsOf<Args>, FlagsOf<Table>, Command]
    ) => void | Promise<void>;
  },
): CommandTable {
  return table as unknown as CommandTable;
}

/** Adds a value to the values of a flag that may be given several times. */
export function collected(text: string, _: Context, before: string[] | undefined): string[] {
  return [...before ?? [], text];
}

export function detailsOf(about: string | WordDetails = {}): WordDetails {
  return typeof about === "string" ? { help: about } : about;
}

export function helpOf(
  { help = "", see, choices, default: value, default_text }: WordDetails,
): string {
  const facts = [
    ...see === undefined ? choices === undefined ? [] : [choices.join(", ")] : [`see: ${see}`],
    ...value === undefined ? [] : [`default: ${default_text ?? value}`],
  ];
  return facts.length === 0 ? help : `${help} (${facts.join("; ")})`.trim();
}

/** Returns the first part of a value that is not among the choices, or undefined. */
export function wrongPart({ choices, several }: WordDetails, text: string): string | undefined {
  return (several ? text.split(",") : [text]).find((part) => choices?.includes(part) === false);
}

export function helpText({ notes = "", examples = [] }: CommandTable): string {
  const list = examples.map((line) => `\n  ${line}`).join("");
  return list === "" ? notes : `${notes}\nExamples:${list}`;
}

/** Returns the property of a flag: `--older-than <time>` is `olderThan`. */
function propertyOf(flag: string): string {
  const [, name = ""] = /--([\w-]+)/.exec(flag) ?? [];
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Finds the flag that a word names. The word `--since` finds the flag `--since <time>`. */
export function flagNamed(flags: Flags, word = ""): keyof Flags | undefined {
  const names = Object.keys(flags) as (keyof Flags)[];
  return word.startsWith("-") ? names.find((name) => name.split(/,? /).includes(word)) : undefined;
}

/** Returns the value of a flag; undefined if it is missing or wrong. */
function plainValue(details: WordDetails, text = "-", context: Context): unknown {
  const { parse } = details;
  if (text.startsWith("-") || wrongPart(details, text) !== undefined) return undefined;
  try {
    return parse === undefined ? text : parse(text, context, undefined as never);
  } catch {
    return undefined;
  }
}

/**
 * Parses flags without the argument parser, because loading it takes a tenth of the start time.
 * Returns undefined if the parser is needed: for help, and to report errors. Only the parser
 * supports defaults, negations and optional values, so no flag of the table has them.
 */
export function plainFlags(
  flags: Flags,
  words: readonly string[],
  context: Context,
): Record<string, unknown> | undefined {
  const given: Record<string, unknown> = {};
  const excluded: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const name = flagNamed(flags, words[at]);
    if (name === undefined) return undefined;
    const details = detailsOf(flags[name]);
    const value = name.includes("<") ? plainValue(details, words[++at], context) : true;
    if (value === undefined) return undefined;
    given[propertyOf(name)] = value;
    for (const one of details.conflicts ?? []) excluded.push(one);
  }
  return excluded.some((property) => property in given) ? undefined : given;
}
