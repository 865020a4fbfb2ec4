/** `reprise list --failed`: sessions that end with an error, else those with failed commands. */
import type { SessionError } from "../../lib/event/session_error.ts";
import { rowsOf } from "../../lib/library/candidate.ts";
import type { Library } from "../../lib/library/library.ts";
import type { SessionEntry } from "../../lib/library/query.ts";
import { loadPrices } from "../../lib/library/usage/load_prices.ts";
import { usageOf } from "../../lib/library/usage/usage_of.ts";
import { withProgress } from "../../lib/ui/progress.ts";
import type { Context } from "../_context.ts";
import { say } from "../_message.ts";
import type { ListFlags } from "./list_flags.ts";

/** Keeps the sessions with errors, and says of which kind they are. */
export async function failedSessions(
  context: Context,
  library: Library,
  entries: readonly SessionEntry[],
  { failed, json }: Pick<ListFlags, "failed" | "json">,
  onError: (error: SessionError) => void,
): Promise<readonly SessionEntry[]> {
  const rows = failed ? await rowsOf(entries) : [];
  const with_error = rows.filter(({ last_error }) => last_error !== undefined);
  const ended = among(entries, with_error);
  if (ended.length > 0) {
    if (!json) await say(context, "Sessions with failed commands: reprise list --failed-calls");
    return ended;
  }
  // The costs are kept for lists, too.
  const { estimate } = await loadPrices({ root: library.root, onError });
  const options = { work: true, kept: library.kept, estimate, onError };
  const used = await withProgress(
    context,
    "Reading sessions",
    (onProgress) => usageOf(entries, { ...options, onProgress }),
  );
  const failing = used.filter(({ work }) => work?.tools.some(([, , , failures]) => failures > 0));
  const found = among(entries, failing);
  if (failed && found.length > 0) {
    await say(context, "No session ends with an error. Sessions with failed commands:");
  }
  return found;
}

/** Returns the entries of some sessions, in their order. */
function among(
  entries: readonly SessionEntry[],
  sessions: readonly { ref: string }[],
): readonly SessionEntry[] {
  const refs = new Set(sessions.map(({ ref }) => ref));
  return entries.filter(({ ref }) => refs.has(ref));
}
