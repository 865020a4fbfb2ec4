/**
 * The reader of goose's sessions.
 *
 * Read from the source of goose (aaif-goose/goose at 017176d, schema 17, and block/goose before).
 * No database that goose itself wrote was at hand.
 */
import type { Agent } from "../../source/agent.ts";
import { recognizeStore, sessionsIn } from "./find_sessions.ts";
import { formatReader } from "../../reading/format_reader.ts";
import { gooseFormat } from "./goose_format.ts";
import { threadsOf } from "./threads.ts";

/** Reads sessions of goose in its database and in its older JSONL files. */
export const gooseAgent: Agent = {
  name: "goose",
  recognize: recognizeStore,
  sessionsIn: (path) => Promise.resolve().then(() => sessionsIn(path)),
  // Records of a database are counted by a query.
  open: formatReader(gooseFormat, { threads: threadsOf }),
};
