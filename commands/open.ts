/** `reprise open` */
import { defineCommand } from "./_command.ts";

export const openCommand = defineCommand({
  summary: "read and search sessions in the browser",
  description:
    "Serve pages of all sessions to this machine's browser, until ^C: lists with filters, search, " +
    "statistics, and each session. The address opens them once, in one browser. With --team, the " +
    "pages of what was pulled from a team's store: nothing is hosted, and nothing is pulled.",
  arguments: [["[ref]", "which session to show first, or the path of a log (default: the list)"]],
  flags: {
    "--no-browser": "print the address, and open no browser",
    "--team": "list what `sync pull` got, instead of your own sessions",
    "--thread <id>": "another thread, such as a branch or a subagent; same as REF~ID",
  },
  examples: [
    "reprise open",
    "reprise open 3f2a#41",
    "reprise open --team",
    "reprise open --no-browser",
  ],
  run: async (context, ref, flags) => {
    const { openPages } = await import("./open/open_pages.ts");
    await openPages(context, ref, flags);
  },
});
