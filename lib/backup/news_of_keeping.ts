/** Tells what became of a session that was kept. */
import { join } from "node:path";
import { sessionRef } from "../source/session_name.ts";
import type { Keeping } from "./keep_session.ts";
import type { WatchNews } from "./watch_news.ts";
import type { WatchedSession } from "./watched_session.ts";

/** The news of one keeping; notes on the session whether its own file is gone. */
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
    news.push({ status: "kept", ...told, ...(began === undefined ? {} : { began }) });
  }
  if (gone && !was_gone) news.push({ status: "gone", ...told });
  return news;
}
