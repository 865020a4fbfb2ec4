/** `reprise path` */
import { defineCommand } from "./_command.ts";
import { pathOnDisk } from "../lib/core/file/regular_file.ts";
import { printExact } from "./_message.ts";
import { openWhole } from "./_session.ts";
import { contextStore } from "./_store.ts";

export const pathCommand = defineCommand({
  description: "Print the path of a session's log. Without REF, print the folder of all sessions.",
  arguments: [["[ref]", "the session's id"]],
  examples: ["reprise path 3f2a", 'du -sh "$(reprise path)"'],
  run: async (context, ref) => {
    const path = ref === undefined
      ? contextStore(context).root
      : pathOnDisk((await openWhole(context, ref)).path);
    await printExact(context, path);
  },
});
