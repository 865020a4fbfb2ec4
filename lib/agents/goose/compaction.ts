/** Tells what a compaction hid from the model, and what the model got for it. */
import { contentText } from "../../event/message.ts";
import type { GooseCompaction, GooseMessage } from "./goose_entry.ts";
import { promptOf } from "./message_events.ts";
import { isOneSided } from "./visibility.ts";

/**
 * Makes the compaction of a session. It ends with the last message that not both user and model get.
 *
 * @param messages Last one first.
 * @returns Undefined where the model still gets all that the user saw.
 */
export function compactionOf(messages: Iterable<GooseMessage>): GooseCompaction | undefined {
  let end: number | undefined;
  let summary: string | undefined;
  let hides = false;
  for (const message of messages) {
    if (!isOneSided(message)) continue;
    end ??= message.at;
    if (message.user) hides = true;
    else if (message.role === "user") summary ??= contentText(promptOf(message) ?? "");
    if (hides && summary !== undefined) break;
  }
  return hides && end !== undefined ? { at: end, summary: summary ?? "" } : undefined;
}
