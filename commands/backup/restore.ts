/** `reprise backup restore` */
import { resolve } from "node:path";
import { Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import type { RestoredBackup } from "../../lib/backup/restore_session.ts";
import type { Context } from "../_context.ts";
import { counted } from "../../lib/render/counted.ts";
import { printExact, say } from "../_message.ts";
import { parseCount } from "../_number.ts";
import { contextStore } from "../_store.ts";

interface RestoreFlags {
  generation?: number;
  out?: string;
  dryRun?: true;
  json?: true;
}

/** Puts back what --watch has kept. */
export function restoreCommand(context: Context): Command {
  return new Command("restore")
    .summary("put a kept session back where its agent had it")
    .description(
      "Put a session that --watch has kept back where its agent had it, with its mode and\n" +
        "time, so that the agent can resume it. A file that is there is never touched.",
    )
    .argument("<ref>", "which session, as claude:3f2a")
    .addOption(
      new Option("--generation <number>", "an earlier one; see: reprise backup list")
        .argParser(parseCount),
    )
    .option("--out <path>", "to this file instead; of a session with several files, to this folder")
    .option("--dry-run", "only show what would be put back")
    .option("--json", "the outcome as an object")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise backup restore claude:3f2a\n" +
        "  reprise backup restore codex:019a --generation 1 --out before.jsonl",
    )
    .action((ref, flags) => restore(context, ref, flags)) as unknown as Command;
}

async function restore(context: Context, ref: string, flags: RestoreFlags): Promise<void> {
  const { generation, out, dryRun: dry = false } = flags;
  const { restoreSession } = await import("../../lib/backup/restore_session.ts");
  const restored = restoreSession(contextStore(context).root, ref, {
    dry,
    ...(generation === undefined ? {} : { generation }),
    ...(out === undefined ? {} : { out: resolve(context.cwd, out) }),
  });
  if (flags.json) {
    const { toJsonLine } = await import("../../lib/render/json_lines.ts");
    return context.stdout.write(toJsonLine(restored));
  }
  for (const path of restored.files) await printExact(context, path);
  await say(context, await outcomeOf(restored));
  if (!dry && out === undefined) {
    await say(context, `Continue it: reprise resume ${restored.ref}`);
  }
}

async function outcomeOf(
  { ref, generation, files, left, bytes, dry }: RestoredBackup,
): Promise<string> {
  const { formatBytes } = await import("../../lib/render/byte_size.ts");
  const verb = dry ? "Would restore" : "Restored";
  const what = `${counted(files.length, "file")}, ${formatBytes(bytes)}`;
  const there = left.length === 0 ? "" : `; there already, and as they were: ${left.join(", ")}`;
  return `${verb} ${ref}, generation ${generation}: ${what}${there}`;
}
