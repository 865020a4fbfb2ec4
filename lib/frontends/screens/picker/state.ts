/** The picker's state, and its change by each key. Pure. */
import type { RunningSession } from "../../../library/running/running_sessions.ts";
import type { Summary } from "../../../core/projection/summary_row.ts";
import { type Key, keyId } from "../../ui/key.ts";
import { editEnd } from "../../ui/line_editor.ts";
import { type ListCursor, listTop, movedCursor, scrollOf } from "../../ui/pager.ts";
import type { HitPlace } from "../screen.ts";
import {
  ORDER_VALUES,
  SESSION_ORDERS,
  type SessionOrder,
  sortedBy,
} from "../../../core/store/session_order.ts";
import type { SessionChoice } from "./picture.ts";
import { ASK, type Filter, needsWhole, parseFilter } from "./filter.ts";
import { comparable, matchWord } from "./word_match.ts";

export type PickerScope = "project" | "all";

export interface ScopeRows {
  rows: readonly Summary[];
  /** Each row's searchable text: title, first message, reference, directory and tags. */
  texts: readonly string[];
  /** The titles of the rows, in lower case and without accents. */
  titles: readonly string[];
  /** Number of unreadable sessions. */
  unread: number;
  failure?: string;
  /** True if the rows come from the cache and were not yet compared with the sessions. */
  unchecked?: boolean;
  /** True if the sessions were read whole: counts, costs and models are known. */
  counted?: boolean;
}

export type SaidHit = Omit<HitPlace, "query"> & {
  snippet: string;
  /** True if the query's words occur only in several messages together, not in a single one. */
  is_across?: true;
  /** The parts of `snippet` that match a question. Absent if the query is no question. */
  words?: readonly string[];
};

export interface SaidHits {
  /** The searched text: the query without filters such as `agent:`. */
  query: string;
  /** The first hit in each session, by the session's reference. */
  hits: ReadonlyMap<string, SaidHit>;
  searching: boolean;
  /** A notice about the hits for a question, such as "weak matches". */
  note?: string;
}

export interface TouchedSessions {
  /** The file's name or path, as it was typed. */
  file: string;
  scope: PickerScope;
  refs: ReadonlySet<string>;
}

/** The running sessions, by reference. Sessions that wait for their user come first. */
export type RunningRows = ReadonlyMap<string, RunningSession>;

export interface PickerState {
  scope: PickerScope;
  /** The rows of each scope. A scope that is still being read is missing. */
  read: ReadonlyMap<PickerScope, ScopeRows>;
  query: string;
  filter: Filter;
  /** Absent until the running sessions are known. */
  running?: RunningRows;
  said?: SaidHits;
  touched?: TouchedSessions;
  shown: readonly Summary[];
  cursor: number;
  top: number;
  help?: boolean;
  /** True if `?` opened the help. Text that is typed next then becomes a question. */
  is_asking?: boolean;
  /** The typed tags of the highlighted session. Absent while the user types the filter. */
  tags?: string | undefined;
  sort: SessionOrder;
}

export function attentionIn({ running }: PickerState): SessionChoice["attentionOf"] {
  return running?.size ? ({ ref }) => running.get(ref)?.attention : undefined;
}

export function orderOf({ sort, filter }: PickerState): SessionOrder {
  return filter.sort ?? sort;
}

/** True if the order or filter needs values of sessions that were not yet read whole. */
export function lacksCounts(state: PickerState): boolean {
  const found = state.read.get(state.scope);
  return found !== undefined && !found.counted && needsWhole(orderOf(state), state.filter);
}

/** True if every session of the scope was searched for the query, so that no more rows follow. */
export function isSearched(state: PickerState): boolean {
  const { filter: { text, file }, read, scope } = state;
  const found = read.get(scope);
  if (found === undefined || found.unchecked || lacksCounts(state)) return false;
  if (file !== undefined && touchedNow(state) === undefined) return false;
  // Quotes that are not closed yet are still typed.
  if (text.split('"').length % 2 === 0) return false;
  return text === "" || saidNow(state)?.searching === false;
}

type Outcome = "chosen" | "cancelled" | SessionAction;

export type SessionAction = "resume" | "export" | "tag" | "pin" | "archive";

