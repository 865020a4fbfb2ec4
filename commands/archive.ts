/** `reprise archive` */
import { REPRISE } from "../lib/event/agent_name.ts";
import type { SessionHandle } from "../lib/library/session_handle.ts";
import { isNamedBeside, openToMark } from "./_session.ts";
import { defineCommand } from "./_command.ts";
import { say } from "./_message.ts";
import { contextStore } from "./_store.ts";

export const archiveCommand = defineCommand({
  summary: "hide sessions from lists, or show them again",
  description: "Hide sessions from lists. Everything else stays as it is, and nothing is deleted.",
  arguments: [["<refs...>", "which sessions"]],
  flags: { "--undo": "show them in lists again" },
  examples: ["reprise archive 3f2a", "reprise list --archived", "reprise archive --undo 3f2a"],
  run: async (context, refs, { undo = false }) => {
    const sessions = new Map<string, SessionHandle>();
    // All are looked up first, so that a wrong one changes nothing.
    for (const ref of refs) {
      const session = await openToMark(context, ref);
      sessions.set(session.path + session.id, session);
    }
    const { annotate } = await import("../lib/library/annotate.ts");
    const store = contextStore(context);
    for (const session of sessions.values()) {
      const beside_log = await isNamedBeside(store.root, session);
      await annotate(store, session, { archived: !undo }, { beside_log });
      const where = session.agent === REPRISE ? "" : " in Reprise's lists";
      await say(context, `${undo ? "Took back" : "Archived"} ${session.short_ref}${where}`);
    }
  },
});
