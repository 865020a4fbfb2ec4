/** Opens windows on logs, with cuts that are near to one another. */
import { REPRISE } from "../../lib/core/event/agent_name.ts";
import {
  SessionWindow,
  type WindowOptions,
} from "../../lib/library/handle/window/session_window.ts";
import { openCounted } from "../../lib/library/counts/session_count.ts";
import { ownAgent } from "../../lib/library/machine/own/own_agent.ts";

export function logWindow(path: string, options: WindowOptions = {}): SessionWindow {
  const reader = ownAgent.open({ agent: REPRISE, id: "", path });
  return new SessionWindow({
    ...{ path, log: path, has_tail: true },
    events: (reading) => reader.read(reading),
    tail: (messages, reading) => reader.readTail({ ...reading, messages }),
    openReading: (reading = {}) => openCounted({}, reader, reading),
  }, options);
}
