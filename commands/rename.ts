/** `reprise rename` */
import { isNamedBeside, openToMark } from "./_session.ts";
import { REPRISE } from "../lib/event/agent_name.ts";
import { defineCommand } from "./_command.ts";
import { say } from "./_message.ts";
import { contextStore } from "./_store.ts";

export const renameCommand = defineCommand({
  description: "Give a session a title. An empty title restores the first message as the title.\n" +
    "A title given to another agent's session is shown only in Reprise.",
  arguments: [
    ["<ref>", "the session's id"],
    ["<title>", "the title"],
  ],
  examples: ['reprise rename 3f2a "Parser rewrite"', 'reprise rename claude:8d1f ""'],
  run: async (context, ref, title) => {
    const session = await openToMark(context, ref);
    const { annotate } = await import("../lib/library/annotate.ts");
    const store = contextStore(context);
    const beside_log = await isNamedBeside(store.root, session);
    const named = { title: title.replace(/\s+/g, " ").trim() };
    const recorded = await annotate(store, session, named, { beside_log });
    const beside = session.writable && recorded === "mark" && !beside_log;
    const note = session.agent !== REPRISE
      ? `: only Reprise's lists show the new title; ${session.agent_title} still shows its own`
      : beside
      ? " (saved beside the log, because the log is being written now)"
      : "";
    await say(context, `Renamed ${session.short_ref}${note}`);
  },
});
