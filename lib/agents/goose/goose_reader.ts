/** The reader of goose's sessions. Of a sub-agent's thread it reads the sub-agent's session. */
import { type FormatReader, formatReader } from "../../reading/format_reader.ts";
import { gooseFormat } from "./goose_format.ts";
import { namedSubagent } from "./subagents.ts";

const own = formatReader(gooseFormat);

/** Reads sessions of goose, and the sessions of their sub-agents. */
export const gooseReader: FormatReader = {
  ...own,
  // Rows may change, and there are other threads.
  has_lasting_places: false,
  read: (session, { thread, ...options } = {}) =>
    own.read(namedSubagent(session, thread) ?? session, options),
  openReading: async (session, { thread, ...options }) =>
    await own.openReading(namedSubagent(session, thread) ?? session, options),
  readTail: async (session, { thread, ...options }) =>
    await own.readTail(namedSubagent(session, thread) ?? session, options),
};
