/** `reprise delete` */
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";
import { contextStore, findOwn } from "./_source.ts";

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
      const ids = new Set(refs.map((ref) => findOwn(context, ref).session_id));
      for (const id of ids) {
        const { to } = await store.remove(id);
        await say(context, `Moved ${id.slice(0, 8)} to ${to}`);
      }
    }) as unknown as Command;
}
