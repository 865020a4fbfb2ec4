/** Lists over a session: its prompts, its threads, the keys. */
import type { SessionWindow, WindowProgress, WindowPrompt } from "../../lib/library/mod.ts";
import type { ReaderList } from "../../lib/render/reader_screen.ts";
import type { SessionThread } from "../../lib/source/session_thread.ts";
import { counted } from "../_counted.ts";
import type { ReaderState } from "./session_state.ts";
import { KEYS } from "./words.ts";

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
