/** Makes the reader of an agent from its format. */
import type { LogEvent } from "../event/envelope.ts";
import type { Agent } from "../source/agent.ts";
import type { SessionReading } from "../source/session_reading.ts";
import { assertMainThread } from "../source/main_thread.ts";
import { openFormat } from "./linear/open_reading.ts";
import { readFormat } from "./linear/read_format.ts";
import { readFormatTail } from "./linear/read_tail.ts";
import { summarizeFormat } from "./linear/summarize_format.ts";
import type { SessionFormat } from "./session_format.ts";

/** The part of an agent that the engine derives from a format. */
export type FormatReader = Required<
  Pick<Agent, "read" | "summarize" | "openReading" | "has_lasting_places" | "readTail">
>;

/** Makes the reader of a format whose records are one thread, in their order. */
export function formatReader<State>(format: SessionFormat<State>): FormatReader {
  const read: Agent["read"] = (session, options = {}) => {
    assertMainThread(options.thread, session.path);
    return readFormat(format, session, options);
  };
  return {
    read,
    summarize: summarizeFormat(format, read),
    has_lasting_places: true,
    async openReading(session, options): Promise<SessionReading> {
      assertMainThread(options.thread, session.path);
      return await Promise.resolve(openFormat(format, session, options));
    },
    async readTail(session, options): Promise<readonly LogEvent[]> {
      assertMainThread(options.thread, session.path);
      return await readFormatTail(format, session, options);
    },
  };
}
