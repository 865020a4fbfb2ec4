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
import { asName, asObject, type Json } from "../engine/json.ts";
import { present } from "../../core/event/present.ts";
import { verbatimIn } from "../engine/files/session_files.ts";
import { readEdges } from "../engine/records/file_edges.ts";
import { headRecords } from "../engine/records/head_records.ts";
import { indexLines } from "../engine/tree/index_file.ts";
import { treeReader } from "../engine/tree/tree_reader.ts";
import type { Agent, AgentSession } from "../contract/agent.ts";
import { ADDED_WORDS } from "./entry_events.ts";
import { idInName } from "./locate.ts";
import { piFormat } from "./pi_format.ts";
import { openReading, readMessages } from "./pi_lines.ts";
import { summarizeSession } from "./summarize.ts";

const LINES = 20;

const ENTRY_TYPES = new Set([
  "message",
  "model_change",
  "thinking_level_change",
  "compaction",
  "branch_summary",
  "custom",
  "custom_message",
  "label",
  "session_info",
  "context_edit",
  "usage",
]);

/** Matches the time in pi's records: fen's headers and messages differ in nothing else. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

function isPiSession(head: Uint8Array): boolean {
  const marks = headRecords(head, LINES).map(({ value }) => markOf(value));
  return marks.includes("header") || (marks.includes("entry") && !marks.includes("other"));
}

function markOf(value: Json): "header" | "entry" | "other" | undefined {
  const type = asName(value.type);
  const id = asName(value.id);
  if (type === "session_start") return "other";
  if (type === undefined || !TIME.test(asName(value.timestamp) ?? "")) return undefined;
  if (type === "session") return id === undefined ? undefined : "header";
  if (!ENTRY_TYPES.has(type)) return undefined;
  if (id !== undefined && value.parentId !== undefined) return "entry";
  if (asName(asObject(value.message).role) === undefined) return undefined;
  return id === undefined ? "entry" : "other";
}

export const piAgent: Agent = {
  name: "pi",
  recognize: (_path, head) => isPiSession(head),
  sessionsIn,
  open: treeReader(piFormat, {
    // A list reads 32 KiB of a file, and skips prompts that extensions wrote.
    summarize: summarizeSession,
    // Most sessions are one straight line, which is read from any place, without a tree.
    openReading,
    has_lasting_places: true,
    // Such a line becomes messages without events in between.
    messages: readMessages,
    files: ({ path }) => verbatimIn([path], ADDED_WORDS) ?? { paths: [path] },
  }),
};

function sessionsIn(path: string): Promise<AgentSession[]> {
  const { header } = indexLines(piFormat, readEdges(path, { tail_bytes: 0 }).head).head;
  const id = asName(header?.value.id) ?? idInName(path);
  const cwd = asName(header?.value.cwd);
  return Promise.resolve([present({ agent: "pi", id, path, cwd })]);
}
