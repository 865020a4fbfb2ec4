/** The reader's state, and its change by each key. Pure. */
import { editEnd } from "../../ui/line_editor.ts";
import { movedCursor, type Scroll, scrollOf } from "../../ui/pager.ts";
import type { Key } from "../../ui/key.ts";

/** The detail of calls and thinking on the screen: brief as in `show`, one line, or full. */
export type Folding = "brief" | "closed" | "full";

type ReaderMode = "read" | "keys" | ReaderPrompt | ReaderListName;

/** The purpose of the input line at the bottom of the screen. */
type ReaderPrompt = "find" | "export" | "tags";

export type ReaderListName = "contents" | "threads" | "context" | "files" | "commits" | "writers";

export interface ReaderState {
  mode: ReaderMode;
  input: string;
  /** The text of the last search. Empty once the search is ended. */
  query: string;
  folding: Folding;
  follow: boolean;
  cursor: number;
  entries: number;
  message: string;
}

export type Move = Scroll | { type: "prompt" | "select"; step: 1 | -1 };

/** An action that a key asks the reader to take. */
export type Wish =
  | Move
  | { type: "hit"; step: 1 | -1 }
  | { type: "stop" }
  | { type: "unfold" }
  | { type: "list"; of: ReaderListName }
  | { type: "choose"; of: ReaderListName; at: number }
  | { type: "copy"; part: "text" | "code" }
  | { type: "edit" }
  | { type: "ask_export" }
  | { type: "export"; path: string }
  | { type: "ask_tags" }
  | { type: "tag"; tags: string }
  | { type: "pin" }
  | { type: "resume" }
  | { type: "hand_over" }
  | { type: "mouse" }
  | { type: "leave" }
  | { type: "quit" };

/** The actions that only move the view. The next key may be read before they are done. */
export const MOVES: ReadonlySet<Wish["type"]> = new Set([
  "scroll",
  "page",
  "edge",
  "prompt",
  "choose",
  "select",
]);

interface Pressed {
  state: ReaderState;
  wish?: Wish | undefined;
}

export function initialReader(): ReaderState {
  return {
    mode: "read",
    input: "",
    query: "",
    folding: "brief",
    follow: false,
    cursor: 0,
    entries: 0,
    message: "",
  };
}

/** Returns the state after a key. `page` is the number of entries on the screen. */
export function pressReader(before: ReaderState, key: Key, page: number): Pressed {
  const state = before.message === "" ? before : { ...before, message: "" };
  if (key.ctrl && key.name === "c") return { state, wish: { type: "quit" } };
  const { mode } = state;
  if (mode === "read") return pressReading(state, key);
  if (mode === "keys") return { state: { ...state, mode: "read" } };
  return mode === "find" || mode === "export" || mode === "tags"
    ? pressPrompt(state, mode, key)
    : pressList(state, mode, key, page);
}

/** The action of each key that does not change the reader's state. */
const WISHES: Readonly<Record<string, Wish>> = {
  ...{ return: { type: "unfold" }, enter: { type: "unfold" } },
  right: { type: "select", step: 1 },
  left: { type: "select", step: -1 },
  "]": { type: "prompt", step: 1 },
  "[": { type: "prompt", step: -1 },
  n: { type: "hit", step: 1 },
  N: { type: "hit", step: -1 },
  c: { type: "list", of: "contents" },
  t: { type: "list", of: "threads" },
  x: { type: "list", of: "context" },
  F: { type: "list", of: "files" },
  B: { type: "list", of: "commits" },
  J: { type: "select", step: 1 },
  K: { type: "select", step: -1 },
  o: { type: "edit" },
  y: { type: "copy", part: "text" },
  Y: { type: "copy", part: "code" },
  e: { type: "ask_export" },
  T: { type: "ask_tags" },
  p: { type: "pin" },
  r: { type: "resume" },
  R: { type: "hand_over" },
  m: { type: "mouse" },
  q: { type: "leave" },
};

const FOLDINGS: readonly Folding[] = ["brief", "closed", "full"];

function pressReading(state: ReaderState, key: Key): Pressed {
  const scroll = scrollOf(key);
  if (scroll !== undefined) {
    // Moving up stops following, so that the place stays.
    const up = !(scroll.type === "edge" && scroll.to === "end");
    return { state: state.follow && up ? { ...state, follow: false } : state, wish: scroll };
  }
  const { text = "", name, ctrl, shift } = key;
  if (name === "tab") {
    const at = FOLDINGS.indexOf(state.folding) + (shift ? FOLDINGS.length - 1 : 1);
    return { state: { ...state, folding: FOLDINGS[at % FOLDINGS.length] ?? "brief" } };
  }
  if (ctrl) return { state };
  if (text === "?") return { state: { ...state, mode: "keys" } };
  if (text === "/") return { state: { ...state, mode: "find", input: "" } };
  if (text === "f") {
    const follow = !state.follow;
    const end = { type: "edge", to: "end" } as const;
    return { state: { ...state, follow }, wish: follow ? end : undefined };
  }
  // What is being looked for, or what was found, is left first.
  if (name === "escape") return leftOff(state);
  const id = text || (name ?? "");
  return { state, wish: Object.hasOwn(WISHES, id) ? WISHES[id] : undefined };
}

function leftOff(state: ReaderState): Pressed {
  if (state.query === "") return { state, wish: { type: "leave" } };
  return { state: { ...state, query: "" }, wish: { type: "stop" } };
}

function pressPrompt(state: ReaderState, mode: ReaderPrompt, key: Key): Pressed {
  const read = { ...state, mode: "read", input: "" } as const;
  if (key.name === "escape") return { state: read };
  if (key.name === "return" || key.name === "enter") {
    const { input } = state;
    // An empty input removes all tags.
    if (mode === "tags") return { state: read, wish: { type: "tag", tags: input } };
    if (input.trim() === "") return { state: read };
    return mode === "find"
      ? { state: { ...read, query: input }, wish: { type: "hit", step: 1 } }
      : { state: read, wish: { type: "export", path: input.trim() } };
  }
  // In an empty input, it leaves the prompt.
  if (key.name === "backspace" && state.input === "" && mode !== "tags") return { state: read };
  return { state: { ...state, input: editEnd(state.input, key) } };
}

function pressList(
  state: ReaderState,
  mode: ReaderListName,
  key: Key,
  page: number,
): Pressed {
  const { name = "", text = "" } = key;
  if (name === "escape" || text === "q") return { state: { ...state, mode: "read" } };
  if (name === "return" || name === "enter") {
    const chosen: Pressed = { state: { ...state, mode: "read" } };
    if (state.entries === 0) return chosen;
    return { ...chosen, wish: { type: "choose", of: mode, at: state.cursor } };
  }
  const step = scrollOf(key);
  if (step === undefined) return { state };
  const { cursor, entries: count } = state;
  return { state: { ...state, cursor: movedCursor({ cursor, count }, step, page) } };
}
