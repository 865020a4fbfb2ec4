/** `reprise archive` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import { annotate, type AnnotationTarget, annotationTarget } from "./_annotate.ts";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";

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
      const targets = new Map<string, AnnotationTarget>();
      // All are looked up first: a wrong one changes nothing.
      for (const given of refs) {
        const target = await annotationTarget(context, given);
        targets.set(target.ref, target);
      }
      for (const target of targets.values()) {
        await annotate(context, target, { archived: !undo });
        await say(context, `${undo ? "Took back" : "Archived"} ${target.name}`);
      }
    }) as unknown as Command;
}
