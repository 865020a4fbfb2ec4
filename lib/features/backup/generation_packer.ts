/** Packs the copies of quiet and of deleted sessions, one session at a time, while a watch goes on. */
import { SessionError } from "../../core/event/session_error.ts";
import type { KeptManifest } from "../../library/machine/kept/manifest.ts";
import { needsPacking, packGenerations } from "./pack_generations.ts";

export class GenerationPacker {
  readonly #signal: AbortSignal | undefined;
  readonly #failures = new Map<string, string>();
  readonly #busy = new Map<string, Promise<unknown>>();
  /** Resolves once all is packed, or the signal aborted. */
  ended: Promise<void> = Promise.resolve();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  pack(folder: string, manifest: KeptManifest | undefined): void {
    if (manifest === undefined || !needsPacking(folder, manifest)) return;
    this.ended = this.ended.then(async () => {
      try {
        await this.alone(folder, () => packGenerations(folder, this.#signal));
      } catch (error) {
        if (!(error instanceof SessionError)) throw error;
        // The copies are as they were. The next comparison tries again.
        this.#failures.set(folder, error.message);
      }
    });
  }

  /** Returns the failures since the last call, with the folders of the sessions. */
  failures(): [folder: string, error: string][] {
    const failures = [...this.#failures];
    this.#failures.clear();
    return failures;
  }

  /**
   * Runs `write` when no other task writes the session's folder, because both keeping and packing
   * write its manifest.
   */
  alone<Result>(folder: string, write: () => Promise<Result>): Promise<Result> {
    const busy = this.#busy.get(folder);
    const result = busy === undefined ? write() : busy.then(write, write);
    this.#busy.set(folder, result);
    const free = (): void => {
      if (this.#busy.get(folder) === result) this.#busy.delete(folder);
    };
    result.then(free, free);
    return result;
  }
}
