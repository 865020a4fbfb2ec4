import type { LogEvent } from "../../core/event/envelope.ts";
import type { Message } from "../../core/event/message.ts";
import type { Agent, AgentReadOptions, AgentSession } from "../contract/agent.ts";
import type { SessionReading } from "../contract/session_reading.ts";
import type { EventSink } from "./events/event_writer.ts";
import { describeThreads, findThread, openFormatThreads } from "./linear/format_threads.ts";
import { openFormat, readFormat, readFormatMessages } from "./linear/read_format.ts";
import { readFormatTail } from "./linear/read_tail.ts";
import { summarizeFormat } from "./linear/summarize_format.ts";
import type { SessionFormat } from "./session_format.ts";
import { type AgentReads, deriveReader } from "./session_reader.ts";

/**
 * Makes an agent's `open` function from a format that stores each thread's records in order.
 *
 * @param own Reads that the agent implements itself.
 */
export function formatReader(format: SessionFormat, own: Partial<AgentReads> = {}): Agent["open"] {
  const read: AgentReads["read"] = (session, options) => readThread(format, session, options);
  const summarize = summarizeFormat(format, read);
  const has_threads = format.threads !== undefined || format.holderOf !== undefined;
  return deriveReader({
    read,
    summarize,
    has_lasting_places: !has_threads || format.stands !== undefined,
    async openReading(session, options): Promise<SessionReading | undefined> {
      const held = await findThread(format, session, options.thread);
      return openFormat(format, held.session, { ...options, thread: held.thread });
    },
    async readTail(session, options): Promise<readonly LogEvent[]> {
      const held = await findThread(format, session, options.thread);
      return await readFormatTail(format, held.session, { ...options, thread: held.thread });
    },
    threads: format.threads && ((session) => describeThreads(format, session, summarize)),
    openThreads: format.threads &&
      ((session, options) => openFormatThreads(format, session, options)),
    ...own,
  });
}

/** Returns a `messages` function that makes no events. The format must accept any sink. */
export function messageReader(
  format: SessionFormat<unknown, unknown, EventSink>,
): NonNullable<AgentReads["messages"]> {
  return async function* (session, options): AsyncGenerator<readonly Message[]> {
    const held = await findThread(format, session, options.thread);
    yield* readFormatMessages(format, held.session, { ...options, thread: held.thread });
  };
}

async function* readThread(
  format: SessionFormat,
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const held = await findThread(format, session, options.thread);
  yield* readFormat(format, held.session, { ...options, thread: held.thread });
}
