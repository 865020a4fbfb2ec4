/** `reprise list --file`: sessions whose tool calls name a deleted file. */
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Library } from "../../lib/library/library.ts";
import type { SessionEntry } from "../../lib/library/query/query.ts";
import type { Context } from "../_context.ts";
import { say } from "../_message.ts";

/** Finds sessions whose tool calls, such as `rm app.ts`, name `file`. Returns none if it exists. */
export async function withNamingCalls(
  context: Context,
  { cache, kept, marks }: Library,
  entries: readonly SessionEntry[],
  file: string,
): Promise<SessionEntry[]> {
  const name = basename(file).replaceAll('"', "");
  // A file that exists was not deleted.
  if (name === "" || existsSync(resolve(context.cwd, file))) return [];
  const { searchTiers } = await import("../../lib/library/search/tiers.ts");
  const { hits } = await searchTiers(entries, {
    ...{ query: `"${name}"`, roles: ["tool"], tiers: ["message"], now: context.now().getTime() },
    ...{ limit: Infinity, by_session: true, count_all: true },
  }, { cache, kept, marks });
  const refs = new Set(hits.map(({ ref }) => ref));
  if (refs.size > 0) {
    await say(context, "No session changed this file. Sessions whose tool calls name the file:");
  }
  return entries.filter(({ ref }) => refs.has(ref));
}
