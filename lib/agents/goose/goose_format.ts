/**
 * The format of goose's sessions: how its entries become events.
 *
 * Compaction hides messages from the model and adds some that the user does not see
 * (context_mgmt/mod.rs, `compact_messages`). The transcript is the rows with `userVisible`, the
 * conversation those with `agentVisible`. So each row's events say who gets them. The compaction
 * itself stands behind the last row that only one of them gets, and replaces nothing.
 */
import { present } from "../../event/present.ts";
import type { EventWriter } from "../../reading/events/event_writer.ts";
import type { SessionFormat } from "../../reading/session_format.ts";
import { entryOf, type GooseMessage } from "./goose_entry.ts";
import { gooseSource } from "./goose_source.ts";
import {
  type Dialogue,
  promptOf,
  startDialogue,
  writeHidden,
  writeMessage,
} from "./message_events.ts";
import { writeStart, writeUsage } from "./session_events.ts";
import { namedSubagent } from "./subagents.ts";
import type { Call } from "./tool_events.ts";

/** A dialogue as a place keeps it. */
interface SavedDialogue {
  calls: [string, Call][];
  turn_id?: string;
}

/** The format of goose's sessions, in its database and in its older files. */
export const gooseFormat: SessionFormat<Dialogue, SavedDialogue> = {
  source: gooseSource,
  holderOf: namedSubagent,
  begin({ session, writer }, first): Dialogue {
    const { info } = first === undefined ? {} : entryOf(first);
    if (info !== undefined) writeStart(writer, session, info);
    return startDialogue();
  },
  emit(record, dialogue, { writer }): string | void {
    const { message, usage, side } = entryOf(record);
    if (usage !== undefined) writeUsage(writer, usage);
    if (message !== undefined) writeSeen(writer, dialogue, message);
    return side;
  },
  standsAlone(record): boolean {
    const { message } = entryOf(record);
    return message !== undefined && message.user && message.role === "user" &&
      !message.content.some(({ type }) => type === "toolResponse") &&
      promptOf(message) !== undefined;
  },
  saveState: ({ calls, turn_id }) => present({ calls: [...calls], turn_id }),
  restoreState: (saved) => ({ turn_id: saved?.turn_id, calls: new Map(saved?.calls) }),
};

/** Writes a message for those who get it, and the compaction that ends with it. */
function writeSeen(writer: EventWriter, dialogue: Dialogue, message: GooseMessage): void {
  const { id, created: time, record, agent, user, compaction } = message;
  if (!agent && !user) return writeHidden(writer, message);
  writer.audience = agent && user ? undefined : agent ? "model" : "user";
  writeMessage(writer, dialogue, message);
  writer.audience = undefined;
  if (compaction?.at !== message.at) return;
  writer.emit("compaction_applied", {
    status: "Compacted the conversation",
    status_only: true,
    ...(compaction.summary === "" ? {} : { summary: compaction.summary }),
  }, { id, time, turn_id: dialogue.turn_id, record });
}
