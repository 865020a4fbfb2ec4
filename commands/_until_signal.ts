/** Runs work that signals stop. */
import { onSignals } from "../lib/core/platform/signals.ts";
import { CommandExit, STATUS } from "./_failure.ts";
import { type ShowProgress, withProgress } from "../lib/frontends/ui/progress.ts";
import type { Context } from "./_context.ts";

/** Exit statuses of signals that end the program. */
const STATUSES = {
  SIGINT: STATUS.cancelled,
  SIGTERM: STATUS.terminated,
  SIGHUP: STATUS.terminated,
} as const;

type EndSignal = keyof typeof STATUSES;

/** The result of work, and the status of the signal that stopped it. */
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
 * Works until ^C or SIGTERM.
 *
 * @throws {CommandExit} `cancelled` by ^C. SIGTERM is how a service is stopped, and no failure.
 */
export async function untilSignal(work: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const { status } = await withSignals(["SIGINT", "SIGTERM"], work);
  if (status === STATUS.cancelled) throw new CommandExit(status);
}

/**
 * Runs work that ^C stops. The work removes its unfinished output.
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

/** The signal and the progress of {@linkcode progressUntilInterrupted}. */
interface RunningWork {
  signal: AbortSignal;
  onProgress: ShowProgress;
}

/**
 * Runs work that shows its progress, and that ^C stops.
 *
 * @throws {CommandExit} `cancelled`
 */
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
