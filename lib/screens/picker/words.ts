/** The picker's texts: its scope, its keys, and advice when nothing is found. */
import { nextScope, type PickerScope, type PickerState } from "./state.ts";

/** In the order in which Tab takes them. */
export const SCOPES: readonly PickerScope[] = ["project", "all"];

const NAMES: Readonly<Record<PickerScope, string>> = {
  project: "this project",
  all: "all directories",
};

/** Where it looks, and how much is there. */
export function whereOf({ scope, read, shown, query, said }: PickerState): string {
  const found = read.get(scope);
  if (found === undefined) return `${NAMES[scope]} · reading`;
  const all = found.rows.length;
  const count = query === "" ? `${all}` : `${shown.length} of ${all}`;
  const reading = found.unchecked ? ["reading"] : [];
  const searching = said?.searching && said.query === query ? ["searching what was said"] : [];
  const unread = found.unread === 0 ? [] : [`${found.unread} not readable`];
  return [NAMES[scope], count, ...reading, ...searching, ...unread].join(" · ");
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
    scope === "project" ? "No sessions of this project yet" : "No sessions yet",
    elsewhere,
    "Make one: reprise chat; or pipe an agent's events into `reprise record`",
  ];
}
