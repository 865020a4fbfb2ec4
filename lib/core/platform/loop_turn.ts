/** Spreads blocking work over several turns of the event loop, so that each turn stays short. */
import { setImmediate } from "node:timers";

/** Maximum milliseconds of work in one turn of the event loop. More work waits for the next. */
const MOST_MS = 8;

const waiting: (() => void)[] = [];
let began: number | undefined;
/** True after a caller of `timeInTurn` got time, until the caller begins its work. */
let is_given = false;

/** Does work now if this turn of the event loop has time left, else after work queued earlier. */
export function withinTurn<Result>(work: () => Result): Result | Promise<Awaited<Result>> {
  const now = performance.now();
  if (began === undefined) {
    began = now;
    setImmediate(nextTurn);
    return work();
  }
  if (waiting.length === 0 && now - began < MOST_MS) return work();
  return new Promise((resolve, reject) => {
    waiting.push(() => {
      try {
        resolve(work() as Awaited<Result>);
      } catch (error) {
        reject(error);
      }
    });
  });
}

function nextTurn(): void {
  began = waiting.length > 0 ? performance.now() : undefined;
  if (began !== undefined) workOn(began);
}

/**
 * Runs the functions in `waiting` one by one, until this turn of the event loop has no time left.
 * Code that awaits a function's result runs before the next function, in the same turn.
 */
function workOn(since: number): void {
  const work = performance.now() - since < MOST_MS ? waiting.shift() : undefined;
  if (work === undefined) return void setImmediate(nextTurn);
  work();
  queueMicrotask(() => workOn(since));
}

/**
 * Resolves once a turn of the event loop has time left for a piece of long work. Returns undefined
 * if this turn has time left. Await this function before each piece of long work.
 */
export function timeInTurn(): Promise<void> | undefined {
  if (is_given) return new Promise((resolve) => void waiting.push(resolve));
  const wait = withinTurn(() => undefined) ?? undefined;
  if (wait === undefined) {
    is_given = true;
    queueMicrotask(() => is_given = false);
  }
  return wait;
}

export function laterTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
