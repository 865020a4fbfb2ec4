/**
 * A Claude Code session, or one of its threads, as events.
 */
import type { LogEvent } from "../../event/envelope.ts";
import type { AgentReadOptions, AgentSession } from "../../source/agent.ts";
import type { SessionReading } from "../../source/session_reading.ts";
import { MAIN_THREAD } from "../../source/session_thread.ts";
import { EventWriter } from "../../reading/events/event_writer.ts";
import type { BranchPlace } from "./branch_place.ts";
import { branchEvents, openBranch, readBranch } from "./read.ts";
import type { RecordIndex } from "./index/record_index.ts";
import type { PathScope } from "./path/live_path.ts";
import { findThread } from "./threads.ts";

/** Reads a session; see {@linkcode Agent.read}. */
export async function* readSession(
  session: AgentSession,
  options: AgentReadOptions = {},
): AsyncGenerator<readonly LogEvent[]> {
  const { in_force = false, thread = MAIN_THREAD } = options;
  const { path, scope, ...place } = await findThread(session, thread);
  const inForce = (index: RecordIndex): PathScope => ({ ...scope(index), in_force });
  yield* readBranch({ ...session, path }, options, { ...place, scope: inForce });
}

/** Opens a session, or one of its threads; see {@linkcode Agent.openReading}. */
export async function openReading(
  session: AgentSession,
  options: AgentReadOptions,
): Promise<SessionReading> {
  const place = await findThread(session, options.thread ?? MAIN_THREAD);
  const branch = await openBranch({ ...session, path: place.path }, options, place);
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
