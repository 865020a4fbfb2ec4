/** Finds the sessions that changed the file named by the filter `file:`, in the background. */
import { fileNamed } from "../../../core/workspace/file_named.ts";
import type { ScreenSettings } from "../screen.ts";
import type { PickerScope, TouchedSessions } from "./state.ts";

/** Milliseconds after the last key before a search begins. */
const DELAY_MS = 300;

interface TouchedListener {
  onTouched(touched: TouchedSessions): void;
  onError(error: unknown): void;
}

/** Searches for the sessions that changed a file. A newer search ends the older one. */
export class TouchedSearch {
  readonly #settings: ScreenSettings;
  readonly #listener: TouchedListener;
  #wanted = "";
  #timer: ReturnType<typeof setTimeout> | undefined;
  #stop = new AbortController();

  constructor(settings: ScreenSettings, listener: TouchedListener) {
    this.#settings = settings;
    this.#listener = listener;
  }

  want(file: string | undefined, scope: PickerScope): void {
    const wanted = file === undefined ? "" : `${scope} ${file}`;
    if (wanted === this.#wanted) return;
    this.close();
    this.#wanted = wanted;
    if (file === undefined) return;
    const { signal } = this.#stop = new AbortController();
    this.#timer = setTimeout(() => {
      this.#find(file, scope, signal).catch((error) => this.#listener.onError(error));
    }, DELAY_MS);
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#stop.abort();
    this.#wanted = "";
  }

  async #find(file: string, scope: PickerScope, signal: AbortSignal): Promise<void> {
    const { library, cwd } = this.#settings;
    const where = { scope: scope === "project" ? "here" : "all", cwd } as const;
    const { entries } = await library.query(where);
    const { findTouches } = await import("../../../features/blame/mod.ts");
    const touches = await findTouches(entries, fileNamed(cwd, file), {
      ...{ kept: library.kept, signal },
    });
    if (signal.aborted) return;
    const refs = new Set([...touches.keys()].map(({ ref }) => ref));
    this.#listener.onTouched({ file, scope, refs });
  }
}
