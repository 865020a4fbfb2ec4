/** Opens windows on logs, with cuts that are near to one another. */
import { SessionWindow, type WindowOptions } from "../../lib/library/window/session_window.ts";
import { openLogReading } from "../../lib/session/log_reading.ts";

export function logWindow(path: string, options: WindowOptions = {}): SessionWindow {
  const unused = (): never => {
    throw new Error("a log is read from its places");
  };
  return new SessionWindow({
    ...{ path, log: path, has_tail: true, events: unused, tail: unused },
    openReading: (reading = {}) => openLogReading(path, reading),
  }, options);
}
