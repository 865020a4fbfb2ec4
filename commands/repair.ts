/** `reprise repair` */
import { resolve } from "node:path";
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import { repairLog } from "../lib/log/repair_log.ts";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";
import { openWhole } from "./_source.ts";

/** Writes a clean copy of a log. */
export function repairCommand(context: Context): Command {
  return new Command("repair")
    .summary("write a clean copy of a damaged log")
    .description(
      "Write the events of a log to a new file, without what is damaged. The log itself is not touched.",
    )
    .argument("<ref>", "which session, or the path of a log")
    .requiredOption("--out <file>", "the file to make; it must not exist")
    .addHelpText(
      "after",
      "\nExample:\n  reprise repair 3f2a --out clean.jsonl && reprise verify ./clean.jsonl",
    )
    .action(async (ref, { out }) => {
      const { path } = await openWhole(context, ref, true);
      const target = resolve(context.cwd, out);
      const { events, salvaged, dropped_bytes } = await repairLog(path, target);
      const rescued = salvaged === 0 ? "" : `, ${salvaged} of them salvaged from damaged lines`;
      await say(
        context,
        `Wrote ${events} events${rescued}; left out ${dropped_bytes} bytes of damage: ${target}`,
      );
    }) as unknown as Command;
}
