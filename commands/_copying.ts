/** Opens the sessions that `fork` and `merge` copy, and prints the new session. */
import { SessionError } from "../lib/core/event/session_error.ts";
import type { CopySource } from "../lib/core/store/copy/survey_log.ts";
import type { WrittenSession } from "../lib/core/store/copy/write_session.ts";
import type { Context } from "./_context.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import { splitRef } from "../lib/core/store/ref.ts";
import { openSession } from "./_session.ts";
import { printJson } from "./_message.ts";

export interface Original {
  source: SessionHandle;
  row: CopySource;
}

/** Opens a session to copy. Throws if it is of another agent, or encrypted and to be merged. */
export async function openOriginal(
  context: Context,
  ref: string,
  action: "fork" | "merge",
  identity?: readonly string[],
): Promise<Original> {
  const opened = await openSession(context, ref, { identity, keeps_record: true });
  const source = opened.has_bytes ? await opened.atEvent() : opened;
  if (source.log !== undefined) return { source, row: await source.summary() };
  if (source.has_bytes && action === "fork") {
    const row = await source.summary();
    const whole = { all_branches: true };
    return { source, row: { ...row, events: (read) => source.events({ ...read, ...whole }) } };
  }
  const { session, thread } = splitRef(ref);
  const given = thread === undefined ? session : `${session}~${thread}`;
  const reason = source.has_bytes
    ? "it is encrypted"
    : "the session belongs to an agent other than Reprise";
  const message =
    `Cannot ${action} ${source.ref}: ${reason}. Import the session first: reprise import ${given}`;
  throw new SessionError("unsupported-source", message, { ref: source.ref, path: source.path });
}

export async function printMade(
  context: Context,
  made: WrittenSession,
  { json }: { json?: true },
): Promise<void> {
  if (json) await printJson(context, made);
  else context.stdout.write(`${made.session_id}\n`);
}
