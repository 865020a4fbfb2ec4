/**
 * The last messages of a session, read from its end wherever that can be done.
 */
import { type AgentName, isAgentName } from "../../lib/event/agent_name.ts";
import type { LogEvent } from "../../lib/event/envelope.ts";
import { type Content, contentText } from "../../lib/event/message.ts";
import type { EventKind } from "../../lib/event/payload.ts";
import { linesFromEnd } from "../../lib/log/backward_reader.ts";
import { openToRead } from "../../lib/log/byte_source.ts";
import { parseLine } from "../../lib/log/line_parser.ts";
import { emptyTally, type ParseState } from "../../lib/log/parse_state.ts";
import { foldEvents } from "../../lib/projection/projection.ts";
import type { Summary } from "../../lib/projection/summary_row.ts";
import { transcript } from "../../lib/projection/transcript.ts";
import type { MessageItem, TranscriptItem } from "../../lib/projection/transcript_item.ts";

const MESSAGES = 4;
/** Of a message; what is longer shows its end alone. */
const MOST_CHARACTERS = 4000;
/** A screen full of messages that is not in so much of a log's end is not looked for further. */
const MOST_BYTES = 8 * 1024 * 1024;
/** What can only be read whole, and is larger than this, has no preview. */
const MOST_WHOLE_BYTES = 16 * 1024 * 1024;

const KINDS: ReadonlySet<EventKind> = new Set<EventKind>([
  "user_message",
  "assistant_message",
  "assistant_interrupted",
]);

/** The last messages of a session; none where they would take too long to find. */
export async function lastMessages(row: Summary, signal: AbortSignal): Promise<MessageItem[]> {
  const events = isAgentName(row.agent)
    ? await foreignEvents(row, row.agent, signal)
    : await ownEvents(row.path, signal);
  const items: TranscriptItem[] = foldEvents(transcript(), events);
  return items.filter((item) => item.type === "message")
    .filter(({ content }) => contentText(content).trim() !== "")
    .slice(-MESSAGES)
    .map((item) => ({ ...item, content: endOf(item.content), ...number(row) }));
}

/** Of another agent's session the end is read by itself, so its events' numbers are not known. */
function number({ agent }: Summary): { seq?: 0 } {
  return isAgentName(agent) ? { seq: 0 } : {};
}

function endOf(content: Content): string {
  const text = contentText(content).trim();
  return text.length <= MOST_CHARACTERS ? text : `…${text.slice(-MOST_CHARACTERS)}`;
}

async function ownEvents(path: string, signal: AbortSignal): Promise<LogEvent[]> {
  const file = await openToRead(path);
  try {
    const found: LogEvent[] = [];
    let bytes = 0;
    for await (const lines of linesFromEnd(file, { max_line_bytes: MOST_BYTES })) {
      for (const line of lines) {
        if (signal.aborted || bytes > MOST_BYTES) return found.reverse();
        bytes += line.length;
        const events: LogEvent[] = [];
        parseLine(oneLine(), line, events);
        found.push(...events.filter(speaks).reverse());
        if (found.length >= MESSAGES) return found.reverse();
      }
    }
    return found.reverse();
  } finally {
    file.close();
  }
}

function oneLine(): ParseState {
  return { last_seq: undefined, kinds: KINDS, report(): void {}, tally: emptyTally() };
}

/** Whether an event says something; an answer that only calls tools does not. */
function speaks(event: LogEvent): boolean {
  if (event.form !== "known") return false;
  if (event.kind === "assistant_interrupted") return true;
  return (event.kind === "user_message" || event.kind === "assistant_message") &&
    contentText(event.payload.content).trim() !== "";
}

async function foreignEvents(
  row: Summary,
  name: AgentName,
  signal: AbortSignal,
): Promise<readonly LogEvent[]> {
  const { loadAgent } = await import("../../lib/agents/registry.ts");
  const agent = await loadAgent(name);
  const { path, cwd } = row;
  const session = { agent: name, id: row.session_id, path, ...(cwd === undefined ? {} : { cwd }) };
  const options = { needs: KINDS, signal };
  if (agent.readTail !== undefined) {
    // Some of the last messages may only call tools.
    return await agent.readTail(session, { ...options, messages: 4 * MESSAGES });
  }
  if ((row.bytes ?? 0) > MOST_WHOLE_BYTES) return [];
  let events: LogEvent[] = [];
  for await (const batch of agent.read(session, options)) {
    if (signal.aborted) return [];
    events = [...events, ...batch.filter(speaks)].slice(-MESSAGES);
  }
  return events;
}
