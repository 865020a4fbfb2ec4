/** The reader's texts: what the keys do, where it is, its lists, how far it has read. */
import type { WindowPrompt } from "../../library/window/prompt.ts";
import type { SessionWindow, WindowProgress } from "../../library/window/session_window.ts";
import { counted } from "../../render/counted.ts";
import type { SessionThread } from "../../source/session_thread.ts";
import type { Folding, ReaderState } from "./session_state.ts";

/** The most important keys, for the last row. */
export function keysOf({ mode, query, follow }: ReaderState): string[] {
  if (mode === "contents" || mode === "threads") return ["Enter go there", "Esc back", "↑↓"];
  if (mode === "keys") return ["any key: back"];
  if (mode === "find") return ["Enter find", "Esc back"];
  if (mode === "export") return ["Enter write", "Esc back"];
  return [
    "? keys",
    "q back",
    ...(query === "" ? ["/ find"] : ["n N hits", "Esc done"]),
    "[ ] prompts",
    "Tab fold",
    follow ? "f stop" : "f follow",
    "c contents",
    "t threads",
    "y copy",
    "e export",
    "r resume",
    "R hand over",
  ];
}

/** All keys, for `?`. */
export const KEYS: readonly string[] = [
  "↑ ↓  k j       a row up, a row down",
  "PgUp PgDn      a screen up, a screen down; also b and Space",
  "u d            half a screen up, half a screen down",
  "g G            the beginning, the end; also Home and End",
  "wheel          three rows; m gives the mouse back, to select text",
  "/              find a text; n the next hit, N the one before, Esc stops",
  "] [            the next prompt, the prompt before",
  "c              contents: all prompts",
  "t              threads: branches, subagents, what was taken back",
  "Tab            fold calls and thinking: briefly, heads alone, all",
  "o              show all of the block at the top, or fold it again",
  "y              copy the block at the top",
  "e              export the session to a file",
  "r              resume the session in its own agent",
  "R              hand it over to another agent, and continue there",
  "f              follow: show what is added",
  "q Esc          back to the list; ^C ends the program, ^Z stops it",
];

const FOLDINGS: Readonly<Record<Folding, string>> = {
  brief: "Calls and thinking briefly",
  closed: "Calls and thinking folded",
  full: "Calls and thinking in full",
};

/** Says what Tab has done. */
export function foldingText(folding: Folding): string {
  return FOLDINGS[folding];
}

/** Says why nothing is marked in a block that was found. */
export function hitText(marked: string): string {
  return marked === "" ? `The match is in folded text: press o` : "";
}

/** Says where it is by the last item on the screen, and how much of the session was read by now. */
export function placeText(
  last: number,
  { items, total, read_bytes, all_bytes }: WindowProgress,
): string {
  if (total !== undefined) {
    const percent = total === 0 ? 100 : Math.floor(100 * (last + 1) / total);
    return `${percent} % of ${total}`;
  }
  const read = all_bytes === 0 ? `${items}` : `${Math.floor(100 * read_bytes / all_bytes)} %`;
  const place = last >= 0 ? `${last + 1}` : last === -1 ? "end" : `${-last - 1} before the end`;
  return `${place} · reading ${read}`;
}

/** A list over the session. */
export interface ReaderList {
  /** What it lists. */
  heading: string;
  /** The entries, a line each. */
  entries: readonly string[];
  /** The highlighted entry; absent where nothing is chosen. */
  cursor?: number;
}

/** The list that stands over a session, by what the keys are for. */
export function shownList(
  { mode, cursor }: Pick<ReaderState, "mode" | "cursor">,
  { prompts, progress }: Pick<SessionWindow, "prompts" | "progress">,
  threads: readonly SessionThread[],
): ReaderList | undefined {
  if (mode === "keys") return keyList();
  if (mode === "threads") return threadList(threads, cursor);
  return mode === "contents" ? contentsList(prompts, progress, cursor) : undefined;
}

/** All keys. */
function keyList(): ReaderList {
  return { heading: "Keys", entries: KEYS };
}

/** The threads of a session. */
function threadList(threads: readonly SessionThread[], cursor: number): ReaderList {
  const entries = threads.map(({ id, kind, records, title = "" }) =>
    `${kind.padEnd(8)}  ${counted(records, "record").padStart(14)}  ${title || id}`
  );
  return { heading: "Threads", entries, cursor };
}

/** The prompts of a session, as far as it was read. */
function contentsList(
  prompts: readonly WindowPrompt[],
  { total }: WindowProgress,
  cursor: number,
): ReaderList {
  const so_far = total === undefined ? " so far: reading" : "";
  return {
    heading: `Contents · ${counted(prompts.length, "prompt")}${so_far}`,
    entries: prompts.map(({ text }, at) => `${at + 1}  ${text}`),
    cursor,
  };
}

/** The prompt that an item belongs to; the last one for an item that is counted from the end. */
export function promptAt(prompts: readonly WindowPrompt[], item: number): number {
  const after = item < 0 ? -1 : prompts.findIndex((prompt) => prompt.item > item);
  return Math.max(0, (after < 0 ? prompts.length : after) - 1);
}
