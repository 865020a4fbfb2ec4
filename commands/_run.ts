/**
 * Arguments to an exit status.
 */
import { Command, type CommanderError } from "npm:@commander-js/extra-typings@15.1.0";
import type { Context } from "./_context.ts";
import { STATUS, toFailure, UsageError } from "./_failure.ts";
import { say } from "./_message.ts";

type MakeCommand = (context: Context) => Command;

/**
 * All commands, in the order in which the help lists them. A command line loads the one that it
 * names: what the others need would take longer to load than most of them take to run.
 */
const COMMANDS: Readonly<Record<string, () => Promise<MakeCommand>>> = {
  list: async () => (await import("./list.ts")).listCommand,
  show: async () => (await import("./show.ts")).showCommand,
  resume: async () => (await import("./resume.ts")).resumeCommand,
  conversation: async () => (await import("./conversation.ts")).conversationCommand,
  record: async () => (await import("./record.ts")).recordCommand,
  rename: async () => (await import("./rename.ts")).renameCommand,
  archive: async () => (await import("./archive.ts")).archiveCommand,
  delete: async () => (await import("./delete.ts")).deleteCommand,
  stats: async () => (await import("./stats.ts")).statsCommand,
  path: async () => (await import("./path.ts")).pathCommand,
  verify: async () => (await import("./verify.ts")).verifyCommand,
  repair: async () => (await import("./repair.ts")).repairCommand,
  doctor: async () => (await import("./doctor.ts")).doctorCommand,
  config: async () => (await import("./config.ts")).configCommand,
  help: async () => (await import("./help.ts")).helpCommand,
};

/** The commands that a command line needs: the one that it names, or all, to help. */
function neededCommands([name = ""]: readonly string[]): string[] {
  return name !== "help" && Object.hasOwn(COMMANDS, name) ? [name] : Object.keys(COMMANDS);
}

const EPILOGUE = `
A REF is an id or its first characters (4 or more), agent:id for a session of another agent, or a
path; REF#12 names event 12 of it.
Sessions are kept in $REPRISE_HOME, else $XDG_STATE_HOME/reprise, else ~/.local/state/reprise.

Examples:
  reprise list                     this directory's sessions
  reprise show 3f2a                what was said and done
  reprise conversation 3f2a --format anthropic
                                   what a model gets next
  my-agent | reprise record        keep a session from any program`;

/** The program with the commands that a command line needs. */
async function buildProgram(context: Context, args: readonly string[]): Promise<Command> {
  const program = new Command("reprise")
    .description("Keeps the sessions of coding agents: finds, shows and resumes them.")
    .version(context.version, "-V, --version", "print the version")
    .addHelpText("after", EPILOGUE)
    .enablePositionalOptions() as unknown as Command;
  const makers = neededCommands(args).map((name) => COMMANDS[name]?.());
  for (const make of await Promise.all(makers)) {
    if (make !== undefined) program.addCommand(make(context));
  }
  equip(program, context);
  return program;
}

/** Gives a command, and those below it, what all have in common. */
function equip(command: Command, context: Context): void {
  command.helpOption("-h, --help", "show help")
    .helpCommand(false)
    .showSuggestionAfterError()
    .exitOverride((error) => refuse(command, error))
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      // What is wrong is told by `run`, like all that goes wrong.
      outputError: () => {},
      getOutHelpWidth: () => context.stdout.width,
      getErrHelpWidth: () => context.stderr.width,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  for (const child of command.commands) equip(child as unknown as Command, context);
}

/** Passes on what ends a command line in order; what is wrong with one becomes a usage error. */
function refuse(command: Command, error: CommanderError): never {
  if (error.exitCode === 0 || error.code === "commander.help") throw error;
  const reason = error.message.replace(/^error: /, "");
  throw new UsageError(`${reason}\nSee: ${fullName(command)} --help`);
}

function fullName(command: Command): string {
  const { parent } = command;
  return parent === null ? command.name() : `${fullName(parent as Command)} ${command.name()}`;
}

/** Runs a command line; gives the exit status. */
export async function run(args: readonly string[], context: Context): Promise<number> {
  try {
    const program = await buildProgram(context, args);
    if (args.length === 0) {
      program.outputHelp({ error: true });
      return STATUS.usage;
    }
    await program.parseAsync([...args], { from: "user" });
    return STATUS.done;
  } catch (error) {
    return await tell(context, error);
  }
}

async function tell(context: Context, error: unknown): Promise<number> {
  const { status, message } = toFailure(error);
  if (message === "") return status;
  try {
    await say(context, `reprise: ${message}`);
  } catch {
    // Nobody reads it any more; the status still tells.
  }
  return status;
}
