/** The picker's state, and its change by each key. Pure. */
import type { Summary } from "../../projection/summary_row.ts";
import { type Key, keyId } from "../../ui/key.ts";
import { editEnd } from "../../ui/line_editor.ts";
import { listTop, type ListView, movedCursor, scrollOf } from "../../ui/pager.ts";
import type { HitPlace } from "../screen.ts";
import { fuzzyScore, type FuzzyText, fuzzyText } from "./fuzzy_match.ts";

/** The scope of the list: this project, or all directories. */
export type PickerScope = "project" | "all";

export interface ScopeRows {
  rows: readonly Summary[];
  /** The texts of the rows that the filter searches. */
  texts: readonly string[];
  /** The titles of the rows, which letters may fit. */
  titles: readonly FuzzyText[];
  /** Number of unreadable sessions. */
  unread: number;
  /** The reason why no session could be read. */
  failure?: string;
  /** True for remembered rows, until the sessions themselves were looked at. */
  unchecked?: boolean;
}

/** A hit in a message, with the text around it. */
export type SaidHit = Omit<HitPlace, "query"> & { snippet: string };

export interface SaidHits {
  query: string;
  /** The first hit in a session, by its reference. */
  hits: ReadonlyMap<string, SaidHit>;
  /** True while the search runs. */
  searching: boolean;
}

export interface PickerState {
  /** The scopes in the order of Tab. */
  scopes: readonly PickerScope[];
  scope: PickerScope;
  /** The rows of each scope; a missing scope is being read. */
  read: ReadonlyMap<PickerScope, ScopeRows>;
  query: string;
  said?: SaidHits;
  /** The sessions that match the query. */
  shown: readonly Summary[];
  /** The highlighted row. */
  cursor: number;
  /** The first row on the screen. */
  top: number;
  /** True while the help for all keys is shown. */
  help?: boolean;
}

/** The end of the picker, or an action on a session. */
type Outcome = "chosen" | "cancelled" | SessionAction;

/** An action on the highlighted session. */
export type SessionAction = "resume" | "export";

/** Keys of actions, with Ctrl: letters are the filter. */
// ^E goes to the end of a line in shells and in fzf, and Alt types letters on a Mac.
const ACTIONS: Readonly<Record<string, SessionAction>> = { "^r": "resume", "^x": "export" };

export function initialState(scopes: readonly PickerScope[], scope: PickerScope): PickerState {
  return { scopes, scope, read: new Map(), query: "", shown: [], cursor: 0, top: 0 };
}

export function highlighted({ shown, cursor }: PickerState): Summary | undefined {
  return shown[cursor];
}

export function scopeRows(rows: readonly Summary[], unread: number): ScopeRows {
  const titles = rows.map(({ title }) => fuzzyText(title.normalize("NFKC"), comparable(title)));
  return { rows, texts: rows.map(filterText), titles, unread };
}

function filterText({ title, first_user_message = "", ref, cwd = "", tags = [] }: Summary): string {
  const marks = tags.map((tag) => `tag:${tag} #${tag}`);
  return comparable([title, first_user_message, ref, cwd, ...marks].join("\n"));
}

/** Returns a text without case and, as fzf has it, without the accents of Latin letters. */
function comparable(text: string): string {
  const folded = text.normalize("NFKC").toLowerCase();
  return /^[ -~\s]*$/.test(folded)
    ? folded
    : folded.normalize("NFD").replace(ACCENTS, "$1").normalize("NFC");
}

const ACCENTS = /(\p{Script=Latin})[\u0300-\u036f]+/gu;

/** Sets the rows of a scope. The cursor stays on its session, and the session on its line. */
export function withRows(
  state: PickerState,
  scope: PickerScope,
  rows: ScopeRows,
): PickerState {
  const read = new Map(state.read).set(scope, rows);
  if (scope !== state.scope) return { ...state, read };
  return withCursorOf(filtered({ ...state, read }), state);
}

/** Moves the cursor to the session that it was on; where that is gone, it stays where it was. */
function withCursorOf(state: PickerState, before: PickerState): PickerState {
  const on = highlighted(before);
  if (on === undefined) return state;
  const at = state.shown.findIndex(({ ref, path }) => ref === on.ref && path === on.path);
  const cursor = at < 0 ? Math.min(before.cursor, Math.max(0, state.shown.length - 1)) : at;
  return { ...state, cursor, top: Math.max(0, before.top + cursor - before.cursor) };
}

