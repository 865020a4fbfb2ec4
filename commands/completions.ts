/** `reprise completions` */
import { commandsOf, type Completion, type Wanted, wantedAt } from "./completions/wanted.ts";
import { refCandidates } from "./completions/refs.ts";
import { COMPLETION_SCRIPTS, type Shell } from "./completions/scripts.ts";
import { type CommandTable, defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { contextStore } from "./_store.ts";

const SHELLS = Object.keys(COMPLETION_SCRIPTS) as Shell[];

type LoadProgram = (args: readonly string[]) => Promise<CommandTable>;

export function completionsCommand(program: LoadProgram): CommandTable {
  return defineCommand({
    description:
      "Print a shell script for Tab completion of commands, flags and sessions. To complete a " +
      "word, the script runs this command with -- and the words typed so far.",
    arguments: [
      ["<shell>", { help: "which shell", choices: SHELLS }],
      [
        "[words...]",
        "the words of the command line before Tab, without reprise itself",
      ],
    ],
    examples: [
      "source <(reprise completions bash)",
      "source <(reprise completions zsh)",
      "reprise completions fish | source",
      "reprise completions pwsh | Out-String | Invoke-Expression",
    ],
    run: async (context, shell, words) => {
      if (words.length === 0) return context.stdout.write(COMPLETION_SCRIPTS[shell]);
      const lines = await complete(context, program, shell, words);
      context.stdout.write(lines.map((line) => `${line}\n`).join(""));
    },
  });
}

/**
 * Returns lines for the shell script: a completion, or a completion, a tab and a description. A
 * single line `:files` or `:directories` tells the shell to complete paths. Returns none after an
 * error, because Tab must print no message.
 */
async function complete(
  context: Context,
  load: LoadProgram,
  shell: Shell,
  words: readonly string[],
): Promise<string[]> {
  try {
    const last = words.at(-1) ?? "";
    const whole = shell === "pwsh" ? [...words.slice(0, -1), last.slice(1)] : words;
    const program = await load(whole.slice(0, -1));
    const wanted = wantedAt(program, whole);
    const candidates = [...wanted.known, ...await find(context, program, wanted)]
      .filter(({ value }) => value.toLowerCase().startsWith(wanted.typed.toLowerCase()));
    if (candidates.length === 0) return takesFiles(wanted) ? [`:${takesFiles(wanted)}`] : [];
    const { sanitizeLine } = await import("../lib/text/render/sanitize.ts");
    return candidates.map(({ value, description = "" }) =>
      description === ""
        ? wanted.prefix + value
        : `${wanted.prefix}${value}\t${sanitizeLine(description)}`
    );
  } catch {
    // The command itself reports the error.
    return [];
  }
}

/** Returns the kind of paths that complete the word. A session reference may also be a path. */
function takesFiles({ source }: Wanted): "files" | "directories" | undefined {
  if (source === "sessions") return "files";
  return source === "files" || source === "directories" ? source : undefined;
}

async function find(
  context: Context,
  program: CommandTable,
  { source, typed, before = "" }: Wanted,
): Promise<Completion[]> {
  switch (source) {
    case "sessions":
      return /[/\\]|^[.~]/.test(typed) ? [] : await refCandidates(context, typed);
    case "trash":
      return contextStore(context).trash()
        .map(({ session_id, title }) => ({ value: session_id, description: title }));
    case "settings": {
      const { CONFIG_ENTRIES, ROOTS_ENTRY, ROOTS_KEYS } = await import(
        "../lib/core/workspace/config.ts"
      );
      const entries = Object.entries(CONFIG_ENTRIES).map(([value, { description }]) => ({
        ...{ value, description },
      }));
      const { description } = ROOTS_ENTRY;
      return [...entries, ...[...ROOTS_KEYS].map((value) => ({ value, description }))];
    }
    case "setting-values": {
      const { configValues, isConfigKey } = await import("../lib/core/workspace/config.ts");
      return isConfigKey(before) ? configValues(before).map((value) => ({ value })) : [];
    }
    case "commands":
      return commandsOf(program);
    default:
      return [];
  }
}
