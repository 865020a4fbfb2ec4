/** The look of a list, as the address of a page carries it: columns, order, groups and page. */

import { SESSION_ORDERS, type SessionOrder } from "../../../core/store/session_order.ts";

export const COLUMNS = {
  agent: "Agent",
  title: "Title",
  project: "Project",
  branch: "Branch",
  model: "Model",
  messages: "Messages",
  cost: "Cost",
  files: "Files",
  duration: "Duration",
  size: "Size",
  created: "Created",
  updated: "Updated",
} as const;

export type Column = keyof typeof COLUMNS;

const USUAL: readonly Column[] = [
  ...["agent", "title", "project", "model", "messages", "cost"] as const,
  ...["files", "duration", "updated"] as const,
];

export const GROUPS = { day: "Day", project: "Project", none: "Nothing" } as const;

export interface ListView {
  columns: readonly Column[];
  /** The column or order to sort by. Numbers and times begin with the largest. */
  sort: Column | SessionOrder;
  reversed: boolean;
  group: keyof typeof GROUPS;
  /** Number of the page, from 1. */
  page: number;
  /** A message for each ignored value of the address. */
  odd: readonly string[];
}

export function readView(query: URLSearchParams): ListView {
  const odd: string[] = [];
  const take = <Value>(
    name: string,
    usual: Value,
    read: (text: string) => Value | undefined,
    form: string,
  ): Value => {
    const text = query.getAll(name).join(",").slice(0, 200);
    if (text === "") return usual;
    const value = read(text);
    if (value === undefined) odd.push(`Ignored ${name}=${text}: expected ${form}`);
    return value ?? usual;
  };
  const names = Object.keys(COLUMNS).join(", ");
  const orders = [...new Set([...SESSION_ORDERS, ...Object.keys(COLUMNS)])];
  const sort = take(
    "sort",
    "updated",
    (text) => orders.includes(text.replace(/^-/, "")) ? text : undefined,
    orders.join(", "),
  );
  const by = sort.replace(/^-/, "") as ListView["sort"];
  return {
    columns: take("columns", USUAL, readColumns, names),
    sort: by,
    reversed: sort.startsWith("-"),
    group: take(
      "group",
      by === "updated" ? "day" : "none",
      (text) => Object.hasOwn(GROUPS, text) ? text as ListView["group"] : undefined,
      Object.keys(GROUPS).join(", "),
    ),
    page: take(
      "page",
      1,
      (text) => /^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined,
      "a number, 1 or higher",
    ),
    odd,
  };
}

export function shownColumns({ columns, group }: ListView): readonly Column[] {
  return group === "project" ? columns.filter((name) => name !== "project") : columns;
}

function isColumn(text: string): boolean {
  return Object.hasOwn(COLUMNS, text);
}

/** Reads columns in the order of the text. Always includes the title, because it has the link. */
function readColumns(text: string): readonly Column[] | undefined {
  const names = [...new Set(text.split(",").map((name) => name.trim()))];
  if (!names.every(isColumn)) return undefined;
  return (names.includes("title") ? names : ["title", ...names]) as Column[];
}

export function viewParameters(
  { columns, sort, reversed, group, page }: ListView,
): Record<string, string | undefined> {
  const order = `${reversed ? "-" : ""}${sort}`;
  return {
    columns: columns.join() === USUAL.join() ? undefined : columns.join(),
    sort: order === "updated" ? undefined : order,
    group: group === (sort === "updated" ? "day" : "none") ? undefined : group,
    page: page === 1 ? undefined : String(page),
  };
}
