/** Reads the prompts that a user gave to a session in a timespan. */
import { contentFor } from "../../core/event/audience.ts";
import { contentText } from "../../core/event/message.ts";
import type { EventKind } from "../../core/event/payload.ts";
import { present } from "../../core/event/present.ts";
import { excerpt } from "../../core/projection/excerpt.ts";
import { isUnseen } from "../../core/projection/unseen_message.ts";
import type { SessionHandle } from "../../library/handle/session_handle.ts";
import { isWithin, type Timespan } from "./timespan.ts";

export interface Prompt {
  /** ISO 8601 time, absent if the session records none. */
  time?: string;
  /** The prompt's text on one line, at most 300 UTF-16 units. */
  text: string;
}

const NEEDS: ReadonlySet<EventKind> = new Set(["session_started", "user_message"]);

/**
 * Returns the prompts of the main thread in the timespan. A prompt without a time counts as given
 * at the time of the event before it.
 *
 * @throws {SessionError} If the session cannot be read.
 */
export async function promptsOf(handle: SessionHandle, timespan: Timespan): Promise<Prompt[]> {
  const prompts: Prompt[] = [];
  let last: string | undefined;
  for await (const events of handle.events({ needs: NEEDS })) {
    for (const event of events) {
      last = event.time ?? last;
      if (event.form !== "known" || event.kind !== "user_message") continue;
      if (isUnseen(event.payload) || !isWithin(timespan, Date.parse(last ?? ""))) continue;
      const text = excerpt(contentText(contentFor(event.payload.content, "user")));
      if (text !== "") prompts.push(present({ time: event.time, text }));
    }
  }
  return prompts;
}
