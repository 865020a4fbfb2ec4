import { counted } from "../../lib/event/counted.ts";
import type { TieredResult } from "../../lib/search/tiers.ts";
import type { Context } from "../_context.ts";
import { say } from "../_message.ts";
import type { SearchFlags } from "./search_flags.ts";

/** Says how many hits or sessions were not shown. */
export async function tellRest(
  context: Context,
  { hits, total, possible }: TieredResult,
  { limit, sessions }: SearchFlags,
): Promise<void> {
  if (sessions) {
    const more = hits.length - limit;
    if (more > 0) await say(context, `${counted(more, "more session")}; to see more: -n`);
  } else if (possible > total) {
    await say(context, `at least ${total}; to count all: --count; to see more: -n`);
  } else if (total > hits.length) {
    const more = total - hits.length;
    await say(
      context,
      `${more} more; to see more: -n, or narrow the search: reprise search --help`,
    );
  }
}
