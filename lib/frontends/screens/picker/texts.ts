/** Builds the picker's heading, key help and notices. Pure. */
import {
  lacksCounts,
  nextScope,
  orderOf,
  type PickerScope,
  type PickerState,
  saidNow,
  touchedNow,
} from "./state.ts";

const NAMES: Readonly<Record<PickerScope, string>> = {
  project: "this project",
  all: "all projects",
};

/** Returns the heading's text: the scope, its number of sessions and the work in progress. */
export function whereOf(state: PickerState): string {
  const { scope, read, shown, query, filter } = state;
  const { odd, reversed } = filter;
  if (odd !== undefined) return odd;
  const found = read.get(scope);
  if (found === undefined) return `${NAMES[scope]} · loading`;
  const all = found.rows.length;
  const count = query === "" ? `${all}` : `${shown.length} of ${all}`;
  const refs = new Set(found.rows.map(({ ref }) => ref));
  const waits =
    [...state.running ?? []].filter(([ref, { attention }]) =>
      attention.state === "waits" && refs.has(ref)
    ).length;
  const waiting = waits === 0 ? [] : [waits === 1 ? "1 waits for you" : `${waits} wait for you`];
  const loading = found.unchecked ? ["loading"] : [];
  const looking = filter.file !== undefined && touchedNow(state) === undefined
    ? ["searching changed files"]
    : [];
  const { searching: is_searching, note } = saidNow(state) ?? {};
  const searching = is_searching ? ["searching messages"] : note === undefined ? [] : [note];
  const unread = found.unread === 0 ? [] : [`${found.unread} unreadable`];
  const by = `sorted by ${orderOf(state)}${reversed ? ", reversed" : ""}`;
  const order = by === "sorted by updated" ? [] : [by];
  const reading = lacksCounts(state) ? ["reading sessions"] : [];
  return [
    NAMES[scope],
    count,
    ...waiting,
    ...order,
    ...loading,
    ...reading,
    ...searching,
    ...looking,
    ...unread,
  ]
    .join(" · ");
}

/** Returns short help for the main keys, the most important first. */
export function keysOf(state: PickerState, action: string): string[] {
  if (state.tags !== undefined) return ["Enter set tags", "Esc cancel"];
  return [
    `Enter ${action}`,
    `Tab ${NAMES[nextScope(state)]}`,
    "Esc cancel",
    "? help",
    "type to filter",
    "^S sort",
  ];
}

/** Explains all keys. @param acts True where a session can be resumed and exported. */
export function helpOf(state: PickerState, action: string, acts: boolean): string[] {
  const actions = [
    ["Ctrl+R", "resume the session in its agent"],
    ["Ctrl+X", "export the session as an HTML page"],
    ["Ctrl+T", "edit the tags of the session"],
    ["Ctrl+F", "pin the session at the top, or unpin it"],
    ["Ctrl+O", "archive the session: hide it from lists"],
  ];
  const keys = [
    ["Enter", `${action} the session`],
    ...acts ? actions : [],
    [
      "Ctrl+S sort:",
      "sort by the next column; as a filter: sort:cost",
    ],
    ["Tab", `show ${NAMES[nextScope(state)]}`],
    ["↑ ↓ PgUp PgDn Home End", "move"],
    ["letters", "filter by title, directory and message text"],
    ["agent: project: branch:", "filter by agent, project or branch, as in agent:claude"],
    ["tag: model: status:", "more filters: title:login, failed:, pinned:, file:a.ts"],
    ["≈", "the words are in different messages of the session"],
    ["Ctrl+W Ctrl+U", "delete the last word of the filter, or all of it"],
    ["Esc", "leave"],
    ["? F1", "show these keys; ? and a question: search all sessions"],
  ];
  return keys.map(([key = "", does = ""]) => `${key.padEnd(24)}${does}`);
}

export function noticeOf(state: PickerState): string[] {
  const { scope, read, query } = state;
  const found = read.get(scope);
  if (found === undefined) return ["Loading sessions…"];
  const elsewhere = `Tab: show ${NAMES[nextScope(state)]}`;
  if (found.failure !== undefined) return [found.failure, elsewhere];
  if (state.filter.is_question) {
    const { searching = true } = saidNow(state) ?? {};
    return [
      searching ? "Comparing by wording…" : "No session has wording similar to this question",
      elsewhere,
    ];
  }
  if (query !== "") return [`No session matches "${query}"`, "Ctrl+U: clear the filter", elsewhere];
  return [
    scope === "project" ? "No sessions of this project yet" : "No sessions yet",
    elsewhere,
    "To make a session: reprise chat, or pipe an agent's events into reprise record",
  ];
}
