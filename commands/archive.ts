/** `reprise archive` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";
import { contextStore, findOwn } from "./_source.ts";

/** Puts sessions away. */
export function archiveCommand(context: Context): Command {
  return new Command("archive")
    .summary("put sessions away, or take them back")
    .description(
      "Put sessions away: lists leave them out, everything else stays. Nothing is deleted.",
    )
    .argument("<refs...>", "which sessions")
    .option("--undo", "take them back")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise archive 3f2a\n  reprise list --archived\n  reprise archive --undo 3f2a",
    )
    .action(async (refs, { undo = false }) => {
      const store = contextStore(context);
      // All are looked up first: a wrong one changes nothing.
      const ids = new Set(refs.map((ref) => findOwn(context, ref).session_id));
      for (const id of ids) {
        await store.archive(id, !undo);
        await say(context, `${undo ? "Took back" : "Archived"} ${id.slice(0, 8)}`);
      }
    }) as unknown as Command;
}
