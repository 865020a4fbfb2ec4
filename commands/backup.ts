/** `reprise backup` */
import { Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import { otherAgentOption } from "./_agent_option.ts";
import { backUpChosen, type BackupFlags } from "./backup/back_up.ts";
import { listBackupsCommand } from "./backup/list.ts";
import { restoreCommand } from "./backup/restore.ts";
import { serviceCommand } from "./backup/service.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { parseSince } from "./_time.ts";

/** Backs up other agents' sessions. */
export function backupCommand(context: Context): Command {
  const command = new Command("backup")
    .summary("back up other agents' sessions before the agents delete them")
    .description(
      "Back up a session of another agent, or all of an agent's in this directory:\n" +
        "import it, copy its files byte for byte beside the log, and check both against\n" +
        "what was read. Unchanged sessions are skipped. A session that has grown is\n" +
        "backed up again, and the older backup is archived, unless it holds more.\n\n" +
        "With --watch, keep every session as it grows, until ^C: its files byte for byte,\n" +
        "within two seconds. What an agent deletes stays; what it rewrites or cuts short\n" +
        "is kept beside what was there before. Sessions in databases are backed up as\n" +
        "above, once their database is quiet.",
    )
    .argument("[ref]", "which session, as claude:3f2a, or the path of its file or database")
    .addOption(otherAgentOption("all sessions of an agent, or of all"))
    .option("-a, --all", "with --agent: in all directories")
    .addOption(
      new Option("--since <time>", "with --agent: updated since, such as 7d or 2026-11-21")
        .argParser((text) => parseSince(text, context.now())),
    )
    .option("--watch", "keep all sessions as they grow; with --agent: those of one agent")
    .option("--dry-run", "only show what would be backed up")
    .option("--json", "one outcome a line, for each session")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise backup claude:3f2a\n  reprise backup --agent claude --all --dry-run\n" +
        "  reprise backup --agent all --all --since 30d\n  reprise backup --watch\n" +
        "  reprise backup list\n  reprise backup restore claude:3f2a",
    )
    .action((ref, flags) => run(context, ref, flags)) as unknown as Command;
  // An option behind a subcommand is its own.
  command.enablePositionalOptions();
  command.addCommand(listBackupsCommand(context));
  command.addCommand(restoreCommand(context));
  command.addCommand(serviceCommand(context));
  return command;
}

async function run(
  context: Context,
  ref: string | undefined,
  { watch, ...flags }: BackupFlags & { watch?: true },
): Promise<void> {
  if (!watch) return await backUpChosen(context, ref, flags);
  if (ref !== undefined) throw new UsageError("--watch keeps all sessions: give no session");
  if (flags.all || flags.since !== undefined || flags.dryRun) {
    throw new UsageError("--all, --since and --dry-run do not go with --watch");
  }
  const { watchAll } = await import("./backup/watch.ts");
  await watchAll(context, flags);
}