/** The keys of actions, pressed with Ctrl. Letters without Ctrl are typed into the filter. */
// ^E goes to the end of a line in shells and in fzf, and Alt types letters on a Mac.
// fzf and shells have ^A, ^D and ^K for other things, and tmux has ^B.
const ACTIONS: Readonly<Record<string, SessionAction>> = {
  ...{ "^r": "resume", "^x": "export", "^t": "tag", "^f": "pin", "^o": "archive" },
};

export function initialState(): PickerState {
  const begun = { scope: "project", query: "", filter: parseFilter(""), sort: "updated" } as const;
  return { ...begun, read: new Map(), shown: [], cursor: 0, top: 0 };
}

export function highlighted({ shown, cursor }: PickerState): Summary | undefined {
  return shown[cursor];
}

export function scopeRows(rows: readonly Summary[], unread: number): ScopeRows {
  const titles = rows.map(({ title }) => comparable(title));
  return { rows, texts: rows.map(filterText), titles, unread };
}

function filterText({ title, first_user_message = "", ref, cwd = "", tags = [] }: Summary): string {
  const marks = tags.map((tag) => `#${tag}`);
  return comparable([title, first_user_message, ref, cwd, ...marks].join("\n"));
}

/** Sets the rows of a scope. The highlighted session stays highlighted, on the same screen line. */
export function withRows(
  state: PickerState,
  scope: PickerScope,
  rows: ScopeRows,
): PickerState {
  const read = new Map(state.read).set(scope, rows);
  if (scope !== state.scope) return { ...state, read };
  const now = filtered({ ...state, read });
  // Sessions that were read for the order may come before the one that was first until then.
  return state.cursor === 0 && lacksCounts(state) ? now : withCursorOf(now, state);
}

/** Moves the cursor to the session highlighted in `before`. Keeps the index if it is not listed. */
function withCursorOf(state: PickerState, before: PickerState): PickerState {
  const on = highlighted(before);
  if (on === undefined) return state;
  const at = state.shown.findIndex(({ ref, path }) => ref === on.ref && path === on.path);
  const cursor = at < 0 ? Math.min(before.cursor, Math.max(0, state.shown.length - 1)) : at;
  return { ...state, cursor, top: Math.max(0, before.top + cursor - before.cursor) };
}

export function nextScope({ scope }: PickerState): PickerScope {
  return scope === "project" ? "all" : "project";
}

export function withNextScope(state: PickerState): PickerState {
  return filtered({ ...state, scope: nextScope(state) });
}

/** Returns the state or outcome after a key. `page` is the number of rows on the screen. */
export function pressKey(state: PickerState, key: Key, page: number): PickerState | Outcome {
  const { name = "", ctrl = false } = key;
  const id = keyId(key);
  if (state.help && id !== "^c") {
    const closed = { ...state, help: false, is_asking: false };
    const typed = editEnd("", key);
    if (!state.is_asking || typed === "" || typed === ASK) return closed;
    return withQuery(closed, ASK + typed);
  }
  const is_enter = name === "return" || name === "enter";
  if (state.tags !== undefined && id !== "^c") {
    if (is_enter) return "tag";
    return { ...state, tags: name === "escape" ? undefined : editEnd(state.tags, key) };
  }
  const is_asking = id === ASK && state.query === "";
  if (id === "f1" || is_asking) return { ...state, help: true, is_asking };
  const action = Object.hasOwn(ACTIONS, id) ? ACTIONS[id] : undefined;
  if (action !== undefined) return highlighted(state) === undefined ? state : action;
  if (name === "escape" || (ctrl && name === "c")) return "cancelled";
  if (is_enter) return highlighted(state) === undefined ? state : "chosen";
  if (id === "^s") {
    const next = (SESSION_ORDERS.indexOf(state.sort) + 1) % SESSION_ORDERS.length;
    const sort = SESSION_ORDERS[next] ?? "updated";
    return filtered({ ...state, sort });
  }
  if (name === "tab") return withNextScope(state);
  const step = scrollOf(key, true);
  if (step !== undefined) {
    return scrolled({ ...state, cursor: movedCursor(listOf(state), step, page) }, page);
  }
  const query = editEnd(state.query, key);
  return query === state.query ? state : withQuery(state, query);
}

function withQuery(state: PickerState, query: string): PickerState {
  return filtered({ ...state, query, filter: parseFilter(query) });
}

