/** The prompts of a session, which serve as its table of contents. */
import { contentText } from "../../../core/event/message.ts";
import type { TranscriptItem } from "../../../core/projection/transcript/item.ts";

export interface WindowPrompt {
  /** The number of the prompt's item, from 0. */
  item: number;
  seq: number;
  /** Time of the prompt as ISO 8601 in UTC; absent if the session has none. */
  time?: string;
  /** The beginning of the message, on one line. */
  text: string;
}

const MOST_TEXT = 160;

export function promptsOf(items: readonly TranscriptItem[], first: number): WindowPrompt[] {
  return items.flatMap((item, index) => {
    if (item.type !== "message" || item.role !== "user") return [];
    const { seq, time } = item;
    // A long prompt is not searched to its end for its beginning.
    const text = contentText(item.content).slice(0, 4 * MOST_TEXT).replace(/\s+/g, " ").trim();
    const prompt = { item: first + index, seq, text: text.slice(0, MOST_TEXT) };
    return [time === undefined ? prompt : { ...prompt, time }];
  });
}
