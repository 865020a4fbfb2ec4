/** Undoes a hand-over by removing the session that it wrote. */
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { HandoverRecord } from "../../lib/features/handover/handover_record.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { runProgram } from "./run_program.ts";
import { shellCommand } from "../../lib/core/platform/shell_word.ts";

/**
 * Removes the files of a hand-over, unless the session was continued.
 *
 * @param id The new session's id, or its first characters.
 * @throws {SessionError}
 */
export async function undoById(context: Context, id: string): Promise<HandoverRecord> {
  const { findHandover, undoHandover } = await import("../../lib/features/handover/undo.ts");
  const { root } = contextLibrary(context);
  const record = findHandover(root, id);
  if (record.file === undefined) await removeImported(context, record);
  const { removed, gone, kept } = await undoHandover(root, record, context.now());
  const name = `${record.agent}:${record.id}`;
  const lines = [
    ...(removed.length > 0 || record.file === undefined ? [`Removed ${name}`] : []),
    ...removed.map((path) => `  ${path}`),
    ...(record.file !== undefined && record.remove !== undefined
      ? [
        `If you have run the import command that handover printed, also run: ${
          shellCommand(record.remove)
        }`,
      ]
      : []),
    ...gone.map((path) => `Already removed: ${path}`),
    ...kept.map((path) =>
      `Not removed, because the file was changed or other sessions need it: ${path}`
    ),
  ];
  await say(context, lines.join("\n"));
  return record;
}

/** Lets the agent remove a session, because only the agent may change its database. */
async function removeImported(context: Context, record: HandoverRecord): Promise<void> {
  const { remove, cwd } = record;
  const [program, ...args] = remove ?? [];
  if (program === undefined) {
    throw refusal(record, "the agent has no command that removes a session");
  }
  const line = shellCommand([program, ...args]);
  const { importedState } = await import("../../lib/features/handover/hand_over.ts");
  const state = await importedState(contextLibrary(context), record);
  if (state === "gone") return;
  if (state === "changed") {
    throw refusal(record, `the session has been continued since. To remove it anyway: ${line}`);
  }
  const outcome = await runProgram(context, [program, ...args], cwd);
  if (outcome.state === "done") return;
  const why = outcome.state === "missing" ? `there is no program ${program} on PATH` : outcome.why;
  throw refusal(record, `${why}. To remove it: ${line}`);
}

function refusal({ agent, id }: HandoverRecord, reason: string): SessionError {
  const ref = `${agent}:${id}`;
  return new SessionError("unsupported-source", `Cannot undo hand-over of ${ref}: ${reason}`, {
    ref,
  });
}
