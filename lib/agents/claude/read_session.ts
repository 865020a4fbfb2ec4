/**
 * A Claude Code session, or one of its threads, as events.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import type { SessionReading } from "../../source/session_reading.ts";
import { EventWriter } from "../event_writer.ts";
import type { BranchPlace } from "./branch_place.ts";
import { branchEvents, openBranch, readBranch } from "./read.ts";
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

/** Opens a session, or one of its threads; see {@linkcode Agent.openReading}. */
export async function openReading(
  session: AgentSession,
  options: AgentReadOptions,
): Promise<SessionReading> {
  const { thread = "" } = options;
  const { path, scope } = isMain(options)
    ? { path: session.path, scope: () => ({}) }
    : await findThread(session, thread);
  const branch = await openBranch({ ...session, path }, options, scope);
  return {
    from: (place, signal) => {
      const writer = new EventWriter(session, options.needs, {
        behind: place?.seq ?? 0,
        named: false,
      });
      const read = signal === undefined ? branch : { ...branch, options: { ...options, signal } };
      return branchEvents(read, writer, place as BranchPlace | undefined);
    },
  };
}
