/** Says what a search left out. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { counted } from "../../lib/core/event/counted.ts";
import type { Library } from "../../lib/library/library.ts";
import type { TieredResult } from "../../lib/library/search/tiers.ts";
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

/** Says how many sessions of the team's store were not searched, as known from the last pull. */
export async function tellUnsearched(
  context: Context,
  { root }: Library,
  { json, count }: SearchFlags,
): Promise<void> {
  if (json || count || !existsSync(join(root, "sync.json"))) return;
  const { unsearchedSessions } = await import("../../lib/features/team/unsearched_sessions.ts");
  const { sessions, is_all } = unsearchedSessions(root);
  if (is_all && sessions === 0) return;
  const number = `${is_all ? "" : "at least "}${counted(sessions, "shared session")}`;
  const what = sessions === 0 ? "shared sessions that have not been pulled yet" : number;
  await say(context, `Not searched: ${what}. To pull these sessions: reprise sync pull --all`);
}
