/** Moves sessions over the configured limits to the trash, if `session.auto_prune` is on. */
import { SessionError } from "../lib/core/event/session_error.ts";
import type { LocalStore } from "../lib/core/store/local_store.ts";
import { isAnnounced, noteAnnounced } from "../lib/core/workspace/announced_limits.ts";
import { readConfig } from "../lib/core/workspace/config_file.ts";
import { counted } from "../lib/core/event/counted.ts";
import type { Context } from "./_context.ts";
import { say } from "./_message.ts";
import { configuredLimits, hasLimit } from "./_store.ts";

/**
 * Prints a `SessionError` instead of throwing it. For new limits, the first call only announces how
 * many sessions will move.
 */
export async function autoPrune(context: Context, store: LocalStore): Promise<void> {
  try {
    await prune(context, store);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    await say(context, `reprise: ${error.message}`);
  }
}

async function prune(context: Context, store: LocalStore): Promise<void> {
  const { root } = store;
  const config = readConfig(root);
  const limits = configuredLimits(context, root);
  if (!config["session.auto_prune"] || !hasLimit(limits) || !await store.mayExceed(limits)) return;
  const { "session.retention_days": days, "session.max_storage_mb": megabytes } = config;
  const announced = { days, megabytes };
  const is_known = isAnnounced(root, announced);
  const { sessions } = await store.prune({ ...limits, dry_run: !is_known });
  if (sessions.length === 0) return;
  const many = counted(sessions.length, "session");
  if (is_known) {
    return await say(
      context,
      `Moved ${many} to the trash, because of the limits on age or size (setting ` +
        "session.auto_prune). To see the trash: reprise trash list",
    );
  }
  noteAnnounced(root, announced);
  await say(
    context,
    `Sessions over the limits on age or size: ${many}. They move to the trash when the next ` +
      "session begins (setting session.auto_prune). To see them: reprise delete --over-limits " +
      "--dry-run",
  );
}
