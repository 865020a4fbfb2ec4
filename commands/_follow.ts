/**
 * A session as it goes on.
 */
import type { Report } from "../lib/log/diagnostic.ts";
import type { SessionHandle } from "../lib/library/session_handle.ts";
import { addSignalListener, removeSignalListener } from "../lib/platform/signals.ts";
import { CommandExit, STATUS, UsageError } from "./_failure.ts";
import type { SessionView } from "./_session_view.ts";
import { LastItems } from "./_transcript.ts";

/** How to follow. */
export interface FollowOptions {
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
  session: SessionHandle,
  { report, last }: FollowOptions,
  { take, rest, print }: SessionView<Item>,
): Promise<never> {
  if (session.log === undefined) {
    throw new UsageError("--follow works only with Reprise sessions");
  }
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  addSignalListener("SIGINT", onSignal);
  const before = new LastItems<Item>(last);
  let live = false;
  const onCaughtUp = (): void => {
    live = true;
    for (const item of before.items) print(item);
  };
  try {
    for await (
      const events of session.watch({ signal: stop.signal, report, onCaughtUp }) ?? []
    ) {
      for (const item of take(events)) {
        if (live) print(item);
        else before.push(item);
      }
    }
    for (const item of rest()) print(item);
  } finally {
    removeSignalListener("SIGINT", onSignal);
  }
  throw new CommandExit(STATUS.cancelled);
}
