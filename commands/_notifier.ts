/** Tells the user's own program of sessions that begin to wait. */
import { isAbsolute } from "node:path";
import type { RunningSession } from "../lib/library/running/running_sessions.ts";
import { startProgram } from "../lib/platform/child_process.ts";
import { homeFolder } from "../lib/workspace/home_folder.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { commandWords } from "./_key_command.ts";
import { userProgram } from "./_user_program.ts";

/** Tells of one session. */
export type Notifier = (session: RunningSession) => void;

/**
 * Returns what starts a program for a session.
 *
 * @param line The program and its first arguments.
 * @throws {UsageError} If there is no such program.
 */
export async function notifier(context: Context, line: string): Promise<Notifier> {
  const [name = "", ...args] = commandWords(line);
  const program = isAbsolute(name) ? name : userProgram(context, name, context.cwd);
  if (program === undefined) {
    throw new UsageError(`Cannot use --notify: there is no program ${name} on PATH`);
  }
  const { noticeText } = await import("../lib/render/running_table.ts");
  const home = homeFolder(context.variable);
  return (session) => {
    try {
      const streams = { stdin: "null", stdout: "null", stderr: "null" } as const;
      // Without a shell, and behind `--`: a session's words are no options.
      startProgram(program, { args: [...args, "--", noticeText(session, home)], ...streams });
    } catch {
      // The table shows the session all the same.
    }
  };
}
