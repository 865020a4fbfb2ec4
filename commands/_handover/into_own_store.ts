/** Hands a session over to Reprise itself: by the import, which keeps all of it. */
import { present } from "../../lib/event/present.ts";
import { resolve } from "node:path";
import type { SessionHandle } from "../../lib/library/session_handle.ts";
import { realDirectory } from "../../lib/workspace/real_directory.ts";
import type { Context } from "../_context.ts";
import { UsageError } from "../_failure.ts";
import { untilInterrupted } from "../_until_signal.ts";
import { say } from "../_message.ts";
import { withProgress } from "../../lib/ui/progress.ts";
import { contextStore } from "../_store.ts";
import type { HandoverChoice } from "./hand_over_session.ts";

/** A session of the store. */
export interface OwnSession {
  id: string;
  path: string;
}

const PARTIAL = ["tools", "reasoning", "last", "out", "redact", "dryRun"] as const;

/** Imports a session, unless that was done and it did not change. */
export async function handOverToStore(
  context: Context,
  session: SessionHandle,
  choice: HandoverChoice,
): Promise<OwnSession> {
  const partial = PARTIAL.find((name) => choice[name] !== undefined);
  if (partial !== undefined) {
    const flag = partial === "dryRun" ? "dry-run" : partial;
    throw new UsageError(
      `--${flag} does not go with --to reprise, which imports all of a session; see: ` +
        "reprise import --help",
    );
  }
  const { importHandle } = await import("../../lib/library/import/import_handle.ts");
  const { cwd, title, again } = choice;
  const outcome = await withProgress(
    context,
    "Importing",
    (onProgress) =>
      untilInterrupted((signal) =>
        importHandle(
          contextStore(context),
          session,
          present({
            ...(cwd === undefined ? {} : { cwd: resolve(context.cwd, cwd) }),
            title,
            again,
            ...{ default_cwd: realDirectory(context.cwd), signal, onProgress },
          }),
        )
      ),
  );
  const { status, session_id: id, path } = outcome;
  const done = status === "unchanged" ? "Imported already, and unchanged since" : "Imported";
  await say(context, `${done}: ${session.ref} is ${id.slice(0, 8)}, whole`);
  return { id, path };
}
