/** Runs a command line, and turns its failure into an exit status. */
import { withCommonFlags } from "./_common_flags.ts";
import { type Context, hasScreen, processContext } from "./_context.ts";
import { STATUS, toFailure, UsageError } from "./_failure.ts";
import { say } from "./_message.ts";
import type { ListFlags } from "./list/list_flags.ts";
import { listSessions } from "./list/list_sessions.ts";
import { programArguments } from "../lib/platform/process.ts";

/** Words that ask only for the version. They are answered before any command is loaded. */
const VERSION_WORDS = ["--version", "-v", "-V"];

function asksVersion([word = "", ...more]: readonly string[]): boolean {
  if (!VERSION_WORDS.includes(word)) return false;
  if (more.length > 0) throw new UsageError(`${word} stands alone, without "${more[0]}"`);
  return true;
}

/** Reads the flags of `list` without the parser of arguments, because it is run most. */
async function plainList(
  [name, ...args]: readonly string[],
  context: Context,
): Promise<ListFlags | undefined> {
  if (name !== "list") return undefined;
  if (args.length === 0) return {};
  const { plainListFlags } = await import("./list/list_flags.ts");
  return plainListFlags(args, context);
}

export async function run(given: readonly string[], at: Context): Promise<number> {
  const { args, context } = withCommonFlags(given, at);
  try {
    if (asksVersion(args)) {
      context.stdout.write(`${context.version}\n`);
      return STATUS.done;
    }
    if (args.length === 0 && hasScreen(context)) {
      const { browseSessions } = await import("./_reader.ts");
      return await browseSessions(context);
    }
    const flags = await plainList(args, context);
    if (flags !== undefined) {
      await listSessions(context, flags);
      return STATUS.done;
    }
    const { buildProgram } = await import("./_program.ts");
    const program = await buildProgram(context, args);
    if (args.length === 0) {
      program.outputHelp({ error: true });
      throw new UsageError("give a command; choosing a session needs a terminal");
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
    // The reader of stderr has gone; the status remains.
  }
  return status;
}

/** Runs the process's command line; returns the exit status. */
export async function runProcess(version: string): Promise<number> {
  return await run(programArguments(), processContext(version));
}
