/** `reprise delete` */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { defineCommand } from "./_command.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import { printJson, say } from "./_message.ts";
import { findInStore, forgetRemoved } from "./_session.ts";
import { contextStore } from "./_store.ts";
import { deleteByLimits, LIMIT_FLAGS } from "./delete/by_limits.ts";

export const deleteCommand = defineCommand({
  description:
    "Move sessions to the trash. Name the sessions, or set a limit with --older-than, --max-size " +
    "or --over-limits. Only `reprise trash empty` deletes sessions for good.",
  arguments: [["[refs...]", "the sessions' ids"]],
  flags: {
    ...LIMIT_FLAGS,
    "--dry-run": "move nothing; show what would be moved",
    "--json": "print each moved session as one line of JSON; with --older-than, --max-size or " +
      "--over-limits, print one JSON object",
  },
  notes: `
A session's age is measured from its last update. An import or a backup is also
an update. The oldest sessions are moved to the trash first, even if they are
archived. Pinned sessions, sessions that are being written, and files of other
agents are never moved.
`,
  examples: [
    "reprise delete 3f2a",
    "reprise trash restore 3f2a",
    "reprise delete --older-than 30d --dry-run",
    "reprise delete --max-size 500MB",
    "reprise config set session.retention_days 90 && reprise delete --over-limits",
  ],
  run: async (context, refs, flags) => {
    const { olderThan, maxSize, overLimits, cwd, dryRun = false, json = false } = flags;
    const limited = olderThan !== undefined || maxSize !== undefined || overLimits === true;
    if (limited === refs.length > 0 || !limited && cwd !== undefined) {
      throw new UsageError(
        "Cannot delete: no session is named. Name sessions (reprise delete 3f2a), or give " +
          "--older-than, --max-size or --over-limits",
      );
    }
    if (limited) await deleteByLimits(context, flags);
    else await remove(context, refs, { dryRun, json });
  },
});

async function remove(
  context: Context,
  refs: readonly string[],
  { dryRun, json }: { dryRun: boolean; json: boolean },
): Promise<void> {
  const store = contextStore(context);
  // All are looked up first, so that a wrong one deletes nothing.
  const folders = await Promise.all(refs.map((ref) => findInStore(context, ref)));
  const ids = [...new Set(folders.map(({ session_id }) => session_id))];
  let kept: string | undefined;
  for (const id of ids) {
    if (dryRun) {
      if (json) await printJson(context, { dry_run: true, session_id: id });
      else await say(context, `Would move ${id.slice(0, 8)} to the trash`);
      continue;
    }
    const tombstone = await store.remove(id);
    kept = await forgetRemoved(context, [id]) ?? kept;
    if (json) await printJson(context, tombstone);
    else await say(context, `Moved ${id.slice(0, 8)} to ${tombstone.to}`);
  }
  if (!json && !dryRun) {
    await tellShared(context, ids);
    const names = ids.map((id) => id.slice(0, 8)).join(" ");
    await say(context, `Restore: reprise trash restore ${names}`);
  }
  if (kept === undefined) return;
  await say(context, `reprise: ${kept}`);
  throw new CommandExit(STATUS.failed);
}

async function tellShared(context: Context, ids: readonly string[]): Promise<void> {
  const { root } = contextStore(context);
  if (!existsSync(join(root, "sync"))) return;
  const { sharedIn } = await import("../lib/features/team/state/sync_state.ts");
  const shared = ids.filter((id) => sharedIn(root, id).length > 0).map((id) => id.slice(0, 8));
  if (shared.length === 0) return;
  const names = shared.join(" ");
  await say(
    context,
    `The team's store still has a copy. To delete this copy: reprise sync withdraw ${names}`,
  );
}
