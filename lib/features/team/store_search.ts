/** Searches what a store holds, without downloading sessions. */
import { openedRow, type SharedRow, sharedRowOf, type Summarized } from "./remote_rows.ts";
import type { StoreGreeting, TeamStore } from "./team_store.ts";

export interface SharedHits {
  rows: SharedRow[];
  /** Sealed sessions that were not searched: too old, or no identity at hand opens them. */
  closed: number;
}

export interface SharedSearch {
  /** The query in the store's language. `matches` applies the same query to texts. */
  words: string;
  matches(texts: readonly string[]): boolean;
  limit: number;
  identities: readonly string[];
}

/** The most sealed sessions whose rows are opened, newest first. Opening one takes milliseconds. */
export const MAX_OPENED = 1000;

/**
 * Searches sessions. A store that searches by itself looks through summaries and redacted copies, by
 * beginnings of words. Of all others, and of sealed sessions, the summaries are read here.
 */
export async function searchShared(
  store: TeamStore,
  greeting: StoreGreeting,
  { words, matches, limit, identities }: SharedSearch,
): Promise<SharedHits> {
  const found = await store.find?.(words, limit) ?? [];
  const read = store.find === undefined
    ? await store.summaries()
    : (await store.summaries({ limit: MAX_OPENED })).filter(({ form }) => form === "sealed");
  let [opened, closed] = [0, 0];
  const matching: Summarized[] = [];
  for (const branch of read) {
    const is_sealed = branch.form === "sealed";
    const row = is_sealed && ++opened > MAX_OPENED
      ? undefined
      : await openedRow(branch, greeting.id, identities);
    if (row === undefined) closed += is_sealed ? 1 : 0;
    else if (matches(textsOf(row))) matching.push(branch);
  }
  const all = [...found, ...matching].sort((one, other) =>
    one.changed_at < other.changed_at ? 1 : -1
  );
  const rows = all.slice(0, limit).map((branch) => sharedRowOf(branch, greeting, identities));
  return { rows: await Promise.all(rows), closed };
}

function textsOf(row: Readonly<Record<string, unknown>>): string[] {
  return [row.title, row.first_user_message, row.last_user_message]
    .filter((text) => typeof text === "string");
}
