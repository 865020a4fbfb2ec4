/** `reprise archive` */
import { REPRISE } from "../lib/core/event/agent_name.ts";
import type { SessionHandle } from "../lib/library/handle/session_handle.ts";
import { openToMark } from "./_session.ts";
import { defineCommand } from "./_command.ts";
import { markSession } from "./_marking.ts";
import { say } from "./_message.ts";

export const archiveCommand = defineCommand({
  description:
    "Hide sessions from lists. Nothing is deleted, and searches still find these sessions.",
  arguments: [["<refs...>", "the sessions' ids"]],
  flags: { "--undo": "show the sessions in lists again" },
  examples: ["reprise archive 3f2a", "reprise list --archived", "reprise archive --undo 3f2a"],
  run: async (context, refs, { undo = false }) => {
    const sessions = new Map<string, SessionHandle>();
    // All are looked up first, so that a wrong one changes nothing.
    for (const ref of refs) {
      const session = await openToMark(context, ref);
      sessions.set(session.path + session.id, session);
    }
    for (const session of sessions.values()) {
      await markSession(context, session, { archived: !undo });
      const where = session.agent === REPRISE ? "" : " in Reprise's lists";
      await say(context, `${undo ? "Unarchived" : "Archived"} ${session.short_ref}${where}`);
    }
  },
});
