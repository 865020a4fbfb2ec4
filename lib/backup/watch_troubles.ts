/** Troubles of a watch that are about no single session. Each is told once. */
import { specialKind } from "./special_kind.ts";
import type { TroubleNews } from "./watch_news.ts";

const SILENT =
  "Cannot be told of changes: the system's watch does not answer, which a pipe among " +
  "the sessions can cause. Sessions are looked at again and again instead. Remove the pipe and " +
  "start the watch again";

/** What was told, and what is still to be told. */
export class WatchTroubles {
  readonly #told = new Map<string, string>();
  readonly #special: string[] = [];

  /** Tells of a failure, unless that was told last. */
  *tell(about: string, error: string): Generator<TroubleNews> {
    if (this.#told.get(about) === error) return;
    this.#told.set(about, error);
    yield { status: "trouble", error };
  }

  /** Notes a path that changed, if it is a pipe, a socket or a device. */
  note(path: string): void {
    if (specialKind(path) !== undefined) this.#special.push(path);
  }

  /** Tells of paths that were noted, and of a watch that does not answer. */
  *news(is_silent: boolean): Generator<TroubleNews> {
    if (is_silent) yield* this.tell("silent", SILENT);
    for (const path of this.#special.splice(0)) {
      yield* this.tell(path, `Passed over ${specialKind(path) ?? "what is no file"}: ${path}`);
    }
  }
}
