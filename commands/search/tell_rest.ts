/** Reports how many hits or sessions a search did not show. */
import type { TieredResult } from "../../lib/library/search/tiers.ts";
import type { Context } from "../_context.ts";
import { say } from "../_message.ts";
import type { SearchFlags } from "./search_flags.ts";

export async function tellRest(
  context: Context,
  { hits, total, possible }: TieredResult,
  { limit, sessions }: SearchFlags,
): Promise<void> {
  if (sessions) {
    const more = hits.length - limit;
    if (more > 0) await say(context, `More sessions: ${more}. To see them: -n COUNT`);
  } else if (possible > total) {
    await say(
      context,
      `At least this many hits: ${total}. To count all hits: --count. To see more: -n COUNT`,
    );
  } else if (total > hits.length) {
    const more = total - hits.length;
    await say(
      context,
      `More hits: ${more}. To see them: -n COUNT. To narrow the search: reprise search --help`,
    );
  }
}
