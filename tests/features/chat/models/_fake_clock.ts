/** A clock that stands still until a test moves it, for limits of seconds and minutes. */
import { performance } from "node:perf_hooks";

/**
 * While it is in use, timers of a second and more fire by {@linkcode FakeClock.forward} alone, and
 * timers that are due at once fire without a real one, which could outlast the test.
 */
export class FakeClock implements Disposable {
  /** Milliseconds since its beginning. */
  time = 0;
  readonly #real = { now: performance.now, setTimeout, clearTimeout };
  readonly #timers = new Map<number, { due: number; fire: () => void }>();
  #last_id = 0;
  #begun = Promise.withResolvers<void>();

  constructor() {
    const { setTimeout: setReal, clearTimeout: clearReal } = globalThis;
    performance.now = () => this.time;
    const set = (fire: () => void, milliseconds = 0): number => {
      if (milliseconds > 0 && milliseconds < 1000) return setReal(fire, milliseconds);
      const id = --this.#last_id;
      this.#timers.set(id, { due: this.time + milliseconds, fire });
      if (milliseconds > 0) this.#begun.resolve();
      else queueMicrotask(() => this.#timers.delete(id) && fire());
      return id;
    };
    const clear = (id?: number): void => {
      if (!this.#timers.delete(id ?? 0)) clearReal(id);
    };
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }

  /** Waits until a timer was set since the last wait. */
  async begun(): Promise<void> {
    await this.#begun.promise;
    this.#begun = Promise.withResolvers();
  }

  /** Moves the time on, and fires the timers that are due. */
  forward(milliseconds: number): void {
    this.time += milliseconds;
    for (const [id, { due, fire }] of this.#timers) {
      if (due <= this.time && this.#timers.delete(id)) fire();
    }
  }

  [Symbol.dispose](): void {
    const { now, ...timers } = this.#real;
    performance.now = now;
    Object.assign(globalThis, timers);
  }
}
