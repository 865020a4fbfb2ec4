/** `reprise delete` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import type { Context } from "./_context.ts";
import { contextStore } from "./_source.ts";

/** Moves sessions to the trash. */
export function deleteCommand(context: Context): Command {
  return new Command("delete")
    .summary("move sessions to the trash folder")
    .description(
      "Move sessions to the trash folder of the store. Their files stay until you remove them there.",
    )
    .argument("<refs...>", "which sessions")
    .addHelpText("after", "\nExample:\n  reprise delete 3f2a")
    .action(async (refs) => {
      const store = contextStore(context);
      // All are looked up first: a wrong one deletes nothing.
      const folders = refs.map((ref) => store.find(ref, context.cwd));
      for (const { session_id } of folders) {
        const { to } = await store.remove(session_id);
        context.stderr.write(`Moved ${session_id.slice(0, 8)} to ${to}\n`);
      }
    }) as unknown as Command;
}