function listOf({ cursor, shown }: PickerState): ListCursor {
  return { cursor, count: shown.length };
}

/** Scrolls the list so that the highlighted row is among the `page` rows on the screen. */
export function scrolled(state: PickerState, page: number): PickerState {
  const cursor = Math.max(0, Math.min(state.cursor, state.shown.length - 1));
  return { ...state, cursor, top: listTop(listOf({ ...state, cursor }), page, state.top) };
}

/** Adds hits in messages, unless the query has changed. The cursor stays on its session. */
export function withSaid(state: PickerState, said: SaidHits): PickerState {
  if (said.query !== state.filter.text) return state;
  return withCursorOf(filtered({ ...state, said }), state);
}

/** Puts running sessions on top. The cursor stays on its session, and the list does not scroll. */
export function withRunning(state: PickerState, running: RunningRows): PickerState {
  return { ...withCursorOf(filtered({ ...state, running }), state), top: state.top };
}

/** Applies the sessions that changed the filter's file. The cursor stays on its session. */
export function withTouched(state: PickerState, touched: TouchedSessions): PickerState {
  return withCursorOf(filtered({ ...state, touched }), state);
}

export function touchedNow(
  { filter, scope, touched }: PickerState,
): ReadonlySet<string> | undefined {
  return touched?.file === filter.file && touched?.scope === scope ? touched.refs : undefined;
}

export function saidNow({ filter, said }: PickerState): SaidHits | undefined {
  return said?.query === filter.text ? said : undefined;
}

/**
 * Filters and orders the sessions in tiers. First come sessions whose texts contain every word.
 * Then come sessions with a hit in one message, then sessions with hits in several messages. Last
 * come sessions whose title has a word only as letters that are not adjacent.
 */
function filtered(state: PickerState): PickerState {
  const { rows = [], texts = [], titles = [] } = state.read.get(state.scope) ?? {};
  const { words, admits, is_question } = state.filter;
  const hits = saidNow(state)?.hits;
  const touched = touchedNow(state);
  if (is_question) {
    const places = [...hits?.keys() ?? []];
    const shown = rows.filter((row) =>
      admits(row) && touched?.has(row.ref) !== false && hits?.has(row.ref)
    );
    return {
      ...state,
      shown: sortedBy(shown, ({ ref }) => -places.indexOf(ref)),
      cursor: 0,
      top: 0,
    };
  }
  const tiers: [row: Summary, score: number][][] = [[], [], [], []];
  for (const [index, row] of rows.entries()) {
    if (!admits(row) || touched?.has(row.ref) === false) continue;
    const [tier, score] = fitOf(texts[index] ?? "", titles[index] ?? "", words);
    const hit = tier > 0 ? hits?.get(row.ref) : undefined;
    tiers[hit === undefined ? tier : hit.is_across ? 2 : 1]?.push([row, score]);
  }
  const order = orderOf(state);
  const { reversed } = state.filter;
  const is_usual = order === "updated" && !reversed;
  const shown = tiers.flatMap((tier) => {
    const found = tier.sort(([, score], [, other]) => other - score).map(([row]) => row);
    return is_usual ? found : sortedBy(found, ORDER_VALUES[order], reversed);
  });
  const pins_first = words.length === 0 && is_usual;
  const ordered = pins_first ? runningFirst(pinnedFirst(shown), state.running) : shown;
  return { ...state, shown: ordered, cursor: 0, top: 0 };
}

function pinnedFirst(rows: readonly Summary[]): readonly Summary[] {
  return [...rows.filter((row) => row.pinned), ...rows.filter((row) => !row.pinned)];
}

function runningFirst(rows: readonly Summary[], running: RunningRows = new Map()): Summary[] {
  const places = new Map([...running.keys()].map((ref, index) => [ref, index]));
  const placeOf = ({ ref }: Summary): number => places.get(ref) ?? places.size;
  return rows.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** Returns a tier and a score. Tier 0: all words. 3: some only as letters. 4: one word missing. */
function fitOf(text: string, title: string, words: readonly string[]): [number, number] {
  let [tier, score] = [0, 0];
  for (const word of words) {
    const held = text.includes(word);
    const match = held && !title.includes(word) ? undefined : matchWord(title, word);
    if (!held) tier = Math.max(tier, match === undefined ? 4 : 3);
    score += match?.score ?? 0;
  }
  return [tier, score];
}
