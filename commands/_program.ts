/** Builds the program as a tree of commands, with its name, its help and its examples. */
import { Command, type CommanderError, Option } from "npm:@commander-js/extra-typings@15.1.0";
import type { CommandTable } from "./_command.ts";
import { commandParser } from "./_command_parser.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";

/**
 * All commands, in the help's groups and order. A command line loads only the named one, because
 * loading all takes longer than most commands run.
 */
const GROUPS: Readonly<Record<string, Readonly<Record<string, () => Promise<CommandTable>>>>> = {
  "Find and read:": {
    list: async () => (await import("./list.ts")).listCommand,
    show: async () => (await import("./show.ts")).showCommand,
    watch: async () => (await import("./watch.ts")).watchCommand,
    open: async () => (await import("./open.ts")).openCommand,
    blame: async () => (await import("./blame.ts")).blameCommand,
    search: async () => (await import("./search.ts")).searchCommand,
    conversation: async () => (await import("./conversation.ts")).conversationCommand,
    context: async () => (await import("./context.ts")).contextCommand,
    path: async () => (await import("./path.ts")).pathCommand,
    stats: async () => (await import("./stats.ts")).statsCommand,
    mcp: async () => (await import("./mcp.ts")).mcpCommand,
    skill: async () => (await import("./skill.ts")).skillCommand,
  },
  "Continue:": {
    resume: async () => (await import("./resume.ts")).resumeCommand,
    handover: async () => (await import("./handover.ts")).handoverCommand,
    chat: async () => (await import("./chat.ts")).chatCommand,
    acp: async () => (await import("./acp.ts")).acpCommand,
    record: async () => (await import("./record.ts")).recordCommand,
    fork: async () => (await import("./fork.ts")).forkCommand,
    merge: async () => (await import("./merge.ts")).mergeCommand,
    diff: async () => (await import("./diff.ts")).diffCommand,
  },
  "Share and back up:": {
    export: async () => (await import("./export.ts")).exportCommand,
    import: async () => (await import("./import.ts")).importCommand,
    backup: async () => (await import("./backup.ts")).backupCommand,
    sync: async () => (await import("./sync.ts")).syncCommand,
    key: async () => (await import("./key.ts")).keyCommand,
    secrets: async () => (await import("./secrets.ts")).secretsCommand,
  },
  "Tidy:": {
    rename: async () => (await import("./rename.ts")).renameCommand,
    tag: async () => (await import("./tag.ts")).tagCommand,
    pin: async () => (await import("./pin.ts")).pinCommand,
    note: async () => (await import("./note.ts")).noteCommand,
    archive: async () => (await import("./archive.ts")).archiveCommand,
    relink: async () => (await import("./relink.ts")).relinkCommand,
    delete: async () => (await import("./delete.ts")).deleteCommand,
    prune: async () => (await import("./prune.ts")).pruneCommand,
    trash: async () => (await import("./trash.ts")).trashCommand,
  },
  "Maintain:": {
    verify: async () => (await import("./verify.ts")).verifyCommand,
    repair: async () => (await import("./repair.ts")).repairCommand,
    doctor: async () => (await import("./doctor.ts")).doctorCommand,
    cache: async () => (await import("./cache.ts")).cacheCommand,
    index: async () => (await import("./index.ts")).indexCommand,
    config: async () => (await import("./config.ts")).configCommand,
    setup: async () => (await import("./setup.ts")).setupCommand,
    completions: async () => (await import("./completions.ts")).completionsCommand,
    version: async () => (await import("./version.ts")).versionCommand,
    help: async () => (await import("./help.ts")).helpCommand,
  },
};

const COMMANDS = Object.assign({}, ...Object.values(GROUPS)) as typeof GROUPS[string];

/** Returns the command that a command line names, or all commands for help. */
function neededCommands(args: readonly string[]): string[] {
  const [name = ""] = args;
  if (name === "completions" && args.includes("--")) {
    const needed = neededCommands(args.slice(args.indexOf("--") + 1));
    return needed.includes(name) ? needed : [name, ...needed];
  }
  return name !== "help" && Object.hasOwn(COMMANDS, name) ? [name] : Object.keys(COMMANDS);
}

/** Returns the help's heading above a command. */
function groupOf(name = ""): string {
  return Object.keys(GROUPS).find((group) => Object.hasOwn(GROUPS[group] ?? {}, name)) ?? "";
}

const EPILOGUE = `
A REF is an id of any agent's session or its first characters (4 or more),
agent:id, a path, or team:owner/id of a team's store; REF#12 names event 12 of
it, REF@ID a record by its own id, REF~ID a thread.
Sessions are stored in $REPRISE_HOME, else $XDG_STATE_HOME/reprise, else
~/.local/state/reprise. What was read of sessions is cached in $REPRISE_CACHE,
else $XDG_CACHE_HOME/reprise, else ~/.cache/reprise, so that no session is read
twice. NO_COLOR does what --no-color does.

Examples:
  reprise                          read all sessions, on the full screen
  reprise list                     this project's sessions
  reprise show 3f2a                what was said and done
  reprise watch                    what runs now, and what each session does
  reprise search "off by one"      this project's sessions, of every agent
  reprise chat --model mock        try the chat offline
  my-agent | reprise record        record a session from any program`;

/** Builds the program with the commands that a command line needs. */
export async function buildProgram(context: Context, args: readonly string[]): Promise<Command> {
  const program = new Command("reprise")
    .description("Finds, shows, records and resumes the sessions of coding agents.")
    .version(context.version, "-v, --version", "print the version")
    .option("--no-color", "without colours; with any command")
    .option("--no-cache", "do not read or write the cache; with any command")
    .addOption(new Option("--no-catalogue").hideHelp())
    .addHelpText("after", EPILOGUE)
    .enablePositionalOptions() as unknown as Command;
  const needed = neededCommands(args);
  const tables = await Promise.all(needed.map((name) => COMMANDS[name]?.()));
  for (const [index, name] of needed.entries()) {
    const table = tables[index];
    if (table === undefined) continue;
    program.addCommand(commandParser(name, table, context).helpGroup(groupOf(name)));
  }
  equip(program, context);
  return program;
}

/** Adds help and error handling to a command and to its subcommands. */
function equip(command: Command, context: Context): void {
  command.helpOption("-h, --help", "show help")
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
