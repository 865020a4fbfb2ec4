/** The lists that stand over a session: keys, prompts, threads, and what the model has. */
import { present } from "../../event/present.ts";
import type { SessionHandle } from "../../library/session_handle.ts";
import type { WindowPrompt } from "../../library/window/prompt.ts";
import type { SessionWindow, WindowProgress } from "../../library/window/session_window.ts";
import type { SessionContext } from "../../projection/context.ts";
import { shareName } from "../../render/context_table.ts";
import { counted } from "../../render/counted.ts";
import { formatTokens } from "../../render/usage_text.ts";
import type { SessionThread } from "../../source/session_thread.ts";
import type { ReaderListName, ReaderState } from "./session_state.ts";
import type { SessionView } from "./session_view.ts";

/** The target of an entry: a place in the thread that is shown, or another thread. */
type Chosen = { item: number } | { thread: string | undefined };

/** Reads the lists when they are opened, and knows where their entries lead. */
export class ReaderLists {
  readonly #session: SessionHandle;
  #threads: readonly SessionThread[] = [];
  #context: SessionContext | undefined;

  constructor(session: SessionHandle) {
    this.#session = session;
  }

  /** Reads a list. Returns the number of its entries, and the one to begin at. */
  async open(
    of: ReaderListName,
    { window: { prompts }, place, thread }: SessionView,
  ): Promise<Pick<ReaderState, "entries" | "cursor">> {
    if (of === "contents") {
      return { entries: prompts.length, cursor: Math.max(0, promptAt(prompts, place.item)) };
    }
    if (of === "context") {
      this.#context = await this.#session.context(present({ thread }));
      return { entries: contextEntries(this.#context).length, cursor: 0 };
    }
    this.#threads = await this.#session.threads();
    const shown = this.#threads.findIndex(({ id }) => id === (thread ?? "main"));
    return { entries: this.#threads.length, cursor: Math.max(0, shown) };
  }

  /** Returns the list of a state, if it shows one. */
  shown(state: ReaderState, { window }: SessionView): ReaderList | undefined {
    return shownList(state, window, this.#threads, this.#context);
  }

  /** Returns where an entry leads; undefined of one that only tells a size. */
  async chosen(
    of: ReaderListName,
    at: number,
    { window }: SessionView,
  ): Promise<Chosen | undefined> {
    if (of === "threads") return { thread: this.#threads[at]?.id };
    const { shares = [], dropped = [] } = this.#context ?? {};
    const seq = dropped[at - shares.length]?.from_seq;
    const item = of === "contents"
      ? window.prompts[at]?.item
      : seq === undefined
      ? undefined
      : await window.itemOf(seq);
    return item === undefined ? undefined : { item };
  }
}

export interface ReaderList {
  heading: string;
  entries: readonly string[];
  cursor?: number;
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

/** Returns the list that stands over the session in a mode. */
function shownList(
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
function contextEntries({ shares, dropped }: SessionContext): string[] {
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
function promptAt(prompts: readonly WindowPrompt[], item: number): number {
  const after = item < 0 ? -1 : prompts.findIndex((prompt) => prompt.item > item);
  return Math.max(0, (after < 0 ? prompts.length : after) - 1);
}
