/** Reads the messages of a session of a linear format, without events in between. */
import type { Message } from "../../event/message.ts";
import type { AgentConversationOptions, AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import type { EventSink } from "../events/event_writer.ts";
import { MessageWriter } from "../events/message_writer.ts";
import { present } from "../json_value.ts";
import type { SessionFormat } from "../session_format.ts";
import type { ForceStart, RecordSource } from "../sources/record_source.ts";
import { FormatRun } from "./format_run.ts";

/** Yields the messages of a thread, named by its whole id; see {@linkcode SessionReader.messages}. */
export async function* readFormatMessages<State>(
  format: SessionFormat<State, unknown, EventSink>,
  session: AgentSession,
  options: AgentConversationOptions,
): AsyncGenerator<readonly Message[]> {
  const { tools, reasoning, report, signal, thread = MAIN_THREAD } = options;
  const writer = new MessageWriter(present({ tools, reasoning }));
  const run = new FormatRun(format, session, writer, { report, thread });
  const source = format.source(session, thread);
  const start = await forceStart(source, signal);
  const skip = format.skips?.(writer.needs);
  for await (const records of source.read({ report, signal, skip }, start?.position)) {
    await run.take(records);
    // A record that is still to come may replace what was said.
    const messages = start?.settled ? writer.take() : [];
    if (messages.length > 0) yield messages;
  }
  await run.end();
  yield writer.takeLast();
}

/** Finds where the conversation in force begins; undefined where all records are read. */
export async function forceStart(
  source: RecordSource,
  signal: AbortSignal | undefined,
): Promise<ForceStart | undefined> {
  return "rewritten" in source ? undefined : await source.inForce?.(signal);
}
