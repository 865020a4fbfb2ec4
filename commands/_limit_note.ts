/** Warns below a list when the store is over a limit of the settings. */
import { SessionError } from "../lib/event/session_error.ts";
import type { PruneReport } from "../lib/session/trash/prune_sessions.ts";
import type { Context } from "./_context.ts";
import { counted } from "../lib/render/counted.ts";
import { contextStore } from "./_store.ts";
import { configuredLimits, hasLimit, type Limits } from "./_limits.ts";

/** The sentence; undefined where no limit is set or passed. */
export async function limitNote(context: Context): Promise<string | undefined> {
  const store = contextStore(context);
  try {
    const limits = configuredLimits(context, store.root);
    if (!hasLimit(limits)) return undefined;
    if (!await store.mayExceed(limits)) return undefined;
    return await describe(await store.prune({ ...limits, dry_run: true }), limits);
  } catch (error) {
    // Settings or a store that cannot be used: `config`, `doctor` and `prune` tell; a list goes on.
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}

async function describe(report: PruneReport, { max_bytes }: Limits): Promise<string | undefined> {
  const { sessions, bytes, kept_bytes } = report;
  const { formatBytes } = await import("../lib/render/byte_size.ts");
  const total = bytes + kept_bytes;
  const old = sessions.filter(({ limit }) => limit === "age").length;
  const passed = [
    ...(max_bytes === undefined || total <= max_bytes ? [] : [
      `the store holds ${formatBytes(total)}, ${formatBytes(total - max_bytes)} over ` +
      "session.max_storage_mb",
    ]),
    ...(old === 0 ? [] : [`${counted(old, "session")} older than session.retention_days`]),
  ].join("; ");
  if (passed === "") return undefined;
  const would = `\`reprise prune\` would move ${counted(sessions.length, "session")} to the trash`;
  return `${passed.slice(0, 1).toUpperCase()}${passed.slice(1)}; ${would}`;
}
