/** Searches a team's store: `reprise search --remote`. Nothing is downloaded. */
import { counted } from "../../lib/core/event/counted.ts";
import type { Context } from "../_context.ts";
import { printJsonLines, say } from "../_message.ts";
import { printShared } from "../list/remote.ts";
import { knownIdentities, neededSettings, withTeamStore } from "../sync/connection.ts";

interface RemoteSearchFlags {
  limit: number;
  json?: boolean;
}

/**
 * Searches all that the member may read. A word is found by its beginning. Returns false if nothing
 * was found.
 */
export async function searchRemote(
  context: Context,
  text: string,
  { limit, json = false }: RemoteSearchFlags,
): Promise<boolean> {
  const settings = await neededSettings(context, "search shared sessions");
  const { remoteQuery } = await import("../../lib/library/search/said_text.ts");
  const { MAX_OPENED, searchShared } = await import("../../lib/features/team/store_search.ts");
  const identities = await knownIdentities(context, settings);
  const { rows, closed } = await withTeamStore(context, settings, async (store) => {
    const greeting = await store.hello(settings.device);
    return await searchShared(store, greeting, { ...remoteQuery(text), limit, identities });
  });
  if (json) await printJsonLines(context, rows);
  else if (rows.length === 0) await say(context, `No shared session mentions: ${text}`);
  else await printShared(context, rows, true);
  if (rows.length === limit) {
    await say(context, `Showing the newest ${limit}. To see more: -n COUNT`);
  }
  if (closed > 0) {
    await say(
      context,
      `${counted(closed, "encrypted session")} not searched. Either you have no private ` +
        `key for them (give --identity FILE), or the limit of ${MAX_OPENED} per search was reached`,
    );
  }
  return rows.length > 0;
}
