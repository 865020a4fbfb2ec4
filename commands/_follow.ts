/**
 * A session as it goes on.
 */
import type { Report } from "../lib/log/diagnostic.ts";
import { watchEvents } from "../lib/session/watch_events.ts";
import { CommandExit, STATUS } from "./_failure.ts";
import type { SessionView } from "./_session_view.ts";
import { LastItems } from "./_transcript.ts";

/** What to follow. */
export interface FollowOptions {
  path: string;
  report: Report;
  /** Only so many items of what was there before; undefined for all. */
  last: number | undefined;
}

/**
 * Prints what is there, then what arrives, until the process is told to stop.
 *
 * @throws {CommandExit} `cancelled`, always.
 */
export async function follow<Item>(
  { path, report, last }: FollowOptions,
  { take, rest, print }: SessionView<Item>,
): Promise<never> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  Deno.addSignalListener("SIGINT", onSignal);
  const before = new LastItems<Item>(last);
  let live = false;
  const onCaughtUp = (): void => {
    live = true;
    for (const item of before.items) print(item);
  };
  try {
    for await (const events of watchEvents(path, { signal: stop.signal, report, onCaughtUp })) {
      for (const item of take(events)) {
        if (live) print(item);
        else before.push(item);
      }
    }
    for (const item of rest()) print(item);
  } finally {
    Deno.removeSignalListener("SIGINT", onSignal);
  }
  throw new CommandExit(STATUS.cancelled);
}
