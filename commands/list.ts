/** `reprise list` */
import { defineCommand } from "./_command.ts";
import { LIST_FLAGS } from "./list/list_flags.ts";
import { listSessions } from "./list/list_sessions.ts";

export const listCommand = defineCommand({
  description: "List this project's sessions, most recently updated first. A project is a " +
    "directory, everything below it, and the other work trees of its git repository. " +
    "If the project has no sessions, the sessions of all projects are listed.",
  flags: LIST_FLAGS,
  notes: "\nWith --since boot, --interrupted also finds sessions that stopped in the 24\n" +
    "hours before this machine started.\n",
  examples: [
    "reprise list --all --since 7d",
    "reprise list --json | jq -r .ref",
    "reprise list --agent claude",
    "reprise list --file src/ledger.ts",
  ],
  run: listSessions,
});
