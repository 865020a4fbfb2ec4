/** Packs the earlier generations of quiet sessions, one session at a time, while a watch goes on. */
import { SessionError } from "../event/session_error.ts";
import type { KeptManifest } from "../library/kept/kept_manifest.ts";
import { packableFiles, packGenerations } from "./pack_generations.ts";
import type { WatchedSession } from "./watched_sessions.ts";

export class GenerationPacker {
  readonly #signal: AbortSignal | undefined;
  readonly #failures = new Map<string, string>();
  /** Resolves once all is packed, or the signal aborted. */
  ended: Promise<void> = Promise.resolve();

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  /** Packs what a session's manifest names, after those that were asked for before. */
  pack(one: WatchedSession, folder: string, manifest: KeptManifest | undefined): void {
    if (manifest === undefined || packableFiles(manifest).length === 0) return;
    this.ended = this.ended.then(async () => {
      try {
        await alone(one, () => packGenerations(folder, this.#signal));
      } catch (error) {
        if (!(error instanceof SessionError)) throw error;
        // The copies are as they were. The next comparison tries again.
        this.#failures.set(folder, error.message);
      }
    });
  }

  /** Gives the failures since it was asked, with the folders of the sessions. */
  failures(): [folder: string, error: string][] {
    const failures = [...this.#failures];
    this.#failures.clear();
    return failures;
  }
}

/** Writes the folder of a session once nothing else does: keeping and packing write its manifest. */
export function alone<Result>(one: WatchedSession, write: () => Promise<Result>): Promise<Result> {
  const { busy } = one;
  const result = busy === undefined ? write() : busy.then(write, write);
  one.busy = result;
  const free = (): void => {
    if (one.busy === result) delete one.busy;
  };
  result.then(free, free);
  return result;
}
