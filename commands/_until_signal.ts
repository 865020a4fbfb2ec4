/** Runs work until it ends, or until a signal aborts it. */
import { onSignals } from "../lib/core/platform/signals.ts";
import { CommandExit, STATUS } from "./_failure.ts";
import { type ShowProgress, withProgress } from "../lib/frontends/ui/progress.ts";
import type { Context } from "./_context.ts";

const STATUSES = {
  SIGINT: STATUS.cancelled,
  SIGTERM: STATUS.terminated,
  SIGHUP: STATUS.terminated,
} as const;

type EndSignal = keyof typeof STATUSES;

/** The result of work. `status` is the exit status for the signal that stopped it, if any. */
interface StoppedWork<Result> {
  result: Result;
  status: number | undefined;
}

export async function withSignals<Result>(
  names: readonly EndSignal[],
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<StoppedWork<Result>> {
  const stop = new AbortController();
  let status: number | undefined;
  const listenerOf = (name: EndSignal) => (): void => {
    status = STATUSES[name];
    stop.abort();
  };
  const end = onSignals(Object.fromEntries(names.map((name) => [name, listenerOf(name)])));
  try {
    const result = await work(stop.signal);
    return { result, status };
  } finally {
    end();
  }
}

/**
 * Runs work until ^C or SIGTERM.
 *
 * @throws {CommandExit} `cancelled` after ^C. SIGTERM is no failure, because it stops a service.
 */
export async function untilSignal(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const { status } = await withSignals(["SIGINT", "SIGTERM"], work);
  if (status === STATUS.cancelled) throw new CommandExit(status);
}

/**
 * Runs work that ^C aborts. The work itself must remove its unfinished output.
 *
 * @throws {CommandExit} `cancelled`
 */
export async function untilInterrupted<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  let stopped: AbortSignal | undefined;
  try {
    const { result } = await withSignals(["SIGINT"], (signal) => work(stopped = signal));
    return result;
  } catch (error) {
    throw stopped?.aborted ? new CommandExit(STATUS.cancelled) : error;
  }
}

interface RunningWork {
  signal: AbortSignal;
  onProgress: ShowProgress;
}

export async function progressUntilInterrupted<Result>(
  context: Context,
  words: string,
  work: (running: RunningWork) => Promise<Result>,
): Promise<Result> {
  return await withProgress(
    context,
    words,
    (onProgress) => untilInterrupted((signal) => work({ signal, onProgress })),
  );
}
