/** `reprise rename` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import { annotate, annotationTarget } from "./_annotate.ts";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";

/** Gives a session a title. */
export function renameCommand(context: Context): Command {
  return new Command("rename")
    .summary("give a session a title")
    .description("Give a session a title. An empty title goes back to the first message.")
    .argument("<ref>", "which session")
    .argument("<title>", "the title")
    .addHelpText(
      "after",
      '\nExamples:\n  reprise rename 3f2a "Parser rewrite"\n  reprise rename claude:8d1f ""',
    )
    .action(async (ref, title) => {
      const target = await annotationTarget(context, ref);
      const recorded = await annotate(context, target, {
        title: title.replace(/\s+/g, " ").trim(),
      });
      const beside = target.own && recorded === "mark";
      const note = beside ? " (beside its log, which is being written now)" : "";
      await say(context, `Renamed ${target.name}${note}`);
    }) as unknown as Command;
}
