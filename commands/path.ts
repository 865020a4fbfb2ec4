/** `reprise path` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import type { Context } from "./_context.ts";
import { printExact } from "./_message.ts";
import { openWhole } from "./_session.ts";
import { contextStore } from "./_store.ts";

/** Prints where a session lies. */
export function pathCommand(context: Context): Command {
  return new Command("path")
    .summary("print the path of a session")
    .description("Print the path of a session's log, or without REF the folder of all sessions.")
    .argument("[ref]", "which session")
    .addHelpText("after", '\nExamples:\n  reprise path 3f2a\n  du -sh "$(reprise path)"')
    .action(async (ref) => {
      const path = ref === undefined
        ? contextStore(context).root
        : (await openWhole(context, ref)).path;
      await printExact(context, path);
    }) as unknown as Command;
}
