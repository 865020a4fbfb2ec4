/** Spreads work that blocks over several turns of the event loop, so that a burst stops it briefly. */
import { setImmediate } from "node:timers";

/** Milliseconds of one turn after which more work waits for the next one. */
const MOST_MS = 8;

const waiting: (() => void)[] = [];
let began: number | undefined;
/** True while a caller has got time and has not begun: its time is not in the clock yet. */
let is_given = false;

/** Does some work: at once if this turn has time left, else in the order of the calls. */
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

/** Does the work that waits, one by one: what a promise continues takes time of this turn, too. */
function workOn(since: number): void {
  const work = performance.now() - since < MOST_MS ? waiting.shift() : undefined;
  if (work === undefined) return void setImmediate(nextTurn);
  work();
  queueMicrotask(() => workOn(since));
}

/**
 * Resolves once this turn has time left for a piece of long work; undefined if it has. Callers that
 * await it before each piece share the turn.
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

/** Resolves in the next turn. */
export function laterTurn(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
