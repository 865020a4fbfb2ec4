/** Opens windows on logs, with cuts that are near to one another. */
import { REPRISE } from "../../lib/event/agent_name.ts";
import { SessionWindow, type WindowOptions } from "../../lib/library/window/session_window.ts";
import { openCounted } from "../../lib/library/session_count.ts";
import { ownAgent } from "../../lib/session/own_agent.ts";

export function logWindow(path: string, options: WindowOptions = {}): SessionWindow {
  const reader = ownAgent.open({ agent: REPRISE, id: "", path });
  return new SessionWindow({
    ...{ path, log: path, has_tail: true },
    events: (reading) => reader.read(reading),
    tail: (messages, reading) => reader.readTail({ ...reading, messages }),
    openReading: (reading = {}) => openCounted({}, reader, reading),
  }, options);
}
