/**
 * A session as it goes on.
 */
import type { Report } from "../lib/log/diagnostic.ts";
import type { SessionHandle } from "../lib/library/session_handle.ts";
import { onSignals } from "../lib/platform/signals.ts";
import type { Context } from "./_context.ts";
import { CommandExit, STATUS } from "./_failure.ts";
import { say } from "./_message.ts";
import type { SessionView, Shown } from "./_session_view.ts";
import { LastItems } from "./_transcript.ts";

/** How to follow. */
export interface FollowOptions {
  report: Report;
  /** Only so many items of what was there before; undefined for all. */
  last: number | undefined;
  /** True to read of what was there the end alone. */
  tail?: boolean;
}

/**
 * Prints what is there, then what arrives, until the process is told to stop.
 *
 * @throws {CommandExit} `cancelled`, always.
 */
export async function follow<Item extends Shown>(
  context: Context,
  session: SessionHandle,
  { report, last, tail = false }: FollowOptions,
  { take, rest, print }: SessionView<Item>,
): Promise<never> {
  const stop = new AbortController();
  const endListening = onSignals({ SIGINT: () => stop.abort() });
  const before = new LastItems<Item>(last);
  let live = false;
  const onCaughtUp = (): void => {
    live = true;
    for (const item of before.items) print(item);
  };
  try {
    const told: Promise<void>[] = [];
    const { ref } = session;
    const onRewritten = (): void => {
      told.push(say(context, `reprise: ${ref} was rewritten; what follows is new in it`));
    };
    const onBranch = (): void => {
      const how = `the one before: reprise show ${ref} --threads`;
      told.push(say(context, `reprise: ${ref} continues on a new branch; ${how}`));
    };
    const options = { signal: stop.signal, report, onCaughtUp, onRewritten, onBranch };
    const from = tail && last !== undefined ? { last_messages: last } : {};
    for await (const events of session.watch({ ...options, ...from })) {
      await Promise.all(told.splice(0));
      for (const item of take(events)) {
        if (live) print(item);
        else before.push(item);
      }
    }
    for (const item of rest()) print(item);
  } finally {
    endListening();
  }
  throw new CommandExit(STATUS.cancelled);
}
