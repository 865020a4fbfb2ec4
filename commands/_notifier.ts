/** Runs the user's own notification program for each session that begins to wait for the user. */
import { isAbsolute } from "node:path";
import type { RunningSession } from "../lib/library/running/running_sessions.ts";
import { startProgram } from "../lib/core/platform/child_process.ts";
import { commandWords } from "../lib/core/platform/shell_word.ts";
import { pause } from "../lib/core/platform/pause.ts";
import { homeFolder } from "../lib/core/workspace/home_folder.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { userProgram } from "./_user_program.ts";

export interface Notifier {
  tell(session: RunningSession): void;
  /** Waits for the programs that still run, for two seconds at most. */
  finish(): Promise<void>;
}

/** Milliseconds to wait for programs, because a notice may stay open until somebody closes it. */
const PATIENCE_MS = 2000;

/**
 * Returns a notifier that starts a program for each session.
 *
 * @param line The program and its first arguments.
 * @throws {UsageError} If the program is not on `PATH`.
 */
export async function notifier(context: Context, line: string): Promise<Notifier> {
  const [name = "", ...args] = commandWords(line);
  const program = isAbsolute(name) ? name : userProgram(context, name, context.cwd);
  if (program === undefined) {
    throw new UsageError(`Cannot use --notify: there is no program ${name} on PATH`);
  }
  const { noticeText } = await import("../lib/text/render/running_table.ts");
  const home = homeFolder(context.variable);
  const running = new Set<Promise<unknown>>();
  return {
    tell(session): void {
      try {
        const streams = { stdin: "null", stdout: "null", stderr: "null" } as const;
        // Without a shell, and behind `--`: a session's words are no options.
        const words = [...args, "--", noticeText(session, home)];
        const { status } = startProgram(program, { args: words, ...streams });
        running.add(status);
        status.finally(() => running.delete(status));
      } catch {
        // The table shows the session all the same.
      }
    },
    async finish(): Promise<void> {
      const patience = new AbortController();
      await Promise.race([Promise.allSettled(running), pause(PATIENCE_MS, patience.signal)]);
      patience.abort();
    },
  };
}
