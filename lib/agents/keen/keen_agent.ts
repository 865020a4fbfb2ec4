/**
 * Reads the sessions of Keen Code (mochow13/keen-code; format read from version 0.38.1 and later
 * single files).
 *
 * The transcript shows what a person saw in Keen: every tool with its whole output. The model gets
 * less on resume: no reasoning, and of a tool only how it ended. So a turn with tools is there
 * twice: as the user saw it, and as Keen sends it.
 *
 * Where Keen loses data, this reader keeps it:
 * - a line with a wrong field, of an unknown kind, or without its payload is not in the
 *   conversation. That is so in Keen too; here it stays as an extension;
 * - a record that an append has glued to a torn line: Keen drops both, here the whole one is read.
 *
 * Keen cuts titles at 72 bytes, in the middle of a character; here they are as long as all others.
 */
import { isObject } from "../../event/guard.ts";
import type { Agent } from "../../source/agent.ts";
import { formatReader } from "../../reading/format_reader.ts";
import { headRecords } from "../../reading/records/head_records.ts";
import { keenFormat } from "./keen_format.ts";
import { sessionAt } from "./session_file.ts";

const KINDS: ReadonlySet<unknown> = new Set([
  "session_started",
  "user_message",
  "assistant_turn",
  "compaction_applied",
]);

/** Keen names the payload by the kind; logs of ours, whose files have the same name, do not. */
function isKeen(head: Uint8Array): boolean {
  return headRecords(head).some(({ value }) =>
    KINDS.has(value.kind) && typeof value.seq === "number" && isObject(value[String(value.kind)])
  );
}

/** The reader of Keen Code's sessions. */
export const keenAgent: Agent = {
  name: "keen",
  recognize: (_path, head) => isKeen(head),
  sessionsIn: async (path) => await Promise.resolve([sessionAt(path)]),
  open: formatReader(keenFormat),
};