/** Returns the scope that Tab leads to. */
export function nextScope({ scopes, scope }: PickerState, step = 1): PickerScope {
  const at = scopes.indexOf(scope) + step + scopes.length;
  return scopes[at % scopes.length] ?? scope;
}

/** Returns the state after a key, or the end; `page` is the number of rows on the screen. */
export function pressKey(state: PickerState, key: Key, page: number): PickerState | Outcome {
  const { name = "", ctrl = false } = key;
  const id = keyId(key);
  if (state.help && id !== "^c") return { ...state, help: false };
  if (id === "f1" || (id === "?" && state.query === "")) return { ...state, help: true };
  const action = Object.hasOwn(ACTIONS, id) ? ACTIONS[id] : undefined;
  if (action !== undefined) return highlighted(state) === undefined ? state : action;
  if (name === "escape" || (ctrl && name === "c")) return "cancelled";
  if (name === "return" || name === "enter") {
    return highlighted(state) === undefined ? state : "chosen";
  }
  if (name === "tab") {
    return filtered({ ...state, scope: nextScope(state, key.shift ? -1 : 1) });
  }
  const step = scrollOf(key, true);
  if (step !== undefined) {
    return scrolled({ ...state, cursor: movedCursor(listOf(state), step, page) }, page);
  }
  const query = editEnd(state.query, key);
  return query === state.query ? state : filtered({ ...state, query });
}

function listOf({ cursor, shown }: PickerState): ListView {
  return { cursor, count: shown.length };
}

/** Scrolls the highlighted row onto a screen of `page` rows. */
export function scrolled(state: PickerState, page: number): PickerState {
  const cursor = Math.max(0, Math.min(state.cursor, state.shown.length - 1));
  return { ...state, cursor, top: listTop(listOf({ ...state, cursor }), page, state.top) };
}

/** Adds hits in messages to the list. The cursor stays on its session. */
export function withSaid(state: PickerState, said: SaidHits): PickerState {
  if (said.query !== state.query) return state;
  return withCursorOf(filtered({ ...state, said }), state);
}

/**
 * Filters the sessions: first those that hold every word, then those with hits in messages. Last
 * come those whose title has the letters. Among the first and the last, the best fit comes first.
 */
function filtered(state: PickerState): PickerState {
  const { rows = [], texts = [], titles = [] } = state.read.get(state.scope) ?? {};
  const words = comparable(state.query).split(/\s+/).filter((word) => word !== "");
  const shown = words.length === 0
    ? pinnedFirst(rows)
    : fittingRows({ rows, texts, titles }, words, state);
  return { ...state, shown, cursor: 0, top: 0 };
}

function pinnedFirst(rows: readonly Summary[]): readonly Summary[] {
  const pinned = rows.filter((row) => row.pinned);
  return pinned.length === 0 ? rows : [...pinned, ...rows.filter((row) => !row.pinned)];
}

/** A row, and the sum of what its title scores for each word. */
interface Fit {
  row: Summary;
  score: number;
}

function fittingRows(
  { rows, texts, titles }: Pick<ScopeRows, "rows" | "texts" | "titles">,
  words: readonly string[],
  { query, said }: PickerState,
): Summary[] {
  const hits = said?.query === query ? said.hits : undefined;
  const holding: Fit[] = [];
  const alike: Fit[] = [];
  const heard: Summary[] = [];
  for (const [index, row] of rows.entries()) {
    const text = texts[index] ?? "";
    const title = titles[index];
    const holds = words.every((word) => text.includes(word));
    if (!holds && hits?.has(row.ref)) {
      heard.push(row);
      continue;
    }
    let score: number | undefined = 0;
    for (const word of words) {
      const found = title === undefined ? undefined : fuzzyScore(title, word);
      if (found === undefined && !text.includes(word)) score = undefined;
      else if (score !== undefined) score += found ?? 0;
    }
    if (score !== undefined) (holds ? holding : alike).push({ row, score });
  }
  return [...bestFirst(holding), ...heard, ...bestFirst(alike)];
}

/** Sorts rows by their scores; where they are equal, the newest stays first. */
function bestFirst(fits: Fit[]): Summary[] {
  return fits.sort((one, other) => other.score - one.score).map(({ row }) => row);
}
