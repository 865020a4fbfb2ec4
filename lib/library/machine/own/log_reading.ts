/** Reads the main branch path of a log from its beginning or from a byte offset. */
import type { LogEvent } from "../../../core/event/envelope.ts";
import { present } from "../../../core/event/present.ts";
import { checksumHistory } from "../../../core/log/checksum_history.ts";
import { readEvents } from "../../../core/log/read_events.ts";
import { BranchPath } from "../../../core/projection/branch_path.ts";
import type { AgentReadOptions } from "../../../agents/contract/agent.ts";
import type {
  PlacedEvents,
  ReadPlace,
  SessionReading,
} from "../../../agents/contract/session_reading.ts";
import { findBranches } from "../../../core/store/log_branches.ts";

/**
 * Opens a log to be read from given offsets. All reads end where the log ends now.
 *
 * @throws {SessionError} `not-found`, `permission`, `io`, `unsupported-source`
 */
export async function openLogReading(
  path: string,
  { needs, report, signal }: AgentReadOptions,
): Promise<SessionReading> {
  const { branches, to } = await findBranches(path);
  const way = new BranchPath(branches);
  const options = present({ kinds: needs, report, to, history: checksumHistory(path) });
  return {
    async *from(place, read_signal = signal): AsyncGenerator<PlacedEvents> {
      // Salvaging a damaged line needs the number before it.
      const { seq: after_seq = 0, offset: from = 0 } = place ?? {};
      const range = { ...options, after_seq, from, signal: read_signal };
      for await (const events of readEvents(path, range)) yield { events: way.of(events) };
    },
    placeBehind,
  };
}

function placeBehind(event: LogEvent): ReadPlace | undefined {
  const { seq, position } = event;
  if (position === undefined || !isSound(event)) return undefined;
  return { seq, offset: position.offset + position.length };
}

/** True if an event's number can be trusted, because its line is known and undamaged. */
export function isSound({ form, integrity }: LogEvent): boolean {
  return form === "known" && (integrity === "verified" || integrity === "unverified");
}
