/**
 * The reader of goose's sessions.
 *
 * Read from the source of goose (aaif-goose/goose at 017176d, schema 17, and block/goose before).
 * No database that goose itself wrote was at hand.
 */
import type { Agent } from "../../source/agent.ts";
import { PLAIN_ID } from "../../source/resume_command.ts";
import { recognizeStore, sessionsIn } from "./find_sessions.ts";
import { gooseReader } from "./goose_reader.ts";
import { locateSessions } from "./locate.ts";
import { threadsOf } from "./threads.ts";

/** Reads sessions of goose in its database and in its older JSONL files. */
export const gooseAgent: Agent = {
  name: "goose",
  title: "goose",
  locate: locateSessions,
  recognize: recognizeStore,
  sessionsIn: (path) => Promise.resolve().then(() => sessionsIn(path)),
  ...gooseReader,
  threads: threadsOf,
  // A file keeps its id when goose takes it over into its database.
  // `--session-id` as in the documentation of 1.50.
  resumeCommand: ({ id }) => ({
    argv: ["goose", "session", "--resume", "--session-id", id],
    id_form: PLAIN_ID,
    in_directory: true,
  }),
  loadRepair: async () => (await import("../../reading/sqlite/database_check.ts")).databaseCheck,
};
