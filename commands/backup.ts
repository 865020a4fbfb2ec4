/** `reprise backup` */
import { resolve } from "node:path";
import { Command, Option } from "npm:@commander-js/extra-typings@15.1.0";
import { present } from "../lib/event/present.ts";
import type { RestoredBackup } from "../lib/backup/restore_session.ts";
import type { ServiceManager } from "../lib/backup/service_unit.ts";
import { AGENT_VARIABLES } from "../lib/library/registry.ts";
import { programCommand } from "../lib/platform/process.ts";
import { operatingSystem } from "../lib/platform/runtime.ts";
import { counted } from "../lib/render/counted.ts";
import { otherAgentOption } from "./_agent_option.ts";
import type { Context } from "./_context.ts";
import { UsageError } from "./_failure.ts";
import { printExact, say } from "./_message.ts";
import { parseCount } from "./_number.ts";
import { contextStore } from "./_store.ts";
import { parseSince } from "./_time.ts";
import { backUpChosen, type BackupFlags } from "./backup/back_up.ts";
import { listBackupsCommand } from "./backup/list.ts";

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

interface RestoreFlags {
  generation?: number;
  out?: string;
  dryRun?: true;
  json?: true;
}

/** Puts back what --watch has kept. */
function restoreCommand(context: Context): Command {
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
  const { restoreSession } = await import("../lib/backup/restore_session.ts");
  const restored = restoreSession(
    contextStore(context).root,
    ref,
    present({ dry, generation, out: out === undefined ? undefined : resolve(context.cwd, out) }),
  );
  if (flags.json) {
    const { toJsonLine } = await import("../lib/render/json_lines.ts");
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
  const { formatBytes } = await import("../lib/render/byte_size.ts");
  const verb = dry ? "Would restore" : "Restored";
  const what = `${counted(files.length, "file")}, ${formatBytes(bytes)}`;
  const there = left.length === 0 ? "" : `; there already, and as they were: ${left.join(", ")}`;
  return `${verb} ${ref}, generation ${generation}: ${what}${there}`;
}

/** Prints what starts --watch at login. */
function serviceCommand(context: Context): Command {
  return new Command("service")
    .summary("print a service that runs --watch from your login on")
    .description(
      "Print a service that keeps sessions from your login on: a unit for systemd, or a\n" +
        "list for launchd on macOS. Nothing is installed; the lines to do so follow.",
    )
    .option("--systemd", "for systemd")
    .option("--launchd", "for launchd")
    .addHelpText(
      "after",
      "\nExamples:\n  reprise backup service > ~/.config/systemd/user/reprise-backup.service\n" +
        "  reprise backup service --launchd > ~/Library/LaunchAgents/reprise.backup.plist",
    )
    .action((flags) => printService(context, flags)) as unknown as Command;
}

/** Variables that say where sessions and the store are. */
const OWN_VARIABLES = ["REPRISE_HOME", "XDG_STATE_HOME", "REPRISE_CACHE", "XDG_CACHE_HOME"];

async function printService(
  context: Context,
  { systemd, launchd }: { systemd?: true; launchd?: true },
): Promise<void> {
  if (systemd && launchd) throw new UsageError("give one of --systemd and --launchd");
  if (operatingSystem === "windows" && !systemd && !launchd) {
    throw new UsageError(
      "Windows has no such service; run at login, as with Task Scheduler: reprise backup --watch",
    );
  }
  const manager: ServiceManager = launchd || (operatingSystem === "darwin" && !systemd)
    ? "launchd"
    : "systemd";
  const { serviceUnit } = await import("../lib/backup/service_unit.ts");
  const names = [...new Set([...OWN_VARIABLES, ...AGENT_VARIABLES])];
  const variables = Object.fromEntries(names.flatMap((name) => {
    const value = context.variable(name);
    return value ? [[name, value]] : [];
  }));
  const command = [...programCommand(), "backup", "--watch"] as unknown as [string, ...string[]];
  context.stdout.write(serviceUnit(manager, { command, variables }));
  if (context.stdout.terminal) await say(context, ADVICE[manager]);
}

const ADVICE: Readonly<Record<ServiceManager, string>> = {
  systemd: "\nTo install it:\n" +
    "  mkdir -p ~/.config/systemd/user\n" +
    "  reprise backup service > ~/.config/systemd/user/reprise-backup.service\n" +
    "  systemctl --user enable --now reprise-backup",
  launchd: "\nTo install it:\n" +
    "  reprise backup service > ~/Library/LaunchAgents/reprise.backup.plist\n" +
    "  launchctl load ~/Library/LaunchAgents/reprise.backup.plist",
};
