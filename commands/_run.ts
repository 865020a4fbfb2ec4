/**
 * Arguments to an exit status.
 */
import { Command, type CommanderError } from "npm:@commander-js/extra-typings@15.1.0";
import { archiveCommand } from "./archive.ts";
import { configCommand } from "./config.ts";
import { conversationCommand } from "./conversation.ts";
import { deleteCommand } from "./delete.ts";
import { doctorCommand } from "./doctor.ts";
import { helpCommand } from "./help.ts";
import { listCommand } from "./list.ts";
import { pathCommand } from "./path.ts";
import { recordCommand } from "./record.ts";
import { renameCommand } from "./rename.ts";
import { repairCommand } from "./repair.ts";
import { resumeCommand } from "./resume.ts";
import { showCommand } from "./show.ts";
import { statsCommand } from "./stats.ts";
import { verifyCommand } from "./verify.ts";
import type { Context } from "./_context.ts";
import { STATUS, toFailure, UsageError } from "./_failure.ts";
import { say } from "./_message.ts";

/** All commands, in the order in which the help lists them. */
const COMMANDS = [
  listCommand,
  showCommand,
  resumeCommand,
  conversationCommand,
  recordCommand,
  renameCommand,
  archiveCommand,
  deleteCommand,
  statsCommand,
  pathCommand,
  verifyCommand,
  repairCommand,
  doctorCommand,
  configCommand,
  helpCommand,
];

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

/** The program with all its commands. */
export function buildProgram(context: Context): Command {
  const program = new Command("reprise")
    .description("Keeps the sessions of coding agents: finds, shows and resumes them.")
    .version(context.version, "-V, --version", "print the version")
    .addHelpText("after", EPILOGUE)
    .enablePositionalOptions() as unknown as Command;
  for (const command of COMMANDS) program.addCommand(command(context));
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
    const program = buildProgram(context);
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
