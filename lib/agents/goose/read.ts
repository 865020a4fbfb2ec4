/**
 * Reads a session of goose as events.
 *
 * Compaction hides messages from the model and adds some that the user does not see
 * (context_mgmt/mod.rs, `compact_messages`). The transcript is the rows with `userVisible`, the
 * conversation those with `agentVisible`. So each row's events say who gets them. The compaction
 * itself stands behind the last row that only one of them gets, and replaces nothing.
 */
import type { LogEvent } from "../../event/envelope.ts";
import { contentText } from "../../event/message.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import { count } from "../../source/source_account.ts";
import type { GooseMessage, GooseSession, GooseUsage } from "./goose_session.ts";
import {
  answeredBy,
  type Dialogue,
  promptOf,
  startDialogue,
  writeHidden,
  writeMessage,
} from "./message_events.ts";
import { openSession } from "./open_session.ts";
import { writeStart, writeUsage } from "./session_events.ts";
import { namedSubagent } from "./subagents.ts";

/** The events of a session. */
export async function* readSession(
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<LogEvent[]> {
  const subagent = namedSubagent(session, options.thread);
  if (subagent !== undefined) {
    const { thread: _, ...rest } = options;
    return yield* readSession(subagent, rest);
  }
  const { needs, account, report, signal } = options;
  using source = openSession(session);
  if (account !== undefined) account.unit = source.unit;
  const writer = new EventWriter(session, needs);
  const reading = await startReading(writer, session, source);
  for await (const messages of source.messages({ report, account, signal })) {
    signal?.throwIfAborted();
    for (const message of messages) {
      if (beginsExchange(reading, message)) readExchange(reading);
      reading.exchange.push(message);
      count(account, "events", message.weight);
    }
    const events = writer.take();
    if (events.length > 0) yield events;
  }
  readExchange(reading);
  writeUsageUntil(reading, Infinity);
  count(account, "events", source.info?.weight ?? 0);
  source.countRest({ report, account });
  const events = writer.take();
  if (events.length > 0) yield events;
}

interface Reading {
  writer: EventWriter;
  dialogue: Dialogue;
  /** Answers side by side and what came then, until the next. */
  exchange: GooseMessage[];
  /** What calls took, the next one last. */
  usage: GooseUsage[];
  /** The last row that only one of them gets. */
  boundary: number;
  /** The last text up to there that only the model gets. */
  summary: string | undefined;
  /** Whether the user saw something that the model no longer gets. */
  compacted: boolean;
}

async function startReading(
  writer: EventWriter,
  session: AgentSession,
  source: GooseSession,
): Promise<Reading> {
  if (source.info !== undefined) writeStart(writer, session, source.info);
  return {
    writer,
    dialogue: startDialogue(),
    exchange: [],
    usage: [...source.usage].reverse(),
    boundary: await source.lastHidden(),
    summary: undefined,
    compacted: false,
  };
}

/** An answer begins one: what is said before the next answers its requests. */
function beginsExchange({ exchange }: Reading, { role }: GooseMessage): boolean {
  return role === "assistant" && exchange.at(-1)?.role !== "assistant";
}

function readExchange(reading: Reading): void {
  reading.dialogue.answered = answeredBy(reading.exchange);
  for (const message of reading.exchange) readMessage(reading, message);
  reading.exchange = [];
}

function readMessage(reading: Reading, message: GooseMessage): void {
  const { writer, dialogue, boundary } = reading;
  const { agent, user, ordinal } = message;
  writeUsageUntil(reading, message.created ?? 0);
  if (!agent && !user) return writeHidden(writer, message);
  writer.audience = agent && user ? undefined : agent ? "model" : "user";
  writeMessage(writer, dialogue, message);
  writer.audience = undefined;
  if (ordinal > boundary) return;
  if (!agent) reading.compacted = true;
  if (!user && message.role === "user") reading.summary = contentText(promptOf(message) ?? "");
  if (ordinal === boundary && reading.compacted) writeCompaction(reading, message);
}

function writeCompaction(
  { writer, dialogue, summary = "" }: Reading,
  { id, created: time, record }: GooseMessage,
): void {
  writer.emit("compaction_applied", {
    status: "Compacted the conversation",
    status_only: true,
    ...(summary === "" ? {} : { summary }),
  }, { id, time, turn_id: dialogue.turn_id, record });
}

/** Writes what calls took that ended before a time. */
function writeUsageUntil({ writer, usage }: Reading, time: number): void {
  for (let next = usage.at(-1); next !== undefined; next = usage.at(-1)) {
    if ((next.created ?? Infinity) >= time && time !== Infinity) return;
    writeUsage(writer, next);
    usage.pop();
  }
}
