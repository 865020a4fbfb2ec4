/** Continues a session in another agent, or in the store by an import. */
import { type AgentName, REPRISE } from "../../lib/core/event/agent_name.ts";
import { present } from "../../lib/core/event/present.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { SessionHandle } from "../../lib/library/handle/session_handle.ts";
import { type Context, pathOf } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { shellLine } from "../../lib/core/platform/shell_word.ts";
import { type HandoverChoice, handOverSession } from "./hand_over_session.ts";
import { realDirectory } from "../../lib/core/workspace/real_directory.ts";
import { UsageError } from "../_failure.ts";
import { contextStore } from "../_store.ts";
import { progressUntilInterrupted } from "../_until_signal.ts";

/**
 * Returns another agent's copy of a session: the existing copy if the session is unchanged, else a
 * new copy.
 *
 * @param confirm Asks for consent after the report of the hand-over was printed.
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
  const copy = await copyElsewhere(context, session, to);
  if (copy !== undefined) return copy;
  const { done, cwd } = await handOverSession(context, session, present({ to, confirm }));
  if (done === undefined) throw new SessionError("not-found", "No session was handed over");
  if (done.prepare.length > 0) throw notTakenIn(to, done.prepare, cwd);
  await say(
    context,
    `Handed over as ${done.id}. Undo: reprise handover --undo ${done.id}`,
  );
  return await library.open(`${to}:${done.id}`);
}

/** Opens an earlier hand-over's copy. Undefined if none exists, or the session changed since. */
export async function copyElsewhere(
  context: Context,
  session: SessionHandle,
  to: AgentName,
): Promise<SessionHandle | undefined> {
  const library = contextLibrary(context);
  const { earlierHandover } = await import("../../lib/features/handover/handover_record.ts");
  const earlier = await earlierHandover(library.root, to, session);
  if (earlier === undefined) return undefined;
  const ref = `${to}:${earlier.id}`;
  await say(
    context,
    `${session.ref} was already handed over and has not changed since. Using that copy: ${ref}`,
  );
  return await library.open(ref);
}

function notTakenIn(
  to: AgentName,
  prepare: readonly (readonly string[])[],
  cwd: string,
): SessionError {
  const line = shellLine(cwd, prepare);
  const message =
    `Cannot resume in ${to}: the agent has not imported the session yet. To import it: ${line}`;
  return new SessionError("not-found", message);
}

interface OwnSession {
  id: string;
  path: string;
}

const PARTIAL = ["tools", "reasoning", "last", "out", "redact", "dryRun"] as const;

/** Imports a session into the store, unless an import of the unchanged session exists. */
export async function handOverToStore(
  context: Context,
  session: SessionHandle,
  choice: HandoverChoice,
): Promise<OwnSession> {
  const partial = PARTIAL.find((name) => choice[name] !== undefined);
  if (partial !== undefined) {
    const flag = partial === "dryRun" ? "dry-run" : partial;
    throw new UsageError(
      `--${flag} cannot be used with --to reprise, which imports the whole session. See: ` +
        "reprise import --help",
    );
  }
  const { importHandle } = await import("../../lib/library/handle/import/import_handle.ts");
  const { cwd, title, again } = choice;
  const places = { cwd: pathOf(context, cwd), default_cwd: realDirectory(context.cwd) };
  const outcome = await progressUntilInterrupted(context, "Importing", (running) => {
    const options = present({ title, again, ...places, ...running });
    return importHandle(contextStore(context), session, options);
  });
  const { status, session_id: id, path } = outcome;
  const name = id.slice(0, 8);
  await say(
    context,
    status === "unchanged"
      ? `Already imported as session ${name}. The original has not changed since: ${session.ref}`
      : `Imported ${session.ref} in full, as session ${name}`,
  );
  return { id, path };
}
