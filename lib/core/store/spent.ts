/**
 * The cost of a response that is not a message: it was cut off, failed, or became a summary. An
 * answer without content records the cost.
 */
import type { NewEvent } from "../event/envelope.ts";
import type { Guard } from "../event/guard.ts";
import { present } from "../event/present.ts";
import { options, unchecked } from "./checked_options.ts";
import type { Appended, CompactOptions } from "./session_parts.ts";

type ResponseCost = NonNullable<CompactOptions["spent"]>;

/** Checks the names of the fields. Their values are checked with the event. */
export const spentGuard: Guard = options<ResponseCost>({
  model: unchecked,
  provider: unchecked,
  request_id: unchecked,
  usage: unchecked,
  last_prompt_tokens: unchecked,
  usage_of: unchecked,
  cost_usd: unchecked,
});

/** Returns `event`. If `spent` has a value, an empty answer that records the cost comes first. */
export function withSpent(event: NewEvent, spent: ResponseCost = {}): NewEvent[] {
  if (Object.values(spent).every((value) => value === undefined)) return [event];
  const message_id = crypto.randomUUID();
  return [
    { kind: "assistant_message", payload: { content: "", message_id, ...present(spent) } },
    event,
  ];
}

export async function appendedLast(
  session: { appendAll(events: readonly NewEvent[]): Promise<Appended[]> },
  events: readonly NewEvent[],
): Promise<Appended> {
  return (await session.appendAll(events)).at(-1) as Appended;
}
