/**
 * The last messages of a session, read from its end wherever that can be done.
 */
import type { LogEvent } from "../../lib/event/envelope.ts";
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
/** What can only be read whole, and is larger than this, has no preview. */
const MOST_WHOLE_BYTES = 16 * 1024 * 1024;

const KINDS: ReadonlySet<EventKind> = new Set<EventKind>([
  "user_message",
  "assistant_message",
  "assistant_interrupted",
]);

/** The last messages of a session; none where they would take too long to find. */
export async function lastMessages(
  session: SessionHandle,
  bytes: number,
  signal: AbortSignal,
): Promise<MessageItem[]> {
  const items: TranscriptItem[] = foldEvents(
    transcript(),
    await lastEvents(session, bytes, signal),
  );
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

async function lastEvents(
  session: SessionHandle,
  bytes: number,
  signal: AbortSignal,
): Promise<readonly LogEvent[]> {
  const options = { needs: KINDS, signal };
  // Some of the last messages may only call tools.
  const end = await session.tail(4 * MESSAGES, options);
  if (end !== undefined) return end;
  if (bytes > MOST_WHOLE_BYTES) return [];
  let events: LogEvent[] = [];
  for await (const batch of session.events(options)) {
    if (signal.aborted) return [];
    events = [...events, ...batch].slice(-4 * MESSAGES);
  }
  return events;
}
