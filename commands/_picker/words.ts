/**
 * What the picker says: where it looks, what the keys do, and what to do where nothing is found.
 */
import { isOfDirectory, nextScope, type PickerScope, type PickerState } from "./state.ts";

/** In the order in which Tab takes them. */
export const SCOPES: readonly PickerScope[] = ["directory", "all", "agents", "all-agents"];

const NAMES: Readonly<Record<PickerScope, string>> = {
  directory: "this directory",
  all: "all directories",
  agents: "this directory, all agents",
  "all-agents": "all directories, all agents",
};

/** Where it looks, and how much is there. */
export function whereOf({ scope, read, shown, query }: PickerState): string {
  const found = read.get(scope);
  if (found === undefined) return `${NAMES[scope]} · reading`;
  const all = found.rows.length;
  const count = query === "" ? `${all}` : `${shown.length} of ${all}`;
  return [NAMES[scope], count, ...(found.unread === 0 ? [] : [`${found.unread} not readable`])]
    .join(" · ");
}

/** What the keys do, the most important first. */
export function keysOf(state: PickerState, action: string): string[] {
  return [
    `Enter ${action}`,
    `Tab ${NAMES[nextScope(state)]}`,
    "Esc cancel",
    "type to filter",
    "↑↓ PgUp PgDn",
  ];
}

/** What to say where there is no session to show. */
export function noticeOf(state: PickerState): string[] {
  const { scope, read, query } = state;
  const found = read.get(scope);
  if (found === undefined) return ["Reading sessions…"];
  const elsewhere = `Tab: ${NAMES[nextScope(state)]}`;
  if (found.failure !== undefined) return [found.failure, elsewhere];
  if (query !== "") return [`No session fits "${query}"`, "Ctrl+U: all of them", elsewhere];
  return [
    isOfDirectory(scope) ? "No sessions of this directory yet" : "No sessions yet",
    elsewhere,
    "Make one: reprise chat; or pipe an agent's events into `reprise record`",
  ];
}
