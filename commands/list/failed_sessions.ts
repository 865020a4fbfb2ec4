/** `reprise list --failed-calls`: sessions with failed commands. */
import type { SessionError } from "../../lib/core/event/session_error.ts";
import type { Library } from "../../lib/library/library.ts";
import type { SessionEntry } from "../../lib/library/query/query.ts";
import { loadPrices } from "../../lib/library/counts/usage/load_prices.ts";
import { usageOf } from "../../lib/library/query/usage_of.ts";
import { withProgress } from "../../lib/frontends/ui/progress.ts";
import type { Context } from "../_context.ts";

export async function withFailedCalls(
  context: Context,
  library: Library,
  entries: readonly SessionEntry[],
  onError: (error: SessionError) => void,
): Promise<SessionEntry[]> {
  // The costs are kept for lists, too.
  const { estimate } = await loadPrices({ root: library.root, onError });
  const options = { work: true, kept: library.kept, estimate, onError };
  const used = await withProgress(
    context,
    "Reading sessions",
    (onProgress) => usageOf(entries, { ...options, onProgress }),
  );
  const failing = used.filter(({ work }) => work?.tools.some(([, , , failures]) => failures > 0));
  const refs = new Set(failing.map(({ ref }) => ref));
  return entries.filter(({ ref }) => refs.has(ref));
}
