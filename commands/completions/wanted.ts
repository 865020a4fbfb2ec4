/** Finds in the tables of commands the words that can complete a command line. */
import { type CommandTable, detailsOf, flagNamed, HELP_FLAG } from "../_command.ts";
import { COMMON_FLAGS } from "../_common_flags.ts";

export interface Completion {
  value: string;
  description?: string;
}

type WordSource =
  | "sessions"
  | "trash"
  | "settings"
  | "setting-values"
  | "commands"
  | "files"
  | "directories";

export interface Wanted {
  /** The text before the value in the same word, such as `--format=`. */
  prefix: string;
  typed: string;
  /** Completions that are known from the command tables. */
  known: readonly Completion[];
  source?: WordSource;
  /** The argument before the completed word. Absent for a first argument or an option's value. */
  before?: string | undefined;
}

/** Word sources by the placeholder of an argument or option, or by an option's name. */
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
  project: "directories",
  old: "directories",
  new: "directories",
};

/** The state of a command line before the word to complete. */
interface Place {
  command: CommandTable;
  /** Names of the command and of its parent commands, the command itself first. */
  names: readonly string[];
  /** Number of arguments before the word to complete. */
  count: number;
  before?: string;
  /** The flag that takes the next word as its value. Absent if no flag expects a value. */
  flag?: string;
  given: Set<string>;
  /** True if `--` has ended the flags. */
  ended: boolean;
}

/** Returns the completions of the last word, which may be empty. */
export function wantedAt(program: CommandTable, words: readonly string[]): Wanted {
  const place: Place = { command: program, names: [], count: 0, given: new Set(), ended: false };
  for (const word of words.slice(0, -1)) pass(place, word);
  const typed = words.at(-1) ?? "";
  const { command, flag, ended, names: [, above] } = place;
  if (flag !== undefined) return valueOf(command, flag, "", typed);
  const [, name, value = ""] = ended ? [] : /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  if (name !== undefined) {
    const given = flagNamed(command.flags ?? {}, name);
    return given === undefined ? nothing(typed) : valueOf(command, given, `${name}=`, value);
  }
  if (!ended && typed.startsWith("-")) {
    return { prefix: "", typed, known: flagsAt(place, program) };
  }
  const below = place.count === 0 ? commandsOf(command) : [];
  const { arguments: all = [] } = command;
  const last = all.at(-1);
  const argument = all[place.count] ?? (last?.[0].includes("...") ? last : undefined);
  if (argument === undefined) return { prefix: "", typed, known: below };
  const [word, about] = argument;
  const known = choicesOf(detailsOf(about).choices);
  const wanted: Wanted = {
    ...withSource({ prefix: "", typed, known }, SOURCES[placeholderOf(word)]),
    known: [...below, ...known],
    before: place.before,
  };
  return wanted.source === "sessions" && above === "trash"
    ? { ...wanted, source: "trash" }
    : wanted;
}

/** Updates the state of a command line by one complete word. */
function pass(place: Place, word: string): void {
  const { command, flag, ended } = place;
  if (flag !== undefined) {
    delete place.flag;
  } else if (!ended && word === "--") {
    place.ended = true;
  } else if (!ended && word.startsWith("-") && word !== "-") {
    passFlag(place, word);
  } else {
    const below = place.count === 0 && Object.hasOwn(command.commands ?? {}, word)
      ? command.commands?.[word]
      : undefined;
    if (below === undefined) {
      place.count++;
      place.before = word;
    } else {
      Object.assign(place, { command: below, names: [word, ...place.names], given: new Set() });
    }
  }
}

function passFlag(place: Place, word: string): void {
  const [name] = word.split("=", 1);
  const flag = flagNamed(place.command.flags ?? {}, name);
  if (flag === undefined) return;
  place.given.add(flag);
  if (name === word && /[<[]/.test(flag)) place.flag = flag;
}

function flagsAt({ command, given }: Place, program: CommandTable): Completion[] {
  const common = command === program ? [] : Object.entries(program.flags ?? {})
    .filter(([flag]) => COMMON_FLAGS.includes(flag));
  return [...Object.entries(command.flags ?? {}), HELP_FLAG, ...common]
    .map(([flag, about]) => ({ flag, ...detailsOf(about) }))
    .filter(({ flag, hidden }) => !hidden && (flag.includes("...") || !given.has(flag)))
    .flatMap(({ flag, help = "" }) => {
      const value = /--[\w-]+/.exec(flag)?.[0];
      return value === undefined ? [] : [{ value, description: help }];
    });
}

export function commandsOf({ commands = {} }: CommandTable): Completion[] {
  return Object.entries(commands)
    .map(([value, { summary, description }]) => ({ value, description: summary ?? description }));
}

function valueOf(
  { flags = {} }: CommandTable,
  flag: string,
  prefix: string,
  typed: string,
): Wanted {
  const { choices } = detailsOf(flags[flag as keyof typeof flags]);
  const [, name = ""] = /--([\w-]+)/.exec(flag) ?? [];
  const source = SOURCES[name] ?? SOURCES[placeholderOf(flag)];
  return withSource({ prefix, typed, known: choicesOf(choices) }, source);
}

/** Returns the name of a placeholder: `ref` for both `[ref]` and `--from <ref>`. */
function placeholderOf(word: string): string {
  return /[<[]([\w-]+)/.exec(word)?.[1] ?? "";
}

function choicesOf(values: readonly string[] = []): Completion[] {
  return values.map((value) => ({ value }));
}

function withSource(wanted: Wanted, source: WordSource | undefined): Wanted {
  return source === undefined || wanted.known.length > 0 ? wanted : { ...wanted, source };
}

function nothing(typed: string): Wanted {
  return { prefix: "", typed, known: [] };
}
