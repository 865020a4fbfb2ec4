/** The flags of `show`. */
import type { Flags, FlagsOf } from "../_command.ts";
import { IDENTITY_FLAG } from "../_identity_flag.ts";
import { parseCount } from "../_number.ts";
import { PAGE_FLAGS } from "../_page.ts";

/** The flags, in the order of the help. */
export const SHOW_FLAGS = {
  "--last <count>": { help: "only this many items from the end", parse: parseCount },
  "--full": "show long outputs whole",
  "--tools <detail>": {
    help: "how much of each call to show (default: full)",
    choices: ["full", "brief", "none"],
  },
  "--follow": "show new events as they arrive, until ^C",
  "--json": "one item a line",
  "--events": { help: "one event a line, as stored", conflicts: ["json"] },
  "--thread <id>": "another thread, such as a branch or a subagent; same as REF~ID",
  "--threads": "list the session's threads",
  ...IDENTITY_FLAG,
  ...PAGE_FLAGS,
} as const satisfies Flags;

/** What the command line says. */
export type ShowFlags = FlagsOf<typeof SHOW_FLAGS>;
