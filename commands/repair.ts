/** `reprise repair` */
import { resolve } from "node:path";
import { Command } from "npm:@commander-js/extra-typings@15.1.0";
import { SessionError } from "../lib/event/session_error.ts";
import { repairLog } from "../lib/log/repair_log.ts";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";
import type { SessionHandle } from "../lib/library/session_handle.ts";
import { openWhole } from "./_session.ts";

/** Writes a clean copy of a log. */
export function repairCommand(context: Context): Command {
  return new Command("repair")
    .summary("write a clean copy of a damaged log")
    .description(
      "Write the intact events of a log to a new file. The log itself is not changed.",
    )
    .argument("<ref>", "which session, or the path of a log")
    .requiredOption("--out <file>", "the file to write; it must not exist")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise repair 3f2a --out clean.jsonl && reprise verify ./clean.jsonl\n" +
        "  reprise repair ./transcript_events.jsonl --out clean.jsonl",
    )
    .action(async (ref, { out }) => {
      const source = await openWhole(context, ref, { damaged: true });
      if (source.log === undefined) throw foreignLog(source);
      const target = resolve(context.cwd, out);
      const { events, salvaged, dropped_bytes } = await repairLog(source.log, target);
      const rescued = salvaged === 0 ? "" : `, ${salvaged} of them salvaged from damaged lines`;
      await say(
        context,
        `Wrote ${events} events${rescued}; left out ${dropped_bytes} bytes of damage: ${target}`,
      );
    }) as unknown as Command;
}

function foreignLog({ path }: SessionHandle): SessionError {
  const message = `Cannot repair log: it belongs to another agent, in a format of its own: ${path}`;
  return new SessionError("unsupported-source", message, { path });
}
