/** `reprise backup` */
import { present } from "../lib/core/event/present.ts";
import type { RestoredBackup } from "../lib/features/backup/restore_session.ts";
import type { ServiceManager } from "../lib/features/setup/service_unit.ts";
import { counted } from "../lib/core/event/counted.ts";
import { defineCommand } from "./_command.ts";
import { type Context, pathOf } from "./_context.ts";
import { AGENTS_LINE, otherAgents } from "./_scope_flags.ts";
import { UsageError } from "./_failure.ts";
import { printExact, printJson, say } from "./_message.ts";
import { parseCount, parseSince } from "./_values.ts";
import { BACKUP_SERVICE, ownManager, serviceText } from "./_service.ts";
import { contextLibrary } from "./_library.ts";
import { contextStore } from "./_store.ts";
import { backUpChosen } from "./backup/back_up.ts";
import { listBackupsCommand } from "./backup/list.ts";
import { pruneBackupsCommand } from "./backup/prune.ts";

export const backupCommand = defineCommand({
  description:
    "Back up a session of another agent, or an agent's sessions in this directory. Each session " +
    "is imported. Its original files are copied next to the imported log. Then the log and the " +
    "copies are compared with the original. Unchanged sessions are skipped. When a session has " +
    "grown, it is backed up again, and the older backup is archived (hidden in lists). An older " +
    "backup that has more records than the new one is not archived.\n\n" +
    "With --watch, run until ^C. Within two seconds of each change of a session, copy\n" +
    "its files byte for byte. The backup keeps everything that the agent deletes,\n" +
    "rewrites or shortens later. A session in a database is imported instead, once\n" +
    "the database stops changing.",
  arguments: [["[ref]", "the session, such as claude:3f2a, or the path of its file or database"]],
  flags: {
    "--agent <name>": {
      help: "back up the sessions of this agent; `all` means every agent",
      get choices(): readonly string[] {
        return otherAgents();
      },
      see: AGENTS_LINE,
    },
    "-a, --all": "with --agent: include the sessions of all projects",
    "--since <time>": {
      help: "with --agent: only sessions updated since this time: 7d, 2026-11-21",
      parse: parseSince,
    },
    "--watch":
      "back up all sessions while they grow, until ^C; with --agent, only the sessions of this " +
      "agent",
    "--dry-run": "only show what would be backed up",
    "--json": "print the result for each session as one line of JSON",
  },
  commands: {
    list: listBackupsCommand,
    restore: defineCommand({
      summary: "restore a session from its backup",
      description:
        "Restore a session from the backup that --watch made: put the files back in their " +
        "original place, so that the agent can resume the session. Existing files are never " +
        "replaced.",
      arguments: [["<ref>", "the session, such as claude:3f2a"]],
      flags: {
        "--generation <number>": {
          help: "restore an earlier version of the backup (see: reprise backup list)",
          parse: parseCount,
        },
        "-o, --out <path>":
          "write to this file instead; if the session has several files, write to this folder",
        "--dry-run": "only show what would be restored",
        "--json": "print the result as one JSON object",
      },
      examples: [
        "reprise backup restore claude:3f2a",
        "reprise backup restore codex:019a --generation 1 --out before.jsonl",
      ],
      run: async (context, ref, flags) => {
        const { generation, out, dryRun: dry = false } = flags;
        const { restoreSession } = await import("../lib/features/backup/restore_session.ts");
        const { environment } = contextLibrary(context).place;
        const restored = await restoreSession(
          contextStore(context).root,
          ref,
          present({ dry, generation, out: pathOf(context, out), environment }),
        );
        if (flags.json) return await printJson(context, restored);
        for (const path of restored.files) await printExact(context, path);
        await say(context, await outcomeOf(restored));
        if (!dry && out === undefined) {
          await say(context, `To continue the session: reprise resume ${restored.ref}`);
        }
      },
    }),
    prune: pruneBackupsCommand,
    service: defineCommand({
      summary: "print a service file that runs `backup --watch` at each login",
      description: "Print a service file for systemd, launchd on macOS, or Task Scheduler on\n" +
        "Windows, that backs up sessions while you are logged in. Nothing is installed.\n" +
        "The commands that install the service are printed, too.",
      flags: {
        "--systemd": "for systemd",
        "--launchd": "for launchd",
        "--schtasks": "for Windows' Task Scheduler",
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
    if (ref !== undefined) {
      throw new UsageError("--watch backs up all sessions; leave out REF");
    }
    if (flags.all || flags.since !== undefined || flags.dryRun) {
      throw new UsageError("--all, --since and --dry-run cannot be used with --watch");
    }
    const { watchAll } = await import("./backup/watch.ts");
    await watchAll(context, flags);
  },
});

async function outcomeOf(
  { ref, generation, files, left, bytes, dry }: RestoredBackup,
): Promise<string> {
  const { formatBytes } = await import("../lib/text/render/byte_size.ts");
  const verb = dry ? "Would restore" : "Restored";
  const what = `${counted(files.length, "file")}, ${formatBytes(bytes)}`;
  const there = left.length === 0 ? "" : `; already there, unchanged: ${left.join(", ")}`;
  return `${verb} ${ref}, generation ${generation}: ${what}${there}`;
}

async function printService(
  context: Context,
  flags: Partial<Record<ServiceManager, true>>,
): Promise<void> {
  const [manager = ownManager(), other] = MANAGERS.filter((name) => flags[name]);
  if (other !== undefined) {
    throw new UsageError("Give only one of --systemd, --launchd and --schtasks");
  }
  context.stdout.write(await serviceText(context, BACKUP_SERVICE, manager));
  if (context.stdout.terminal) await say(context, ADVICE[manager]);
}

const MANAGERS = ["systemd", "launchd", "schtasks"] as const;

const ADVICE: Readonly<Record<ServiceManager, string>> = {
  systemd: "\nTo install it:\n" +
    "  mkdir -p ~/.config/systemd/user\n" +
    "  reprise backup service > ~/.config/systemd/user/reprise-backup.service\n" +
    "  systemctl --user enable --now reprise-backup",
  launchd: "\nTo install it:\n" +
    "  reprise backup service > ~/Library/LaunchAgents/reprise.backup.plist\n" +
    "  launchctl bootstrap gui/$(id -u) ~/Library/LaunchAgents/reprise.backup.plist",
  schtasks: "\nTo install it:\n" +
    "  reprise backup service > reprise-backup.xml\n" +
    "  schtasks /Create /TN reprise-backup /XML reprise-backup.xml",
};
