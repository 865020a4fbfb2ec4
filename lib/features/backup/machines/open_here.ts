/** Looks up whether an agent has a session open on this machine. */
import { SessionError } from "../../../core/event/session_error.ts";
import type { Library } from "../../../library/library.ts";
import type { SessionHandle } from "../../../library/handle/session_handle.ts";
import { LiveSessions } from "../../../library/handle/live_sessions.ts";
import { loadLocator } from "../../../library/machine/locators.ts";
import { readLedger } from "./own_streams.ts";
import { adoptPlaced } from "./placed_streams.ts";
import type { IsOpen } from "./settle_streams.ts";

export function openHere(library: Library): IsOpen {
  const live = new LiveSessions(library.place);
  return async (session) => {
    const { isActive } = await loadLocator(session.agent);
    if (isActive !== undefined) return isActive(session);
    if (await live.hasEnded(session)) return false;
    return await live.processOf(session, session.cwd) !== undefined;
  };
}

/**
 * Refuses to continue a session that is sent to other machines while its agent has it open here.
 * Two clients would write into one file.
 *
 * @throws {SessionError} `locked`
 */
export async function assertNotOpenHere(library: Library, handle: SessionHandle): Promise<void> {
  const { ref, session, agent_title } = handle;
  const ledger = readLedger(library.root);
  adoptPlaced(library.root, ledger);
  if (ledger.streams[ref] === undefined) return;
  const { isActive } = await loadLocator(session.agent);
  const is_open = isActive === undefined
    ? await new LiveSessions(library.place).isMarked(session)
    : isActive(session);
  if (!is_open) return;
  const message = `Cannot resume ${ref}: ${agent_title} has it open on this machine. Continue it ` +
    `there, or close it first. To make a copy: reprise handover ${ref} --to ${session.agent} --again`;
  throw new SessionError("locked", message, { ref });
}
