/** `reprise prune` */
import { present } from "../lib/event/present.ts";
import type { SessionError } from "../lib/event/session_error.ts";
import type { PruneReport } from "../lib/session/trash/prune_sessions.ts";
import { defineCommand, type Flags, type FlagsOf } from "./_command.ts";
import { type Context, pathOf } from "./_context.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { configuredLimits, contextStore, hasLimit, type Limits } from "./_store.ts";
import { printJson, say } from "./_message.ts";
import { withProgress } from "../lib/ui/progress.ts";
import { countSessions, printRemovals } from "./_removal_table.ts";
import { parseAge, parseSize } from "./_values.ts";
import { forgetRemoved } from "./_session.ts";

const NOTES = `
Without a limit, those of the settings apply: session.retention_days and
session.max_storage_mb. The least recently updated sessions go first, archived
ones too; an import or a backup counts as an update. A session that is being
written stays. Files of other agents are never touched. The trash counts for no
limit: it takes up space until \`reprise trash empty\`.

Examples:
  reprise prune --older-than 30d --dry-run
  reprise prune --max-size 500MB
  reprise config set session.retention_days 90 && reprise prune`;

const PRUNE_FLAGS = {
  "--older-than <time>": {
    help: "last updated before: 12h, 30d, 8w, or a date",
    parse: parseAge,
  },
  "--max-size <size>": {
    help: "oldest first, until the store is at most: 500MB, 2GB",
    parse: parseSize,
  },
  "--dry-run": "move nothing, show what would move",
  "--cwd <dir>": { help: "only sessions of a directory", conflicts: ["all"] },
  "-a, --all": "of all directories (the default)",
  "--json": "print the outcome as one object",
} as const satisfies Flags;

type PruneFlags = FlagsOf<typeof PRUNE_FLAGS>;

export const pruneCommand = defineCommand({
  summary: "move old sessions to the trash",
  description: "Move sessions beyond a limit of age or size to the trash.",
  flags: PRUNE_FLAGS,
  notes: NOTES,
  run: prune,
});

/** Returns the limits of the flags, else those of the settings. */
function chosenLimits(context: Context, root: string, flags: PruneFlags): Limits {
  const { olderThan, maxSize } = flags;
  const given = present({ before: olderThan, max_bytes: maxSize });
  const limits = hasLimit(given) ? given : configuredLimits(context, root);
  if (hasLimit(limits)) return limits;
  throw new UsageError(
    "no limit to keep to: give --older-than or --max-size, or set one for good:\n" +
      "  reprise config set session.retention_days 30\n" +
      "  reprise config set session.max_storage_mb 500",
  );
}

async function prune(context: Context, flags: PruneFlags): Promise<void> {
  const store = contextStore(context);
  const limits = chosenLimits(context, store.root, flags);
  const errors: SessionError[] = [];
  const report = await withProgress(
    context,
    "Moving to the trash",
    (onProgress) =>
      store.prune(present({
        ...{ ...limits, cwd: pathOf(context, flags.cwd), dry_run: flags.dryRun ?? false },
        ...{ onError: (error: SessionError) => errors.push(error), onProgress },
      })),
  );
  const moved = flags.dryRun ? [] : report.sessions.map(({ session_id }) => session_id);
  const kept = await forgetRemoved(context, moved);
  for (const { message } of errors) await say(context, `reprise: ${message}`);
  if (flags.json) await printJson(context, { dry_run: flags.dryRun ?? false, ...report });
  else await tell(context, report, limits, flags);
  if (kept !== undefined) await say(context, `reprise: ${kept}`);
  if (errors.length > 0 || kept !== undefined) throw new CommandExit(STATUS.failed);
}

async function tell(
  context: Context,
  report: PruneReport,
  limits: Limits,
  { dryRun }: PruneFlags,
): Promise<void> {
  if (dryRun && report.sessions.length > 0) await printPruned(context, report);
  for (const sentence of await sentences(report, limits, dryRun ?? false)) {
    await say(context, sentence);
  }
}

async function printPruned(context: Context, { sessions }: PruneReport): Promise<void> {
  const rows = sessions.map(({ limit, updated_at, ...row }) => {
    return { ...row, time: updated_at, note: limit };
  });
  await printRemovals(context, rows, { time: "updated", note: "over" });
}

async function sentences(
  { sessions, bytes, kept_bytes, active, leftovers }: PruneReport,
  { max_bytes }: Limits,
  dryRun: boolean,
): Promise<string[]> {
  const { formatBytes } = await import("../lib/render/byte_size.ts");
  const [first] = sessions;
  const moved = await countSessions(sessions.length, bytes);
  const stay = `${formatBytes(kept_bytes)} ${dryRun ? "would stay" : "stay"}`;
  const over = max_bytes === undefined ? 0 : kept_bytes - max_bytes;
  return [
    ...leftovers.map(({ path, bytes }) =>
      `${dryRun ? "Would remove" : "Removed"} what was left of a session that was never finished ` +
      `(${formatBytes(bytes)}): ${path}`
    ),
    first === undefined
      ? `Nothing to move to the trash; ${stay}`
      : `${dryRun ? "Would move" : "Moved"} ${moved}, to the trash; ${stay}`,
    ...(active === 0 ? [] : [`${active} over the limit: being written now, not moved`]),
    ...(over > 0 ? [`Still ${formatBytes(over)} over the limit`] : []),
    ...(first === undefined || dryRun ? [] : [
      `Restore with: reprise trash restore ${first.session_id.slice(0, 8)}` +
      "; free the space with: reprise trash empty",
    ]),
  ];
}
