/** Moves sessions beyond limits to the trash: `reprise delete --older-than 30d`. */
import { present } from "../../lib/core/event/present.ts";
import type { SessionError } from "../../lib/core/event/session_error.ts";
import type { PruneReport } from "../../lib/core/store/trash/prune_sessions.ts";
import type { Flags, FlagsOf } from "../_command.ts";
import { type Context, pathOf } from "../_context.ts";
import { CommandExit, STATUS, UsageError } from "../_failure.ts";
import { configuredLimits, contextStore, hasLimit, type Limits } from "../_store.ts";
import { printJson, say } from "../_message.ts";
import { withProgress } from "../../lib/frontends/ui/progress.ts";
import { counted } from "../../lib/core/event/counted.ts";
import { countSessions, printRemovals } from "../_removal_table.ts";
import { parseAge, parseSize } from "../_values.ts";
import { forgetRemoved } from "../_session.ts";

export const LIMIT_FLAGS = {
  "--older-than <time>": {
    help:
      "move sessions to the trash if they were last updated before this time: 12h, 30d, 8w, or a " +
      "date",
    parse: parseAge,
  },
  "--max-size <size>": {
    help:
      "move the oldest sessions to the trash until all sessions together have at most this size: " +
      "500MB, 2GB",
    parse: parseSize,
  },
  "--over-limits": {
    help:
      "move sessions to the trash until the limits in the settings session.retention_days and " +
      "session.max_storage_mb are met",
    conflicts: ["olderThan", "maxSize"],
  },
  "--cwd <dir>":
    "with --older-than, --max-size or --over-limits: move only sessions of this directory to the " +
    "trash",
} as const satisfies Flags;

type LimitFlags = FlagsOf<typeof LIMIT_FLAGS> & { dryRun?: true; json?: true };

function chosenLimits(context: Context, root: string, flags: LimitFlags): Limits {
  const { olderThan, maxSize, overLimits } = flags;
  const given = present({ before: olderThan, max_bytes: maxSize });
  const limits = overLimits ? configuredLimits(context, root) : given;
  if (hasLimit(limits)) return limits;
  throw new UsageError(
    "Cannot delete: the settings have no limit. Set one:\n" +
      "  reprise config set session.retention_days 30\n" +
      "  reprise config set session.max_storage_mb 500",
  );
}

export async function deleteByLimits(context: Context, flags: LimitFlags): Promise<void> {
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
  { dryRun }: LimitFlags,
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
  const { formatBytes } = await import("../../lib/text/render/byte_size.ts");
  const [first] = sessions;
  const moved = await countSessions(sessions.length, bytes);
  const stay = `${formatBytes(kept_bytes)} ${dryRun ? "would be kept" : "kept"}`;
  const over = max_bytes === undefined ? 0 : kept_bytes - max_bytes;
  return [
    ...leftovers.map(({ path, bytes }) =>
      `${dryRun ? "Would remove" : "Removed"} an unfinished session (${
        formatBytes(bytes)
      }): ${path}`
    ),
    first === undefined
      ? `Nothing to move to the trash; ${stay}`
      : `${dryRun ? "Would move" : "Moved"} ${moved}, to the trash; ${stay}`,
    ...(active === 0 ? [] : [
      "These sessions over the limit are kept, because they are being written now: " +
      counted(active, "session"),
    ]),
    ...(over > 0 ? [`The store is still ${formatBytes(over)} over the limit`] : []),
    ...(first === undefined || dryRun ? [] : [
      `Restore: reprise trash restore ${first.session_id.slice(0, 8)}` +
      ". To free the space: reprise trash empty",
    ]),
  ];
}
