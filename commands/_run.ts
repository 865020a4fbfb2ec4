/** Runs a command line, and turns its failure into an exit status. */
import { withCommonFlags } from "./_common_flags.ts";
import { type Context, hasScreen, processContext } from "./_context.ts";
import { STATUS, toFailure, UsageError } from "./_failure.ts";
import { say } from "./_message.ts";
import type { ListFlags } from "./list/list_flags.ts";
import { listSessions } from "./list/list_sessions.ts";
import { forgetJoined } from "../lib/core/event/agent_name.ts";
import { SessionError } from "../lib/core/event/session_error.ts";
import { programArguments } from "../lib/core/platform/process.ts";
import { operatingSystem } from "../lib/core/platform/runtime.ts";
import { joinReaders } from "../lib/core/workspace/config.ts";
import { readConfig } from "../lib/core/workspace/config_file.ts";
import { dataRoot } from "../lib/core/workspace/data_root.ts";

/** Words that ask only for the version. They are answered before any command is loaded. */
const VERSION_WORDS = ["--version", "-v", "-V"];

function asksVersion([word = "", ...more]: readonly string[]): boolean {
  if (!VERSION_WORDS.includes(word)) return false;
  if (more.length > 0) {
    throw new UsageError(`Unexpected argument "${more[0]}": ${word} takes no arguments`);
  }
  return true;
}

/** Returns the help if the command line's first word asks for help. Loads the help only then. */
async function programHelp(args: readonly string[]): Promise<string | undefined> {
  if (!["--help", "-h", "help"].includes(args[0] ?? "")) return undefined;
  return (await import("./_program_help.ts")).helpAsked(args);
}

/**
 * Rejects arguments that do not begin with a command. Leaves the program's own flags to the
 * argument parser.
 */
async function assertCommand(context: Context, args: readonly string[]): Promise<void> {
  const words = args[0] === "help" ? args.slice(1) : args;
  const { SUMMARIES } = await import("./_program_help.ts");
  const [word = ""] = words;
  const known = word.startsWith("-")
    ? !words.some((one) => SUMMARIES.has(one))
    : SUMMARIES.has(word);
  if (known) return;
  throw await (await import("./_wrong_word.ts")).wrongCommand(context, words);
}

/** Parses the flags of a plain `list`. Undefined if the command line needs the argument parser. */
async function plainList(
  [name, ...args]: readonly string[],
  context: Context,
): Promise<ListFlags | undefined> {
  if (name !== "list") return undefined;
  if (args.length === 0) return {};
  const { plainListFlags } = await import("./list/list_flags.ts");
  return plainListFlags(args, context);
}

/**
 * Registers the agents for which the user configured a reader. Ignores invalid settings, because
 * later commands report them.
 */
function joinOwnReaders({ variable }: Context): void {
  const root = dataRoot(variable, operatingSystem === "windows");
  forgetJoined();
  try {
    if (root !== undefined) joinReaders(readConfig(root));
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
  }
}

export async function run(given: readonly string[], at: Context): Promise<number> {
  const { args, context } = withCommonFlags(given, at);
  try {
    if (asksVersion(args)) {
      context.stdout.write(`${context.version}\n`);
      return STATUS.done;
    }
    const help = await programHelp(args);
    if (help !== undefined) {
      context.stdout.write(help);
      return STATUS.done;
    }
    // Runs before each call of an agent's tool, so it loads no parser.
    if (args.join(" ") === "cap check") {
      await (await import("./cap/check.ts")).checkCaps(context);
      return STATUS.done;
    }
    joinOwnReaders(context);
    if (args.length === 0 && hasScreen(context)) {
      const { browseSessions } = await import("./_reader.ts");
      return await browseSessions(context);
    }
    const flags = await plainList(args, context);
    if (flags !== undefined) {
      await listSessions(context, flags);
      return STATUS.done;
    }
    if (args.length === 0) {
      context.stderr.write((await import("./_program_help.ts")).shortHelp());
      throw new UsageError("Cannot choose a session without a terminal. Give a command");
    }
    await assertCommand(context, args);
    const { buildProgram } = await import("./_program.ts");
    const program = await buildProgram(context, args);
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
    // The reader of stderr has gone; the status remains.
  }
  return status;
}

export async function runProcess(version: string): Promise<number> {
  return await run(programArguments(), processContext(version));
}
