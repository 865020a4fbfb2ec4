/** Searches sessions, and reports errors in the query to the user. */
import { counted } from "../../lib/core/event/counted.ts";
import type { Library } from "../../lib/library/library.ts";
import type { SessionEntry } from "../../lib/library/query/query.ts";
import type { SearchRequest } from "../../lib/library/search/search_task.ts";
import type { TieredRequest, TieredResult } from "../../lib/library/search/tiers.ts";
import { withProgress } from "../../lib/frontends/ui/progress.ts";
import type { Context } from "../_context.ts";
import { CommandExit, STATUS, UsageError } from "../_failure.ts";
import { say } from "../_message.ts";

export async function refuseBadQuery(request: Pick<SearchRequest, "query">): Promise<void> {
  const { assertQuery } = await import("../../lib/library/search/search.ts");
  try {
    assertQuery(request);
  } catch (error) {
    throw badQuery(request, error);
  }
}

function badQuery({ query }: Pick<SearchRequest, "query">, error: unknown): unknown {
  if (!(error instanceof SyntaxError)) return error;
  return new UsageError(`Cannot search for "${query}": ${error.message}`);
}

export async function findHits(
  context: Context,
  library: Library,
  entries: readonly SessionEntry[],
  request: TieredRequest,
): Promise<TieredResult> {
  const { searchTiers } = await import("../../lib/library/search/tiers.ts");
  let all = 0;
  try {
    return await withProgress(context, "Searching", (show) =>
      searchTiers(entries, request, {
        ...{ cache: library.cache, kept: library.kept, marks: library.marks },
        onScan: (bytes) => all = bytes,
        onProgress: (done) => show(done, all),
      }));
  } catch (error) {
    // The runtime compiles an expression when it is first used, and may find it too large.
    throw badQuery(request, error);
  }
}

/** Throws if time ran out, after a message that says how many sessions were searched. */
export async function tellLate(
  context: Context,
  results: ReadonlySet<TieredResult>,
  all: number,
): Promise<void> {
  const [result] = results;
  if (result === undefined) return;
  const searched = `${result.searched_in_time ?? 0} of ${counted(all, "session")} searched`;
  await say(
    context,
    `Stopped after 30 s: ${searched}. Simplify the expression, or search fewer sessions`,
  );
  throw new CommandExit(STATUS.failed);
}
