/** `reprise open` */
import { defineCommand } from "./_command.ts";

export const openCommand = defineCommand({
  description:
    "Show all sessions in a browser on this machine, with filters, search and statistics. The " +
    "pages can be opened until ^C. The printed address works once, in one browser.",
  arguments: [[
    "[ref]",
    "the session to open first: its id, or the path of its log (default: the list)",
  ]],
  flags: {
    "--no-browser": "print the address; do not open a browser",
    "--thread <id>": "use this branch or subagent of the session (same as REF~ID)",
  },
  examples: [
    "reprise open",
    "reprise open 3f2a#41",
    "reprise open --no-browser",
  ],
  run: async (context, ref, flags) => {
    const { openPages } = await import("./open/open_pages.ts");
    await openPages(context, ref, flags);
  },
});
