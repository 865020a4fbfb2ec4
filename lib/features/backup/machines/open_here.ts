/** Looks up whether an agent has a session open on this machine. */
import type { Library } from "../../../library/library.ts";
import { LiveSessions } from "../../../library/handle/live_sessions.ts";
import { loadLocator } from "../../../library/machine/locators.ts";
import type { IsOpen } from "./settle_streams.ts";

/** Returns a function that is true for a session that a process has open now. */
export function openHere(library: Library): IsOpen {
  const live = new LiveSessions(library.place);
  return async (session) => {
    const { isActive } = await loadLocator(session.agent);
    if (isActive !== undefined) return isActive(session);
    if (await live.hasEnded(session)) return false;
    return await live.processOf(session, session.cwd) !== undefined;
  };
}
