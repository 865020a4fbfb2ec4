/**
 * Arguments to an exit status.
 */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import { archiveCommand } from "./archive.ts";
import { configCommand } from "./config.ts";
import { conversationCommand } from "./conversation.ts";
import { deleteCommand } from "./delete.ts";
import { doctorCommand } from "./doctor.ts";
import { listCommand } from "./list.ts";
import { pathCommand } from "./path.ts";
import { recordCommand } from "./record.ts";
import { renameCommand } from "./rename.ts";
import { repairCommand } from "./repair.ts";
import { resumeCommand } from "./resume.ts";
import { showCommand } from "./show.ts";
import { verifyCommand } from "./verify.ts";
import type { Context } from "./_context.ts";
import { STATUS, toFailure } from "./_failure.ts";

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
  pathCommand,
  verifyCommand,
  repairCommand,
  doctorCommand,
  configCommand,
];

const EPILOGUE = `
A REF is an id or its first characters (4 or more), or a path; REF#12 names event 12 of it.
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
    .helpOption("-h, --help", "show help")
    .addHelpText("after", EPILOGUE)
    .showSuggestionAfterError()
    .enablePositionalOptions();
  for (const command of COMMANDS) program.addCommand(command(context));
  for (
    const command of [
      program,
      ...program.commands,
      ...program.commands.flatMap((c) => c.commands),
    ]
  ) {
    command.exitOverride().configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      getOutHelpWidth: () => context.stdout.width,
      getErrHelpWidth: () => context.stderr.width,
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    });
  }
  return program as unknown as Command;
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
  const { sanitizeText } = await import("../lib/render/sanitize.ts");
  try {
    context.stderr.write(`reprise: ${sanitizeText(message)}\n`);
  } catch {
    // Nobody reads it any more; the status still tells.
  }
  return status;
}
