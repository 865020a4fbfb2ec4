/**
 * The reader of OpenCode's sessions.
 *
 * Read from OpenCode 1.18.34: its bundle, a database that it wrote, and what it converts of older
 * layouts. The schema of 2.0 was read too.
 */
import type { Agent } from "../../source/agent.ts";
import { PLAIN_ID } from "../../source/resume_command.ts";
import { sqliteFiles } from "../../reading/sqlite/sqlite_file.ts";
import { recognizeStore, sessionsIn } from "./find_sessions.ts";
import { handedOriginals } from "./handed_originals.ts";
import { locateSessions } from "./locate.ts";
import { readSession } from "./read.ts";
import { summarizeSession } from "./summarize.ts";
import { threadsOf } from "./threads.ts";

/** Reads sessions of OpenCode in its database, in its older JSON files, and in exports. */
export const opencodeAgent: Agent = {
  name: "opencode",
  title: "OpenCode",
  locate: locateSessions,
  recognize: recognizeStore,
  sessionsIn: (path) => Promise.resolve().then(() => sessionsIn(path)),
  summarize: summarizeSession,
  read: readSession,
  threads: threadsOf,
  // In the older layout each message is a file of its own.
  stateFiles: ({ path }) => Promise.resolve(path.endsWith(".db") ? sqliteFiles(path) : undefined),
  // An export must be imported first, and the older files are no longer read.
  // `opencode [project] --session <id>`, as opencode.ai/docs/cli and 1.18.33 have it.
  resumeCommand: ({ path, id }) =>
    path.endsWith(".db")
      ? { argv: ["opencode", "--session", id], id_form: PLAIN_ID, in_directory: true }
      : undefined,
  handedOriginals,
  loadWriter: async () => (await import("./write/opencode_writer.ts")).opencodeWriter,
  loadRepair: async () => (await import("../../reading/sqlite/database_check.ts")).databaseCheck,
};
