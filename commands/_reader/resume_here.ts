/** Continues a session in its agent, in the terminal of the full screen. */
import { SessionError } from "../../lib/event/session_error.ts";
import type { SessionHandle } from "../../lib/library/session_handle.ts";
import type { TerminalScreen } from "../../lib/ui/terminal_screen.ts";
import type { Context } from "../_context.ts";
import { planResume, resumeInAgent } from "../_resume_in_agent.ts";

/** Runs the agent, and comes back to the screen; returns why it could not, or an empty text. */
export async function resumeHere(
  context: Context,
  screen: TerminalScreen,
  session: SessionHandle,
): Promise<string> {
  try {
    const { obstacle } = await planResume(context, session);
    if (obstacle !== undefined) return obstacle.replaceAll("\n", " · ");
    await screen.lend(() => resumeInAgent(context, session));
    return "";
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    return error.message.replaceAll("\n", " · ");
  }
}
