/**
 * Makes the warnings below a list: about sessions that their agents delete soon, and about a store
 * over its limits.
 */
import { present } from "../../lib/core/event/present.ts";
import { type ExpiringSessions, SOON_DAYS } from "../../lib/library/examined/expiring.ts";
import type { Library } from "../../lib/library/library.ts";
import type { Summary } from "../../lib/core/projection/summary_row.ts";
import { localDay } from "../../lib/text/render/local_time.ts";
import type { Context } from "../_context.ts";
import { say } from "../_message.ts";
import { SessionError } from "../../lib/core/event/session_error.ts";
import type { PruneReport } from "../../lib/core/store/trash/prune_sessions.ts";
import { counted } from "../../lib/core/event/counted.ts";
import { configuredLimits, contextStore, hasLimit, type Limits } from "../_store.ts";

/** Finds the sessions that their agents delete within {@linkcode SOON_DAYS} days. */
export async function findExpiring(
  context: Context,
  library: Library,
  rows: readonly Summary[],
  cwd: string | undefined,
): Promise<ExpiringSessions[]> {
  const { expiringSessions } = await import("../../lib/library/examined/expiring.ts");
  const now = context.now();
  return await expiringSessions(library, rows, present({ now, cwd }));
}

const DAY_MS = 86_400_000;

export function expiryNotes(
  { now }: Context,
  expiring: readonly ExpiringSessions[],
): Map<string, string> {
  const all = expiring.flatMap(({ sessions }) => sessions);
  return new Map(all.map(({ row, due }) => {
    const days = Math.ceil((due.getTime() - now().getTime()) / DAY_MS);
    const when = days <= 0
      ? "when the agent next starts"
      : days === 1
      ? "in 1 day"
      : `in ${days} days`;
    return [row.ref, `deleted ${when}`];
  }));
}

export async function tellExpiry(
  context: Context,
  library: Library,
  expiring: readonly ExpiringSessions[],
  cwd: string | undefined,
): Promise<void> {
  const { home } = library.place.environment;
  for (const one of expiring) {
    const { agent, sessions } = one;
    const [first] = sessions;
    if (first === undefined) continue;
    const all = cwd === undefined ? " --all" : "";
    await say(
      context,
      `reprise: ${agent} will delete ${sessions.length} of these sessions within ` +
        `${SOON_DAYS} days (${sessions.length === 1 ? "" : "the first "}${
          dueText(context, first.due)
        }), ` +
        `because ${await reason(one, home)}. ` +
        `To back them up: reprise backup --agent ${agent}${all}. ` +
        "To back up every session continuously: reprise backup --watch",
    );
  }
}

function dueText({ now }: Context, due: Date): string {
  return due <= now() ? "when the agent next starts" : `on ${localDay(due)}`;
}

async function reason(
  { title, expiry: { setting, path, after_days } }: ExpiringSessions,
  home: string,
): Promise<string> {
  const days = Math.round(after_days * 10) / 10;
  if (setting === undefined) return `${title} keeps sessions for ${days} days`;
  if (path === undefined) return `${setting} is ${days} days by default`;
  const { directoryText } = await import("../../lib/text/render/path_text.ts");
  return `${setting} is ${days} days in ${directoryText(path, home)}`;
}

/** Describes the store's excess over its limits. Undefined without an excess or after an error. */
export async function limitNote(context: Context): Promise<string | undefined> {
  const store = contextStore(context);
  try {
    const limits = configuredLimits(context, store.root);
    if (!hasLimit(limits)) return undefined;
    if (!await store.mayExceed(limits)) return undefined;
    return await describe(await store.prune({ ...limits, dry_run: true }), limits);
  } catch (error) {
    // Other commands report unusable settings or stores; a list ignores them.
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}

async function describe(report: PruneReport, { max_bytes }: Limits): Promise<string | undefined> {
  const { sessions, bytes, kept_bytes } = report;
  const { formatBytes } = await import("../../lib/text/render/byte_size.ts");
  const total = bytes + kept_bytes;
  const old = sessions.filter(({ limit }) => limit === "age").length;
  const passed = [
    ...(max_bytes === undefined || total <= max_bytes ? [] : [
      `the sessions take up ${formatBytes(total)}, ${formatBytes(total - max_bytes)} over the ` +
      "limit session.max_storage_mb",
    ]),
    ...(old === 0 ? [] : [`${counted(old, "session")} older than session.retention_days`]),
  ].join("; ");
  if (passed === "") return undefined;
  const would = `\`reprise delete --over-limits\` would move ${
    counted(sessions.length, "session")
  }`;
  return `${passed.slice(0, 1).toUpperCase()}${passed.slice(1)}; ${would}`;
}
