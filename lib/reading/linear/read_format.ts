/** Reads a session of a linear format from its beginning. */
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import type { SessionFormat } from "../session_format.ts";
import { FormatRun } from "./format_run.ts";

/** Yields the events of a session; see {@linkcode Agent.read}. */
export async function* readFormat<State>(
  format: SessionFormat<State>,
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const { account, report, signal } = options;
  const run = new FormatRun(format, session, options);
  for await (const records of format.source(session).read({ account, report, signal })) {
    await run.take(records);
    const events = run.events();
    if (events.length > 0) yield events;
  }
  await run.end();
  const events = run.events();
  if (events.length > 0) yield events;
}
