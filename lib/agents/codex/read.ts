/**
 * A session of Codex as our events: one of its threads.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { Message } from "../../event/message.ts";
import type { AgentConversationOptions, AgentReadOptions } from "../../source/agent.ts";
import { present } from "../../reading/json_value.ts";
import type { MessageChoice } from "../../reading/events/message_writer.ts";
import type { SessionReading } from "../../source/session_reading.ts";
import { openThreadReading, readThread, readThreadMessages } from "./read_thread.ts";
import type { CodexSession } from "./rollout.ts";
import { chooseThread } from "./threads.ts";

/**
 * The events of a thread. Where only what is in force is asked for, what a compaction replaced is not
 * read: the numbers of the events then begin there.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readCodex(
  session: CodexSession,
  options: AgentReadOptions = {},
): AsyncGenerator<LogEvent[]> {
  const { thread } = options;
  const chosen = thread === undefined ? { session } : await chooseThread(session, thread);
  yield* readThread(chosen, options);
}

/** Opens a session, or one of its threads; see {@linkcode Agent.openReading}. */
export async function openCodexReading(
  session: CodexSession,
  options: AgentReadOptions,
): Promise<SessionReading | undefined> {
  const { thread } = options;
  const chosen = thread === undefined ? { session } : await chooseThread(session, thread);
  return await openThreadReading(chosen, options);
}

/**
 * The messages that Codex would send on resume, in batches; see {@linkcode Agent.messages}.
 *
 * @throws {SessionError} From the iterator: `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function* readCodexMessages(
  session: CodexSession,
  options: AgentConversationOptions = {},
): AsyncGenerator<Message[]> {
  const { thread, tools, reasoning } = options;
  const choice: MessageChoice = present({ tools, reasoning });
  const chosen = thread === undefined ? { session } : await chooseThread(session, thread);
  yield* readThreadMessages(chosen, choice, options);
}
