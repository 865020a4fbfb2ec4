/** `reprise pin` */
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import { defineCommand } from "./_command.ts";
import { markSession } from "./_marking.ts";
import { say } from "./_message.ts";
import { openToMark } from "./_session.ts";

export const pinCommand = defineCommand({
  description:
    "Pin sessions. Pinned sessions come first in the full-screen list, and have a star in other " +
    "lists. Age and size limits never move them to the trash.",
  arguments: [["<refs...>", "the sessions' ids"]],
  flags: { "--undo": "unpin the sessions" },
  examples: ["reprise pin 3f2a", "reprise list --all --pinned", "reprise pin --undo 3f2a"],
  run: async (context, refs, { undo = false }) => {
    const sessions: SessionHandle[] = [];
    // All are looked up first, so that a wrong one changes nothing.
    for (const ref of refs) sessions.push(await openToMark(context, ref));
    for (const session of sessions) {
      await markSession(context, session, { pinned: !undo });
      await say(context, `${undo ? "Unpinned" : "Pinned"} ${session.short_ref}`);
    }
  },
});
