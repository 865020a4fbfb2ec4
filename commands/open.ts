/** `reprise open` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import type { Context } from "./_context.ts";

/** Shows sessions in the browser. */
export function openCommand(context: Context): Command {
  return new Command("open")
    .summary("read and search sessions in the browser")
    .description(
      "Serve pages of all sessions to this machine's browser, until ^C: lists with filters, search, " +
        "statistics, and each session. The address opens them once, in one browser.",
    )
    .argument("[ref]", "which session to show first, or the path of a log (default: the list)")
    .option("--no-browser", "print the address, and open no browser")
    .option("--thread <id>", "another thread, such as a branch or a subagent; same as REF~ID")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise open\n  reprise open 3f2a#41\n  reprise open --no-browser",
    )
    .action(async (ref, flags) => {
      const { openPages } = await import("./open/open_pages.ts");
      await openPages(context, ref, flags);
    }) as unknown as Command;
}
