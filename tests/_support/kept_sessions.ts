/** Sessions of one prompt, kept at times that can be told apart. */
import type { LocalStore } from "../../lib/core/store/local_store.ts";
import { user } from "./log_bytes.ts";

/** What the clock says first. */
export const START = Date.UTC(2026, 10, 21, 20, 0, 0);

/** A clock that ticks a second each time it is looked at. */
export function ticking(): { now: () => Date } {
  let ticks = 0;
  return { now: () => new Date(START + 1000 * ticks++) };
}

/** Keeps a session with one prompt; gives its id. */
export async function keepPrompt(store: LocalStore, cwd: string, text: string): Promise<string> {
  const session = store.create({ cwd });
  await session.append(user(text));
  await session.finish();
  return session.id;
}
