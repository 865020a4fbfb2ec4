/**
 * pi (badlogic/pi-mono, then earendil-works/pi): one file a session, a tree of entries in it.
 *
 * Its rules are those of version 1.5.2. The live branch ends at the entry that was written last. A
 * compaction on it replaces what was before by its summary and the entries from the first one kept
 * on. Edits of the context change what is in force. Where pi loses what is there, Reprise keeps it:
 *
 * - pi refuses a file whose header is lost or has a byte order mark: it is read.
 * - pi drops both entries of a glued line, and what stands before a damaged line. Here the whole
 *   entry is salvaged, and the damaged one still leads to its parent.
 * - pi does not end on a cycle: the branch ends there, and it is reported.
 *
 * Where the conversation differs from pi's messages: its system prompt is left out, as every agent
 * has its own.
 *
 * @module
 */
import type { Agent, AgentSession } from "../../source/agent.ts";
import { readEdges } from "../file_edges.ts";
import { asName } from "../json_value.ts";
import { verbatimIn } from "../verbatim.ts";
import { ADDED_WORDS } from "./entry_events.ts";
import { indexEntryLines } from "./entry_index.ts";
import { idInName } from "./header.ts";
import { locateSessions } from "./locate.ts";
import { openReading } from "./open_reading.ts";
import { openThreads } from "./open_threads.ts";
import { readSession } from "./read.ts";
import { readMessages } from "./read_messages.ts";
import { readUsage } from "./read_usage.ts";
import { readTail } from "./read_tail.ts";
import { isPiSession } from "./recognize.ts";
import { summarizeSession } from "./summarize.ts";
import { threadsOf } from "./threads.ts";

/** The reader of pi's sessions. */
export const piAgent: Agent = {
  name: "pi",
  title: "pi",
  locate: locateSessions,
  recognize: (_path, head) => isPiSession(head),
  sessionsIn,
  summarize: summarizeSession,
  read: readSession,
  openReading,
  has_lasting_places: true,
  openThreads,
  messages: readMessages,
  threads: threadsOf,
  usage: readUsage,
  readTail,
  verbatim: ({ path }) => Promise.resolve(verbatimIn([path], ADDED_WORDS)),
  // `pi --session <path|id>` of 0.73 to 0.87 works in the directory that the file names.
  resumeCommand: ({ path }) => ({ argv: ["pi", "--session", path], in_directory: false }),
  loadWriter: async () => (await import("./write/pi_writer.ts")).piWriter,
  loadRepair: async () => (await import("./session_repair.ts")).piRepair,
};

function sessionsIn(path: string): Promise<AgentSession[]> {
  const { header } = indexEntryLines(readEdges(path, { tail_bytes: 0 }).head);
  const id = asName(header?.value.id) ?? idInName(path);
  const cwd = asName(header?.value.cwd);
  return Promise.resolve([{ agent: "pi", id, path, ...(cwd === undefined ? {} : { cwd }) }]);
}
