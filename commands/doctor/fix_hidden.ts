/** Copies a session that an agent's own list hides, so that the list shows the copy. */
import { SessionError } from "../../lib/core/event/session_error.ts";
import { hiddenSessions } from "../../lib/library/examined/hidden_sessions.ts";
import type { Context } from "../_context.ts";
import { CommandExit, STATUS } from "../_failure.ts";
import { handOverSession } from "../_handover/hand_over_session.ts";
import { resumeLine } from "../_handover/resume_line.ts";
import { shellCommand } from "../../lib/core/platform/shell_word.ts";
import { contextLibrary } from "../_library.ts";
import { printExact, say } from "../_message.ts";
import { openWhole } from "../_session.ts";

/**
 * Writes a copy that the agent's own list shows. If no copy would help, prints the commands that
 * open the session. Without `write`, only prints what the copy would contain.
 *
 * @param cwd The directory that the copy belongs to. The default is the session's own directory.
 */
export async function fixHidden(
  context: Context,
  ref: string,
  cwd: string | undefined,
  write: boolean,
): Promise<void> {
  const session = await openWhole(context, ref);
  const { agent, agent_title: title } = session;
  const library = contextLibrary(context);
  const hidden = await hiddenSessions(library, agent, [await session.summary()]);
  if (hidden === undefined) {
    const message =
      `Cannot fix ${session.ref}: Reprise does not know which sessions ${title} shows in its own ` +
      "list";
    throw new SessionError("unsupported-source", message, { ref });
  }
  const [found] = hidden;
  if (found === undefined) return await say(context, `${title} lists ${session.ref} already`);
  await say(context, `${title} does not list ${session.ref}: ${found.reason}`);
  const { copyFinder } = await import("../../lib/features/handover/find_copy.ts");
  const copy = await copyFinder(library)(agent, session.ref);
  if (copy !== undefined) {
    return await say(context, `${title} already lists a copy of the session: ${copy}`);
  }
  if (!found.fixable) {
    if (found.commands.length === 0) {
      return await say(context, `${title} has no command to open the session`);
    }
    await say(
      context,
      `A copy would not help, because ${title} would not list the copy either. To open ` +
        "the session:",
    );
    for (const { argv } of found.commands) await printExact(context, shellCommand(argv));
    return;
  }
  const { LISTED_COPY } = await import("../../lib/features/handover/find_copy.ts");
  const choice = { to: agent, ...LISTED_COPY, ...(cwd === undefined ? {} : { cwd }) };
  const outcome = await handOverSession(
    context,
    session,
    write ? choice : { ...choice, dryRun: true },
  );
  if (outcome.done === undefined) return await say(context, "To write the copy, add --write");
  const { id, prepare, failed } = outcome.done;
  const go_on = prepare.length > 0
    ? "To import the session and continue it:"
    : "To continue the session:";
  await say(
    context,
    `Wrote a copy: ${agent}:${id}\nUndo: reprise doctor agents --undo ${id}\n${go_on}`,
  );
  await printExact(context, resumeLine(outcome.done, outcome.cwd));
  if (failed) throw new CommandExit(STATUS.failed);
}
