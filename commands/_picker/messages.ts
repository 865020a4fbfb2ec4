/**
 * The last messages of a session, read from its end wherever that can be done.
 */
import { type Content, contentText } from "../../lib/event/message.ts";
import type { EventKind } from "../../lib/event/payload.ts";
import type { SessionHandle } from "../../lib/library/session_handle.ts";
import { foldEvents } from "../../lib/projection/projection.ts";
import { transcript } from "../../lib/projection/transcript/transcript.ts";
import type {
  MessageItem,
  TranscriptItem,
} from "../../lib/projection/transcript/transcript_item.ts";

const MESSAGES = 4;
/** Of a message; what is longer shows its end alone. */
const MOST_CHARACTERS = 4000;

const KINDS: ReadonlySet<EventKind> = new Set<EventKind>([
  "user_message",
  "assistant_message",
  "assistant_interrupted",
]);

/** Reads the last messages of a session. */
export async function lastMessages(
  session: SessionHandle,
  signal: AbortSignal,
): Promise<MessageItem[]> {
  // Some of the last messages may only call tools.
  const events = await session.tail(4 * MESSAGES, { needs: KINDS, signal });
  const items: TranscriptItem[] = foldEvents(transcript(), events);
  return items.filter((item) => item.type === "message")
    .filter(({ content }) => contentText(content).trim() !== "")
    .slice(-MESSAGES)
    .map((item) => ({ ...item, content: endOf(item.content), ...number(session) }));
}

/** Where the end is read by itself, its events' numbers are not known; those of a log are. */
function number({ log }: SessionHandle): { seq?: 0 } {
  return log === undefined ? { seq: 0 } : {};
}

function endOf(content: Content): string {
  const text = contentText(content).trim();
  return text.length <= MOST_CHARACTERS ? text : `…${text.slice(-MOST_CHARACTERS)}`;
}
