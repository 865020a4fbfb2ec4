/** Reads the sessions of each picker scope once. Reads whole sessions only if needed. */
import type { ScreenSettings } from "../screen.ts";
import { knownScope, readScope, runningRows } from "./scope_sessions.ts";
import type { PickerScope, RunningRows, ScopeRows } from "./state.ts";

interface ScopeListener {
  onRows(scope: PickerScope, rows: ScopeRows): void;
  onRunning(running: RunningRows): void;
  onError(error: unknown): void;
}

export class ScopeReader {
  readonly #settings: ScreenSettings;
  readonly #listener: ScopeListener;
  readonly #reading = new Map<PickerScope, Promise<void>>();
  readonly #counting = new Set<PickerScope>();

  constructor(settings: ScreenSettings, listener: ScopeListener) {
    this.#settings = settings;
    this.#listener = listener;
  }

  /** Reads a scope. Reports the cached rows immediately, and the current ones later. */
  read(scope: PickerScope): void {
    if (this.#reading.has(scope)) return;
    const reading = this.#readTwice(scope);
    this.#reading.set(scope, reading);
    reading.catch(this.#listener.onError);
  }

  /** Reads the sessions of a scope whole, for their counts, while the list is shown. */
  count(scope: PickerScope): void {
    if (this.#counting.has(scope)) return;
    this.#counting.add(scope);
    this.#count(scope).catch(this.#listener.onError);
  }

  forget(): void {
    this.#reading.clear();
    this.#counting.clear();
  }

  async #readTwice(scope: PickerScope): Promise<void> {
    const known = await knownScope(this.#settings, scope);
    if (known !== undefined) this.#listener.onRows(scope, known);
    const read = await readScope(this.#settings, scope);
    this.#listener.onRows(scope, read);
    // The list is there: what its agents do may come later.
    this.#listener.onRunning(await runningRows(this.#settings, read));
  }

  async #count(scope: PickerScope): Promise<void> {
    await this.#reading.get(scope);
    this.#listener.onRows(scope, await readScope(this.#settings, scope, true));
  }
}
