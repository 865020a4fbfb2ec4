/**
 * A Claude Code session, or one of its threads, as events.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import { readBranch } from "./read.ts";
import { findThread, isMain } from "./threads.ts";

/** Reads a session; see {@linkcode Agent.read}. */
export async function* readSession(
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const { in_force = false, thread = "" } = options;
  if (isMain(options)) return yield* readBranch(session, options, () => ({ in_force }));
  const { path, scope } = await findThread(session, thread);
  yield* readBranch({ ...session, path }, options, (index) => ({ ...scope(index), in_force }));
}
