/** The reader's texts: keys, position, lists and progress. */
import type { WindowPrompt } from "../../library/window/prompt.ts";
import type { SessionWindow, WindowProgress } from "../../library/window/session_window.ts";
import type { SessionContext } from "../../projection/context.ts";
import { shareName } from "../../render/context_table.ts";
import { formatTokens } from "../../render/usage_text.ts";
import { counted } from "../../render/counted.ts";
import type { SessionThread } from "../../source/session_thread.ts";
import type { Folding, ReaderState } from "./session_state.ts";

/** Lists the most important keys, for the last row. */
export function keysOf({ mode, query, follow }: ReaderState): string[] {
  if (mode === "contents" || mode === "threads" || mode === "context") {
    return ["Enter go there", "Esc back", "↑↓"];
  }
  if (mode === "keys") return ["any key: back"];
  if (mode === "find") return ["Enter find", "Esc back"];
  if (mode === "export") return ["Enter write", "Esc back"];
  if (mode === "tags") return ["Enter set", "Esc back"];
  return [
    "? keys",
    "q back",
    ...(query === "" ? ["/ find"] : ["n N hits", "Esc done"]),
    "[ ] prompts",
    "Tab fold",
    follow ? "f stop" : "f follow",
    "c contents",
    "t threads",
    "x context",
    "y copy",
    "e export",
    "T tags",
    "p pin",
    "r resume",
    "R hand over",
  ];
}

/** All keys, for `?`. */
const KEYS: readonly string[] = [
  "↑ ↓  k j       a row up, a row down",
  "PgUp PgDn      a screen up, a screen down; also b and Space",
  "u d            half a screen up, half a screen down",
  "g G            the beginning, the end; also Home and End",
  "wheel          three rows; m gives the mouse back, to select text",
  "/              find a text; n the next hit, N the one before, Esc stops",
  "] [            the next prompt, the prompt before",
  "c              contents: all prompts",
  "t              threads: branches, subagents, what was taken back",
  "x              context: what the model has now, and what was dropped",
  "Tab            fold calls and thinking: briefly, heads alone, all",
  "o              show all of the block at the top, or fold it again",
  "y              copy the block at the top",
  "e              export the session to a file",
  "T              tags: words between spaces; none take them away",
  "p              pin the session, or take the pin back",
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

/** Describes the folding after Tab. */
export function foldingText(folding: Folding): string {
  return FOLDINGS[folding];
}

/** Explains why a found block has no marked text. */
export function hitText(marked: string): string {
  return marked === "" ? `The match is in folded text: press o` : "";
}

/** Describes the position by the last item on the screen, and how much was read. */
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

export interface ReaderList {
  heading: string;
  entries: readonly string[];
  cursor?: number;
}

/** Returns the list that stands over the session in a mode. */
export function shownList(
  { mode, cursor }: Pick<ReaderState, "mode" | "cursor">,
  { prompts, progress }: Pick<SessionWindow, "prompts" | "progress">,
  threads: readonly SessionThread[],
  context: SessionContext | undefined,
): ReaderList | undefined {
  if (mode === "keys") return keyList();
  if (mode === "threads") return threadList(threads, cursor);
  if (mode === "context" && context !== undefined) return contextList(context, cursor);
  return mode === "contents" ? contentsList(prompts, progress, cursor) : undefined;
}

function keyList(): ReaderList {
  return { heading: "Keys", entries: KEYS };
}

function threadList(threads: readonly SessionThread[], cursor: number): ReaderList {
  const entries = threads.map(({ id, kind, records, title = "" }) =>
    `${kind.padEnd(8)}  ${counted(records, "record").padStart(14)}  ${title || id}`
  );
  return { heading: "Threads", entries, cursor };
}

/** Returns the sizes of what the model has by kind, then each part that it has no more. */
export function contextEntries({ shares, dropped }: SessionContext): string[] {
  return [
    ...shares.map(({ kind, count, tokens }) =>
      `${shareName(kind).padEnd(16)} ${String(count).padStart(6)}  ~${formatTokens(tokens)} tokens`
    ),
    ...dropped.map(({ number, seq, reason, messages, tokens }) =>
      `dropped ${number} at #${seq} by ${reason}: ${counted(messages, "message")}, ~${
        formatTokens(tokens)
      } tokens`
    ),
  ];
}

function contextList(context: SessionContext, cursor: number): ReaderList {
  const { messages, tokens } = context;
  const heading = `The model has ${counted(messages, "message")}, ~${formatTokens(tokens)} tokens`;
  return { heading, entries: contextEntries(context), cursor };
}

/** Lists the prompts that were read. */
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

/** Returns the prompt of an item; the last one if the item is counted from the end. */
export function promptAt(prompts: readonly WindowPrompt[], item: number): number {
  const after = item < 0 ? -1 : prompts.findIndex((prompt) => prompt.item > item);
  return Math.max(0, (after < 0 ? prompts.length : after) - 1);
}
