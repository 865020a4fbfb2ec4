/** The full-screen program of a command, and what it does with the session that is read. */
import { SessionError } from "../lib/event/session_error.ts";
import type { SessionHandle } from "../lib/library/session_handle.ts";
import type { RunningSessions } from "../lib/library/running/running_sessions.ts";
import type { ReaderActions } from "../lib/screens/reader/actions.ts";
import type { BrowserEnd } from "../lib/screens/browser.ts";
import type { TerminalScreen } from "../lib/ui/terminal_screen.ts";
import type { Context, Output } from "./_context.ts";
import { CommandExit, toFailure } from "./_failure.ts";
import { contextTerminal, screenSettings } from "./_terminal.ts";

/** Shows a list of sessions, all or those that `running` finds, and reads the chosen ones. */
export async function browse(context: Context, running?: RunningSessions): Promise<BrowserEnd> {
  const { browseSessions } = await import("../lib/screens/browser.ts");
  const actions: ReaderActions = {
    export: (session, out, thread) =>
      writeExport(context, session.ref, { out, ...(thread === undefined ? {} : { thread }) }),
    resume: (session, screen) => refusal(() => resumeHere(context, screen, session)),
    hand_over: (session, screen) =>
      refusal(async () => {
        const { handOver } = await import("./_reader/hand_over_here.ts");
        return await screen.lend(() => handOver(context, session));
      }),
  };
  return await browseSessions(contextTerminal(context), {
    settings: screenSettings(context),
    actions,
    running,
  });
}

/** Does something with a session; returns why it could not, on one line. */
async function refusal(action: () => Promise<string>): Promise<string> {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return error.message.replaceAll("\n", " · ");
  }
}

/** Runs the session's agent, and comes back to the screen. */
async function resumeHere(
  context: Context,
  screen: TerminalScreen,
  session: SessionHandle,
): Promise<string> {
  const { planResume, resumeInAgent } = await import("./_resume_in_agent.ts");
  const { obstacle } = await planResume(context, session);
  if (obstacle !== undefined) return obstacle.replaceAll("\n", " · ");
  await screen.lend(() => resumeInAgent(context, session));
  return "";
}

/** Writes a session to a file while the screen is full; returns what the command would say. */
async function writeExport(
  context: Context,
  ref: string,
  flags: { out: string; thread?: string },
): Promise<string> {
  const said: string[] = [];
  const quiet: Output = {
    terminal: false,
    width: 80,
    height: Infinity,
    write: (text) => void said.push(text),
  };
  try {
    const { exportSession } = await import("./export.ts");
    await exportSession({ ...context, stderr: quiet }, ref, flags);
    return `Written: ${flags.out}`;
  } catch (error) {
    if (error instanceof CommandExit) return "Not written";
    return toFailure(error).message.split("\n")[0] ?? "";
  }
}
