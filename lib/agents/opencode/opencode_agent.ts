/**
 * The reader of OpenCode's sessions.
 *
 * Read from OpenCode 1.18.34: its bundle, a database that it wrote, and what it converts of older
 * layouts. The schema of 2.0 was read too.
 */
import type { Agent } from "../../source/agent.ts";
import { formatReader } from "../../reading/format_reader.ts";
import { sqliteFiles } from "../../reading/sqlite/sqlite_file.ts";
import { recognizeStore, sessionsIn } from "./find_sessions.ts";
import { opencodeFormat } from "./opencode_format.ts";
import { threadsOf } from "./threads.ts";

/** Reads sessions of OpenCode in its database, in its older JSON files, and in exports. */
export const opencodeAgent: Agent = {
  name: "opencode",
  recognize: recognizeStore,
  sessionsIn: (path) => Promise.resolve().then(() => sessionsIn(path)),
  open: formatReader(opencodeFormat, {
    // Messages are found by their number, so that only a thread's edges are read.
    threads: threadsOf,
    // In the older layout each message is a file of its own.
    files: ({ path }) => path.endsWith(".db") ? { paths: sqliteFiles(path) } : undefined,
  }),
};
