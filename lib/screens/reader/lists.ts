/** The lists that stand over a session: prompts, threads, and what the model has. */
import { present } from "../../event/present.ts";
import type { SessionHandle } from "../../library/session_handle.ts";
import type { SessionContext } from "../../projection/context.ts";
import type { SessionThread } from "../../source/session_thread.ts";
import type { ReaderListName, ReaderState } from "./session_state.ts";
import type { SessionView } from "./session_view.ts";
import { contextEntries, promptAt, type ReaderList, shownList } from "./words.ts";

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
