/** Sorts and groups the sessions of a list. */
import type { SessionEntry } from "../../../library/query/query.ts";
import { ORDER_VALUES, type OrderValue, sortedBy } from "../../../core/store/session_order.ts";
import { type ListRow, listRows } from "./list_rows.ts";
import type { ListView } from "./list_view.ts";
import type { SiteContext } from "../site_context.ts";

const VALUES: Readonly<Record<ListView["sort"], (row: ListRow) => OrderValue>> = {
  ...ORDER_VALUES,
  agent: ({ agent }) => agent,
  project: ({ cwd }) => cwd,
  branch: ({ git_branch }) => git_branch,
  model: ({ models }) => models?.at(-1),
  files: ({ changes }) => changes && changes.added + changes.removed,
  size: ({ bytes }) => bytes,
};

/** Sorts sessions. `entries` must have the newest update first. */
export async function inOrder(
  entries: readonly SessionEntry[],
  { sort, reversed }: Pick<ListView, "sort" | "reversed">,
  { library: { kept } }: SiteContext,
): Promise<readonly SessionEntry[]> {
  // Times of updates are known without rows.
  if (sort === "updated") return reversed ? entries.toReversed() : entries;
  const rows = await listRows(entries, { kept, changes: sort === "files" });
  return sortedBy(entries, ({ ref }) => {
    const row = rows.get(ref);
    return row && VALUES[sort](row);
  }, reversed);
}

export interface ListGroup {
  /** The day or directory of the group; empty if unknown. */
  key: string;
  /** Number of the group's sessions in the whole list, not only on this page. */
  count: number;
  entries: readonly SessionEntry[];
}

/** Returns a page of sessions in groups. Groups follow the order of their first sessions. */
export function pageInGroups(
  ordered: readonly SessionEntry[],
  { group, page }: Pick<ListView, "group" | "page">,
  { day_of }: Pick<SiteContext, "day_of">,
  rows: number,
): ListGroup[] {
  const keyOf = ({ updated, cwd = "" }: SessionEntry): string => {
    if (group === "project") return cwd;
    return group === "none" || Number.isNaN(updated) ? "" : day_of(updated);
  };
  const groups = Map.groupBy(ordered, keyOf);
  const first = (page - 1) * rows;
  const shown = [...groups.values()].flat().slice(first, first + rows);
  return [...Map.groupBy(shown, keyOf)].map(([key, entries]) => ({
    key,
    entries,
    count: groups.get(key)?.length ?? 0,
  }));
}
