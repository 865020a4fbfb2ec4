/** Sorts and groups the sessions of a list. */
import type { SessionEntry } from "../../library/query.ts";
import type { Summary } from "../../projection/summary_row.ts";
import { type ListRow, listRows } from "./list_rows.ts";
import type { Column, ListView } from "./list_view.ts";
import type { SiteContext } from "../site_context.ts";

/** Returns the value by which a column sorts: numbers and times the largest first, texts by letters. */
const VALUES: Readonly<Record<Column, (row: ListRow) => number | string | undefined>> = {
  agent: ({ agent }) => agent,
  title: ({ title }) => title.toLowerCase(),
  project: ({ cwd }) => cwd,
  branch: ({ git_branch }) => git_branch,
  model: ({ models }) => models?.at(-1),
  messages: ({ message_count }) => message_count,
  cost: ({ cost_usd }) => cost_usd,
  files: ({ changes }) => changes && changes.added + changes.removed,
  duration: durationOf,
  size: ({ bytes }) => bytes,
  created: ({ created_at = "" }) => Date.parse(created_at),
  updated: ({ updated_at = "" }) => Date.parse(updated_at),
};

/** Returns the milliseconds from a session's start to its last update; undefined if unknown. */
export function durationOf({ created_at = "", updated_at = "" }: Summary): number | undefined {
  const duration = Date.parse(updated_at) - Date.parse(created_at);
  return duration >= 0 ? duration : undefined;
}

/** Sorts sessions. @param entries The newest update first. */
export async function inOrder(
  entries: readonly SessionEntry[],
  { sort, reversed }: Pick<ListView, "sort" | "reversed">,
  { library: { kept } }: SiteContext,
): Promise<readonly SessionEntry[]> {
  // Times of updates are known without rows.
  if (sort === "updated") return reversed ? entries.toReversed() : entries;
  const rows = await listRows(entries, { kept, changes: sort === "files" });
  const value = VALUES[sort];
  const values = new Map(entries.map((entry) => {
    const row = rows.get(entry.ref);
    return [entry, row && value(row)];
  }));
  const direction = reversed ? -1 : 1;
  return entries.toSorted((one, other) => compare(values.get(one), values.get(other), direction));
}

type Value = number | string | undefined;

/** Compares values; an unknown one is last in either direction. */
function compare(one: Value, other: Value, direction: number): number {
  const [lacks, lacked] = [isUnknown(one), isUnknown(other)];
  if (lacks || lacked) return Number(lacks) - Number(lacked);
  if (typeof one === "number" && typeof other === "number") return (other - one) * direction;
  return one === other ? 0 : (String(one) < String(other) ? -1 : 1) * direction;
}

function isUnknown(value: Value): boolean {
  return value === undefined || Number.isNaN(value);
}

/** Sessions below one heading. */
export interface ListGroup {
  /** The day or the directory; empty if unknown. */
  key: string;
  /** Number of its sessions in the whole list. */
  count: number;
  entries: readonly SessionEntry[];
}

/** Returns a page of sessions in their groups. Groups come in the order of their first sessions. */
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
