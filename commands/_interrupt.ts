import { addSignalListener, removeSignalListener } from "../lib/platform/signals.ts";
import { CommandExit, STATUS } from "./_failure.ts";

/**
 * Does what ^C stops, in order: what was begun is taken away.
 *
 * @throws {CommandExit} `cancelled`
 */
export async function untilInterrupted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const onSignal = (): void => stop.abort();
  addSignalListener("SIGINT", onSignal);
  try {
    return await work(stop.signal);
  } catch (error) {
    throw stop.signal.aborted ? new CommandExit(STATUS.cancelled) : error;
  } finally {
    removeSignalListener("SIGINT", onSignal);
  }
}
