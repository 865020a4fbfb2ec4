/** `reprise sync withdraw` */
import { SessionError } from "../../lib/core/event/session_error.ts";
import { defineCommand } from "../_command.ts";
import type { Context } from "../_context.ts";
import { contextLibrary } from "../_library.ts";
import { say } from "../_message.ts";
import { neededSettings, withTeamStore } from "./connection.ts";
import { shortName } from "./report_text.ts";

export const withdrawCommand = defineCommand({
  summary: "delete your shared sessions from the store",
  description:
    "Delete your shared sessions from the store, including the changes from your other machines. " +
    "The sessions stay on your machines, but are not shared again. Members keep the copies " +
    "that they pulled.",
  arguments: [["<refs...>", "the sessions: their ids on this machine, or team:ID"]],
  examples: ["reprise sync withdraw 3f2a", "reprise sync withdraw team:claude:8d1f"],
  run: withdrawAll,
});

async function withdrawAll(context: Context, refs: readonly string[]): Promise<void> {
  const settings = await neededSettings(context, "withdraw");
  const { findShared, namedSessions } = await import("../../lib/features/team/find_branch.ts");
  const { withdraw } = await import("../../lib/features/team/withdraw.ts");
  await withTeamStore(context, settings, async (store) => {
    const { owner } = await store.hello(settings.device);
    // A withdrawal that was cut off left no branch to find.
    const finished = await store.deleteWithdrawn();
    const sessions = new Set<string>();
    // All are looked up first, so that a wrong one withdraws nothing.
    for (const ref of refs) {
      const cut = namedSessions(finished, owner, ref);
      for (const session of cut) sessions.add(session);
      if (cut.length > 0) continue;
      const found = await findShared(store, owner, ref);
      if (found.owner !== owner) throw notYours(ref, found.owner);
      sessions.add(found.session);
    }
    for (const session of sessions) {
      await withdraw(contextLibrary(context), store, settings, session);
      await say(context, `Withdrawn: ${shortName(session)}`);
    }
  });
  await say(context, "Members keep the copies that they pulled");
}

function notYours(ref: string, owner: string): SessionError {
  const message =
    `Cannot withdraw ${ref}: ${owner} shares this session, so only ${owner} can withdraw it`;
  return new SessionError("permission", message, { ref });
}
