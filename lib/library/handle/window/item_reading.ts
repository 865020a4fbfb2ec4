/** Opens a session so that the items of any part of it can be read. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import type { PlacedEvents } from "../../../agents/contract/session_reading.ts";
import type { ResumedReading } from "../../counts/session_count.ts";
import type { SessionHandle } from "../session_handle.ts";
import { WINDOW_KINDS } from "../../catalogue/fold_items.ts";

export type WindowSession = Pick<
  SessionHandle,
  "path" | "log" | "has_tail" | "events" | "openReading" | "tail"
>;

export interface ItemReading extends ResumedReading {
  /** True if a read can start at any place, not only at the session's beginning. */
  is_placed: boolean;
}

export async function openItemReading(
  session: WindowSession,
  signal: AbortSignal,
): Promise<ItemReading> {
  const options = { needs: WINDOW_KINDS, signal };
  const reading = await session.openReading(options);
  return reading === undefined
    ? {
      is_placed: false,
      from: () => fromBeginning(session.events(options)),
      cuts: () => Promise.resolve([]),
      onCut(): void {},
    }
    : { ...reading, is_placed: true };
}

async function* fromBeginning(
  batches: AsyncIterable<readonly LogEvent[]>,
): AsyncGenerator<PlacedEvents> {
  for await (const events of batches) yield { events };
}
