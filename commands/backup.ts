/** `reprise backup` */
import { present } from "../lib/event/present.ts";
import type { RestoredBackup } from "../lib/backup/restore_session.ts";
import type { ServiceManager } from "../lib/setup/service_unit.ts";
import { operatingSystem } from "../lib/platform/runtime.ts";
import { counted } from "../lib/render/counted.ts";
import { defineCommand } from "./_command.ts";
import { type Context, pathOf } from "./_context.ts";
import { OTHER_AGENTS } from "./_scope_flags.ts";
import { UsageError } from "./_failure.ts";
import { printExact, printJson, say } from "./_message.ts";
import { parseCount, parseSince } from "./_values.ts";
import { BACKUP_SERVICE, serviceText } from "./_service.ts";
import { contextStore } from "./_store.ts";
import { backUpChosen } from "./backup/back_up.ts";
import { listBackupsCommand } from "./backup/list.ts";
import { pruneBackupsCommand } from "./backup/prune.ts";

export const backupCommand = defineCommand({
  summary: "back up other agents' sessions before the agents delete them",
  description: "Back up a session of another agent, or all of an agent's in this directory:\n" +
    "import it, copy its files byte for byte beside the log, and check both against\n" +
    "what was read. Unchanged sessions are skipped. A session that has grown is\n" +
    "backed up again, and the older backup is archived, unless it holds more.\n\n" +
    "With --watch, keep every session as it grows, until ^C: its files byte for byte,\n" +
    "within two seconds. What an agent deletes stays; what it rewrites or cuts short\n" +
    "is kept beside what was there before. Sessions in databases are backed up as\n" +
    "above, once their database is quiet.",
  arguments: [["[ref]", "which session, as claude:3f2a, or the path of its file or database"]],
  flags: {
    "--agent <name>": { help: "all sessions of an agent, or of all", choices: OTHER_AGENTS },
    "-a, --all": "with --agent: in all directories",
    "--since <time>": {
      help: "with --agent: updated since, such as 7d or 2026-11-21",
      parse: parseSince,
    },
    "--watch": "keep all sessions as they grow; with --agent: those of one agent",
    "--dry-run": "only show what would be backed up",
    "--json": "one outcome a line, for each session",
  },
  commands: {
    list: listBackupsCommand,
    restore: defineCommand({
      summary: "put a kept session back where its agent had it",
      description:
        "Put a session that --watch has kept back where its agent had it, with its mode and\n" +
        "time, so that the agent can resume it. A file that is there is never touched.",
      arguments: [["<ref>", "which session, as claude:3f2a"]],
      flags: {
        "--generation <number>": {
          help: "an earlier one; see: reprise backup list",
          parse: parseCount,
        },
        "-o, --out <path>": "to this file instead; of a session with several files, to this folder",
        "--dry-run": "only show what would be put back",
        "--json": "the outcome as an object",
      },
      examples: [
        "reprise backup restore claude:3f2a",
        "reprise backup restore codex:019a --generation 1 --out before.jsonl",
      ],
      run: async (context, ref, flags) => {
        const { generation, out, dryRun: dry = false } = flags;
        const { restoreSession } = await import("../lib/backup/restore_session.ts");
        const restored = await restoreSession(
          contextStore(context).root,
          ref,
          present({ dry, generation, out: pathOf(context, out) }),
        );
        if (flags.json) return await printJson(context, restored);
        for (const path of restored.files) await printExact(context, path);
        await say(context, await outcomeOf(restored));
        if (!dry && out === undefined) {
          await say(context, `Continue it: reprise resume ${restored.ref}`);
        }
      },
    }),
    prune: pruneBackupsCommand,
    service: defineCommand({
      summary: "print a service that runs --watch from your login on",
      description:
        "Print a service that keeps sessions from your login on: a unit for systemd, or a\n" +
        "list for launchd on macOS. Nothing is installed; the lines to do so follow.",
      flags: {
        "--systemd": "for systemd",
        "--launchd": "for launchd",
      },
      examples: [
        "reprise backup service > ~/.config/systemd/user/reprise-backup.service",
        "reprise backup service --launchd > ~/Library/LaunchAgents/reprise.backup.plist",
      ],
      run: printService,
    }),
  },
  examples: [
    "reprise backup claude:3f2a",
    "reprise backup --agent claude --all --dry-run",
    "reprise backup --agent all --all --since 30d",
    "reprise backup --watch",
    "reprise backup list",
    "reprise backup restore claude:3f2a",
    "reprise backup prune --keep 3",
  ],
  run: async (context, ref, { watch, ...flags }) => {
    if (!watch) return await backUpChosen(context, ref, flags);
    if (ref !== undefined) throw new UsageError("--watch keeps all sessions: give no session");
    if (flags.all || flags.since !== undefined || flags.dryRun) {
      throw new UsageError("--all, --since and --dry-run do not go with --watch");
    }
    const { watchAll } = await import("./backup/watch.ts");
    await watchAll(context, flags);
  },
});

async function outcomeOf(
  { ref, generation, files, left, bytes, dry }: RestoredBackup,
): Promise<string> {
  const { formatBytes } = await import("../lib/render/byte_size.ts");
  const verb = dry ? "Would restore" : "Restored";
  const what = `${counted(files.length, "file")}, ${formatBytes(bytes)}`;
  const there = left.length === 0 ? "" : `; there already, and as they were: ${left.join(", ")}`;
  return `${verb} ${ref}, generation ${generation}: ${what}${there}`;
}

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
  context.stdout.write(await serviceText(context, BACKUP_SERVICE, manager));
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
