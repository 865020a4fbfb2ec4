/**
 * Reads the sessions of fen (acmiyaguchi/fen; format read from version 0.17.0).
 *
 * Where fen loses data, this reader keeps it:
 * - the first line of a file that has lost its header: fen drops it, whatever it is;
 * - an append after a crash glues an entry to a torn line. Fen drops both; here the whole entry
 *   behind the tear is read.
 *
 * There are other differences from what fen would send. An answer without any content (stopped
 * before its first word) is no message, because no provider takes one. A call without a result gets
 * one that says so. A result without a call is left out. The doctor of fen calls both unsafe to
 * replay.
 *
 * A second process may resume a session, but fen has no command line that names it. `--continue`
 * takes the latest of the directory, and `fen session send` runs one prompt.
 */
import type { Agent } from "../../source/agent.ts";
import { headRecords } from "../../reading/records/head_records.ts";
import { asObject } from "../../reading/json_value.ts";
import { formatReader } from "../../reading/format_reader.ts";
import { fenFormat } from "./fen_format.ts";
import { sessionAt } from "./session_file.ts";

/** fen's times have dashes for colons, unlike those of pi, whose entries look alike otherwise. */
const FEN_TIME = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d$/;

function isFen(head: Uint8Array): boolean {
  return headRecords(head).some(({ value }) => {
    if (typeof value.timestamp !== "string" || !FEN_TIME.test(value.timestamp)) return false;
    if (value.type === "session") return typeof value.cwd === "string";
    return value.type === "message" && typeof asObject(value.message).role === "string";
  });
}

/** The reader of fen's sessions. */
export const fenAgent: Agent = {
  name: "fen",
  recognize: (_path, head) => isFen(head),
  sessionsIn: async (path) => await Promise.resolve([sessionAt(path)]),
  open: formatReader(fenFormat),
};
