/** Reads a session of a linear format from its beginning. */
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import type { SessionFormat } from "../session_format.ts";
import { FormatRun } from "./format_run.ts";

/** Yields the events of a thread, named by its whole id; see {@linkcode SessionReader.read}. */
export async function* readFormat<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const { account, report, signal, thread = MAIN_THREAD } = options;
  const run = new FormatRun(format, session, options);
  const source = format.source(session, thread);
  for await (const records of source.read({ account, report, signal })) {
    await run.take(records);
    const events = run.events();
    if (events.length > 0) yield events;
  }
  await run.end();
  const events = run.events();
  if (events.length > 0) yield events;
}
