/** Describes the reports of a watch, and makes them. */
import { join } from "node:path";
import { present } from "../../core/event/present.ts";
import type { GenerationEnd } from "../../library/machine/kept/manifest.ts";
import { sessionRef } from "../../agents/contract/session_name.ts";
import type { Keeping } from "./keep_session.ts";
import { specialKind } from "./source_file.ts";
import type { WatchedSession } from "./watched_sessions.ts";

/** One report of a watch. Its `status` says which fields it has. */
export type WatchNews =
  | {
    /** `kept`: bytes or a generation were added. `gone`: the agent no longer has the session. */
    status: "kept" | "gone";
    /** Reference of the session, as `<agent>:<id>`. */
    ref: string;
    /** Number of bytes that were added to the backup. */
    added: number;
    /** The number of the generation that the bytes were added to. */
    generation: number;
    /** The reason why a generation began, if one did: `first` if no backup existed before. */
    began?: "first" | GenerationEnd;
    /** Absolute path of the main file's copy, or of the imported log for a database session. */
    path: string;
    /** Id of the Reprise session imported from a database; absent for sessions in files. */
    session_id?: string;
  }
  | {
    /** `trouble`: something could not be watched or backed up. The watch tries it again. */
    status: "trouble";
    /** Reference of the session; absent if the failure concerns no single session. */
    ref?: string;
    /** The failure, and what the user can do about it. */
    error: string;
  }
  | {
    /** Reported once, after a backup of all sessions older than the watch was tried. */
    status: "caught-up";
    sessions: number;
    /** Bytes that were added since the watch began. */
    added: number;
  };

export type KeptNews = Extract<WatchNews, { status: "kept" | "gone" }>;
type TroubleNews = Extract<WatchNews, { status: "trouble" }>;

/** Returns the news of one backup, and sets the session's `gone`. */
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

/** Failures of a watch that concern no single session. Each failure is reported once. */
export class WatchTroubles {
  readonly #told = new Map<string, string>();
  readonly #special: string[] = [];

  *tell(about: string, error: string): Generator<TroubleNews> {
    if (this.#told.get(about) === error) return;
    this.#told.set(about, error);
    yield { status: "trouble", error };
  }

  note(path: string): void {
    if (specialKind(path) !== undefined) this.#special.push(path);
  }

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
