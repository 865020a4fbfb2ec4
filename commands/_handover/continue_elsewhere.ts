/** Continues a session in another agent: hands it over, unless that was done, and runs the agent. */
import { type AgentName, REPRISE } from "../../lib/event/agent_name.ts";
import { present } from "../../lib/event/present.ts";
import { SessionError } from "../../lib/event/session_error.ts";
import type { SessionHandle } from "../../lib/library/session_handle.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { quoteWord } from "../_resume_in_agent/quote_word.ts";
import { handOverSession } from "./hand_over_session.ts";
import { handOverToStore } from "./into_own_store.ts";

/**
 * Returns the session of another agent that goes on with one: the copy that the agent has already of
 * what is unchanged, else a new one.
 *
 * @param confirm Asked once it is told what goes along.
 *
 * @throws {SessionError}
 */
export async function sessionElsewhere(
  context: Context,
  session: SessionHandle,
  to: AgentName,
  confirm?: () => Promise<boolean>,
): Promise<SessionHandle> {
  const library = contextLibrary(context);
  if (to === REPRISE) {
    const { id } = await handOverToStore(context, session, { to });
    return await library.open(id);
  }
  const { earlierHandover } = await import("../../lib/handover/mod.ts");
  const earlier = await earlierHandover(library.root, to, session);
  if (earlier !== undefined) {
    const ref = `${to}:${earlier.id}`;
    await say(context, `${session.ref} was handed over before, and is unchanged since: ${ref}`);
    return await library.open(ref);
  }
  const { done, cwd } = await handOverSession(context, session, present({ to, confirm }));
  if (done === undefined) throw new SessionError("not-found", "Nothing was handed over");
  if (done.prepare.length > 0) throw notTakenIn(to, done.prepare, cwd);
  await say(
    context,
    `Handed over as ${done.id}; to take it back: reprise handover --undo ${done.id}`,
  );
  return await library.open(`${to}:${done.id}`);
}

function notTakenIn(
  to: AgentName,
  prepare: readonly (readonly string[])[],
  cwd: string,
): SessionError {
  const lines = prepare.map((words) => words.map(quoteWord).join(" "));
  const line = [`cd ${quoteWord(cwd)}`, ...lines].join(" && ");
  const message = `Cannot resume in ${to}: the session is not taken in yet; first run: ${line}`;
  return new SessionError("not-found", message);
}
