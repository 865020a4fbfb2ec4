/** `reprise rename` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";
import { contextStore, findOwn } from "./_source.ts";

/** Gives a session a title. */
export function renameCommand(context: Context): Command {
  return new Command("rename")
    .summary("give a session a title")
    .description("Give a session a title. An empty title goes back to the first message.")
    .argument("<ref>", "which session")
    .argument("<title>", "the title")
    .addHelpText("after", '\nExample:\n  reprise rename 3f2a "Parser rewrite"')
    .action(async (ref, title) => {
      const store = contextStore(context);
      const { session_id } = findOwn(context, ref);
      const recorded = await store.rename(session_id, title.replace(/\s+/g, " ").trim());
      const note = recorded === "mark" ? " (beside its log, which is being written now)" : "";
      await say(context, `Renamed ${session_id.slice(0, 8)}${note}`);
    }) as unknown as Command;
}
