/** Looks for a text in a session while keys are taken; the last search counts. */
import { findHit, type Matching } from "./find_hit.ts";
import type { RowPlace } from "./session_rows.ts";
import type { SessionView } from "./session_view.ts";

/** Callbacks of a search. */
export interface SearchListener {
  /** Says how far it is, or what was found. */
  say(message: string): void;
  onError(error: unknown): void;
}

/** The search of one session. */
export class HitSearch {
  readonly #view: SessionView;
  readonly #matching: Matching;
  readonly #listener: SearchListener;
  #stop: AbortController | undefined;

  constructor(view: SessionView, matching: Matching, listener: SearchListener) {
    this.#view = view;
    this.#matching = matching;
    this.#listener = listener;
  }

  /** Stops looking. */
  stop(): void {
    this.#stop?.abort();
  }

  /** Looks for the next hit of a text, or the one before. */
  start(query: string, step: 1 | -1): void {
    this.stop();
    this.#stop = new AbortController();
    const { hit, place: { item, row } } = this.#view;
    const from = hit !== undefined && this.#view.isShown(hit)
      ? hit
      : { item, row: step > 0 ? row - 1 : row };
    const { signal } = this.#stop;
    this.#run({ from, step, query, signal }).catch((error) => {
      // What was looked through may be closed already.
      if (!signal.aborted) this.#listener.onError(error);
    });
  }

  async #run(
    { from, ...what }: { from: RowPlace; step: 1 | -1; query: string; signal: AbortSignal },
  ): Promise<void> {
    const view = this.#view;
    const { step, query, signal } = what;
    const { rows, window } = view;
    const onItem = (item: number): void =>
      this.#listener.say(
        `Looking for “${query}” · ${item < 0 ? "near the end" : `item ${item + 1}`}`,
      );
    const search = { ...what, onItem };
    let found = await findHit(rows, this.#matching, { ...search, from });
    const around = found === undefined;
    if (around && !signal.aborted) {
      const { total = 0 } = window.progress;
      const edge = step > 0 ? { item: 0, row: -1 } : { item: total - 1, row: Infinity };
      found = await findHit(rows, this.#matching, { ...search, from: edge });
    }
    if (signal.aborted || rows !== view.rows) return;
    if (found === undefined) return this.#listener.say(`Nowhere: “${query}”`);
    view.hit = found;
    if (!view.isShown(found)) {
      view.goTo(await rows.moved(found, -Math.floor(view.shown.length / 3)));
    }
    this.#listener.say(around ? (step > 0 ? "From the beginning" : "From the end") : "");
  }
}
