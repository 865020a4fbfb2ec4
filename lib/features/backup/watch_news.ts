/** The news of a watch. */
import { join } from "node:path";
import { present } from "../../core/event/present.ts";
import type { GenerationEnd } from "../../library/machine/kept/manifest.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import type { Keeping } from "./keep_session.ts";
import { specialKind } from "./source_file.ts";
import type { WatchedSession } from "./watched_sessions.ts";

/** A session was kept. */
export interface KeptNews {
  /** `kept`: bytes were added, or a generation began. `gone`: its agent has it no longer. */
  status: "kept" | "gone";
  /** Names the session. */
  ref: string;
  /** Bytes that were added. */
  added: number;
  /** The generation that they were added to. */
  generation: number;
  /** Why the generation began just now: `first` where nothing was kept before. */
  began?: "first" | GenerationEnd;
  /** Absolute path of the copy of its own file; of the log for a session in a database. */
  path: string;
  /** The id of the import that was made of a session in a database. */
  session_id?: string;
}

/** Something could not be done; it is tried again. */
export interface TroubleNews {
  /** Discriminant. */
  status: "trouble";
  /** Names the session; absent where it is about no single one. */
  ref?: string;
  /** The failure, and what to do. */
  error: string;
}

/** All that was there when the watch began is kept. */
export interface CaughtUpNews {
  /** Discriminant. */
  status: "caught-up";
  /** Number of sessions that are watched. */
  sessions: number;
  /** Bytes that were added since the watch began. */
  added: number;
}

/** The news of a watch, one at a time. */
export type WatchNews = KeptNews | TroubleNews | CaughtUpNews;

/** Returns the news of one keeping, and notes if the session's own file is gone. */
export function newsOf(
  one: WatchedSession,
  folder: string,
  { manifest, added, began, gone }: Keeping,
): WatchNews[] {
  const was_gone = one.gone;
  one.gone = gone;
  const generation = manifest?.generations.at(-1);
  if (generation === undefined) return [];
  const path = join(folder, generation.files[0]?.copy ?? "");
  const told = { ref: sessionRef(one.session), added, generation: generation.number, path };
  const news: WatchNews[] = [];
  if (added > 0 || began !== undefined) {
    news.push(present({ status: "kept" as const, ...told, began }));
  }
  if (gone && !was_gone) news.push({ status: "gone", ...told });
  return news;
}

const SILENT =
  "Cannot watch for changes: the system's file watcher does not answer. A named pipe among " +
  "the sessions can cause this. Reprise polls the sessions instead. Remove the pipe and " +
  "start the watch again";

/** Troubles of a watch that concern no single session. Each is reported once. */
export class WatchTroubles {
  readonly #told = new Map<string, string>();
  readonly #special: string[] = [];

  /** Reports a failure, unless it was the last one about its subject. */
  *tell(about: string, error: string): Generator<TroubleNews> {
    if (this.#told.get(about) === error) return;
    this.#told.set(about, error);
    yield { status: "trouble", error };
  }

  /** Notes a path that changed, if it is a pipe, a socket or a device. */
  note(path: string): void {
    if (specialKind(path) !== undefined) this.#special.push(path);
  }

  /** Reports noted paths, and a watch that does not answer. */
  *news(is_silent: boolean): Generator<TroubleNews> {
    if (is_silent) yield* this.tell("silent", SILENT);
    for (const path of this.#special.splice(0)) {
      yield* this.tell(
        path,
        `Skipped ${specialKind(path) ?? "something that is not a file"}: ${path}`,
      );
    }
  }
}
