/** Estimates the size of events in characters, to limit events that wait for a call's result. */

/** Default limit for a call without a result: characters of the events that follow the call. */
export const MOST_WAITING = 4 * 1024 * 1024;

/** The size of an event without its texts, in characters. */
const EVENT_SIZE = 200;
const VALUE_SIZE = 20;

export function eventSize({ payload }: { payload: unknown }): number {
  return EVENT_SIZE + textSize(payload);
}

function textSize(value: unknown): number {
  if (typeof value === "string") return value.length;
  if (typeof value !== "object" || value === null) return 0;
  let size = 0;
  for (const one of Object.values(value)) size += VALUE_SIZE + textSize(one);
  return size;
}
